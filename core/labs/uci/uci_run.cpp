// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>

#include "core/base/info_keys.h"
#include "core/base/splitmix64.h"
#include "core/base/stopwatch.h"
#include "core/io/make_folder.h"

namespace dubito {
namespace {

/// The fit on all training items; candidates count from 0 and are fewer.
constexpr std::uint64_t kFinalFit = 63;

/// Fits share no random numbers, neither between splits nor between candidates.
std::uint64_t seedOfFit(std::uint64_t seed, std::int64_t split, std::uint64_t fit) {
  return splitmix64(splitmix64(seed) + static_cast<std::uint64_t>(split) * (kFinalFit + 1) + fit);
}

struct Task {
  const UciSetInfo* set = nullptr;
  const UciMethodInfo* method = nullptr;
  std::int64_t split = 0;
  std::string path;
};

/// The results of a plan that belong to this process, those of one set and method together.
Expected<std::vector<Task>> tasksOf(const UciPlan& plan) {
  std::vector<Task> tasks;
  std::int64_t number = 0;
  for (const std::string& set_key : plan.sets) {
    const UciSetInfo* const set = findUciSet(set_key);
    if (set == nullptr) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: there is no such set; use all or one of {}", set_key,
                              fmt::join(infoKeys(uciSets()), ", ")));
    }
    for (const std::string& method_key : plan.methods) {
      const UciMethodInfo* const method = findUciMethod(method_key);
      if (method == nullptr) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: there is no such method; use all or one of {}", method_key,
                                fmt::join(infoKeys(uciMethods()), ", ")));
      }
      const std::int64_t splits =
          plan.splits == 0 ? set->splits : std::min(plan.splits, set->splits);
      for (std::int64_t split = 0; split < splits; ++split, ++number) {
        if (number % plan.parts == plan.part) {
          tasks.push_back(
              {set, method, split, uciResultPath(plan.result_folder, set_key, method_key, split)});
        }
      }
    }
  }
  return tasks;
}

/// Removes the tasks whose results are there.
Status keepFinished(const UciOptions& options, std::uint64_t seed, bool resume,
                    std::vector<Task>& tasks) {
  std::vector<Task> left;
  for (Task& task : tasks) {
    if (!std::filesystem::exists(task.path)) {
      left.push_back(std::move(task));
      continue;
    }
    if (!resume) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: exists; keep it and continue, or use another folder", task.path),
                  {setting("resume")});
    }
    const auto result = readUciResult(task.path);
    if (!result) {
      return failWith(result);
    }
    if (result->options != options || result->seed != seed) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: was computed with other options or another seed; use the same, "
                              "or another folder",
                              task.path));
    }
  }
  tasks = std::move(left);
  return {};
}

Expected<std::map<const UciSetInfo*, UciData>> readSets(const std::vector<Task>& tasks,
                                                        const std::string& folder) {
  std::map<const UciSetInfo*, UciData> sets;
  for (const Task& task : tasks) {
    if (sets.contains(task.set)) {
      continue;
    }
    auto data = readUciData(*task.set, folder);
    if (!data) {
      return failWith(data);
    }
    sets.emplace(task.set, *std::move(data));
  }
  return sets;
}

}  // namespace

Expected<UciResult> runUciSplit(const UciData& data, const UciMethodInfo& method,
                                std::int64_t split, const UciOptions& options, std::uint64_t seed,
                                const RunContext& context) {
  const Stopwatch watch;
  const UciSetInfo& set = *data.set;
  const UciRows rows = uciSplit(data, split);
  const auto validation = uciProblem(data, uciValidationSplit(rows.train, seed, split));
  if (!validation) {
    return failWith(validation);
  }
  const auto test = uciProblem(data, rows);
  if (!test) {
    return failWith(test);
  }
  const auto evaluate = [&](const UciProblem& problem, const UciChoice& choice, std::int64_t draws,
                            std::uint64_t fit) {
    return method.evaluate({.set = set,
                            .problem = problem,
                            .choice = choice,
                            .epochs = options.epochs.value_or(method.epoch_factor * set.epochs),
                            .draws = draws,
                            .seed = seedOfFit(seed, split, fit),
                            .context = context});
  };
  UciResult result{.set = set.key,
                   .method = method.key,
                   .split = split,
                   .seed = seed,
                   .options = options,
                   .validation_log_likelihood = -std::numeric_limits<double>::infinity()};
  std::vector<UciChoice> candidates = method.candidates(set);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (auto& [name, value] : candidates[i]) {
      if (name == "epochs" && options.epochs) {
        value = static_cast<double>(*options.epochs);
      }
    }
    const auto score = evaluate(*validation, candidates[i], options.validation_draws, i);
    if (!score) {
      return failWith(score);
    }
    if (score->log_likelihood > result.validation_log_likelihood) {
      result.validation_log_likelihood = score->log_likelihood;
      result.choice = candidates[i];
    }
  }
  if (result.choice.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} on {}, split {}: no likelihood of the validation items is a "
                            "number; use fewer epochs",
                            method.key, set.key, split));
  }
  const auto score = evaluate(*test, result.choice, options.draws, kFinalFit);
  if (!score) {
    return failWith(score);
  }
  if (!std::isfinite(score->rmse) || !std::isfinite(score->log_likelihood)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} on {}, split {}: the scores are not finite; use fewer epochs",
                            method.key, set.key, split));
  }
  result.test = *score;
  result.seconds = watch.seconds();
  return result;
}

Expected<std::int64_t> runUci(const UciPlan& plan, const UciOptions& options, RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  auto tasks = tasksOf(plan);
  if (!tasks) {
    return failWith(tasks);
  }
  const std::int64_t all = std::ssize(*tasks);
  if (Status kept = keepFinished(options, context.seed, plan.resume, *tasks); !kept) {
    return failWith(kept);
  }
  const auto sets = readSets(*tasks, plan.data_folder);
  if (!sets) {
    return failWith(sets);
  }
  if (Status made = makeFolder(plan.result_folder); !made) {
    return failWith(made);
  }
  const std::int64_t before = all - std::ssize(*tasks);
  std::int64_t done = 0;
  Status status;
  std::mutex mutex;  // guards done, status and context.step()
  std::atomic<bool> ends = false;
  context.parallelFor(std::ssize(*tasks), 1, [&](std::int64_t begin, std::int64_t) {
    const Task& task = (*tasks)[static_cast<std::size_t>(begin)];
    {
      const std::lock_guard lock(mutex);
      const Step step = context.step("splits", before + done, all);
      if (step == Step::kCancel) {
        status = cancelled();
      }
      if (step != Step::kContinue) {
        ends = true;
      }
    }
    if (ends) {
      return;
    }
    const auto result =
        runUciSplit(sets->at(task.set), *task.method, task.split, options, context.seed, context);
    const Status written = result ? writeUciResult(task.path, *result) : Status(failWith(result));
    const std::lock_guard lock(mutex);
    if (written) {
      ++done;
      context.step("splits", before + done, all);
    } else {
      status = status ? written : status;
      ends = true;
    }
  });
  if (!status) {
    return failWith(status);
  }
  return done;
}

}  // namespace dubito
