// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_work.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/overloaded.h"
#include "core/base/stopwatch.h"
#include "core/decisions/logit_table.h"
#include "core/io/run_file.h"
#include "core/methods/ensemble/ensemble.h"
#include "core/methods/method_data.h"
#include "core/metrics/evaluation.h"
#include "core/predict/predict_to_file.h"
#include "core/study/checked_json.h"
#include "core/study/labelling.h"
#include "core/study/retraining.h"
#include "core/study/study_fields.h"
#include "core/train/head/train_head.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Items per pass through a backbone.
constexpr std::int64_t kHeadBatch = 500;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Mean negative log likelihood of the labelled items.
Expected<double> nllOf(const Run& run, RunContext& context) {
  const auto evaluation = evaluate(run, {}, {}, context);
  if (!evaluation) {
    return failWith(evaluation);
  }
  return evaluation->nll.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

void StudyCounts::add(const StudyCounts& other) {
  trained += other.trained;
  predicted += other.predicted;
  evaluated += other.evaluated;
  kept += other.kept;
  recomputed += other.recomputed;
  left_out += other.left_out;
}

StudyWorker::StudyWorker(const StudySpec& spec, const StudyInputs& inputs, const StudyPlan& plan,
                         std::function<void(const std::string&)> on_line)
    : spec_(spec), inputs_(inputs), plan_(plan), on_line_(std::move(on_line)) {}

Status StudyWorker::noted(const std::string& what, const Error& error) {
  if (error.code == ErrorCode::kCancelled) {
    return tl::unexpected<Error>(error);
  }
  failures_.push_back({what, studyErrorText(error)});
  if (on_line_) {
    on_line_(fmt::format("failed: {}: {}", what, failures_.back().message));
  }
  return {};
}

bool StudyWorker::isFinishedRun(const std::string& path, RunContext& context) {
  if (!exists(path)) {
    return false;
  }
  if (readRun(path, context)) {
    return true;
  }
  ++counts_.recomputed;
  std::error_code ignored;
  fs::remove(path, ignored);
  return false;
}

bool StudyWorker::isFinishedResult(const std::string& path) {
  if (path.empty() || !exists(path)) {
    return false;
  }
  if (readCheckedJson(path)) {
    return true;
  }
  ++counts_.recomputed;
  std::error_code ignored;
  fs::remove(path, ignored);
  return false;
}

Status StudyWorker::trainNetwork(const NetworkTask& task, RunContext& context) {
  if (task.exists) {
    return {};
  }
  if (exists(task.path)) {
    return {};
  }
  const Stopwatch watch;
  context.seed = task.seed;
  const StudyNetwork& network = spec_.networks[task.network];
  const Dataset& source = *inputs_.source->data;
  const Status done =
      std::visit(Overloaded{[&](const TrainOptions& options) -> Status {
                              const auto report = train(source, options, task.path, context);
                              return report ? Status() : failWith(report);
                            },
                            [&](const StudyHead& head) -> Status {
                              const auto backbone = loadModel(head.backbone, {}, context);
                              if (!backbone) {
                                return failWith(backbone);
                              }
                              const auto report = trainHead(**backbone, source, head.options,
                                                            kHeadBatch, task.path, context);
                              return report ? Status() : failWith(report);
                            },
                            [](const StudyModel&) -> Status { return {}; }},
                 network.how);
  if (done) {
    ++counts_.trained;
    if (on_line_) {
      on_line_(
          fmt::format("trained {}, seed {}: {:.1f} s", network.name, task.seed, watch.seconds()));
    }
  }
  return done;
}

Expected<MethodOptions> StudyWorker::fitMethod(const Model& model, const RunTask& task,
                                               RunContext& context) {
  const StudyRow& row = spec_.rows[task.row];
  std::optional<MethodOptions> best;
  double best_score = std::numeric_limits<double>::infinity();
  const std::vector<MethodOptions> candidates = row.candidates();
  for (const MethodOptions& candidate : candidates) {
    const MethodNeeds used = inputsUsedBy(candidate);
    MethodData data;
    if (used.fit) {
      data.fit = inputs_.source->data;
    }
    if (used.calibration && task.fit) {
      data.calibration = task.fit->data;
    }
    auto ready = prepareMethod(model, candidate, data, spec_.predict, context);
    if (!ready) {
      return ready;
    }
    if (candidates.size() == 1) {
      return ready;
    }
    double score = std::numeric_limits<double>::infinity();
    if (row.select == StudySelect::kEvidence) {
      const auto posterior = posteriorOf(*ready);
      score = posterior ? -logEvidence(posterior->posterior, posterior->scale) : score;
    } else {
      const auto run = predict(model, *task.fit->data, *ready, spec_.predict, context);
      const auto nll = run ? nllOf(*run, context) : Expected<double>(failWith(run));
      if (!nll) {
        return failWith(nll);
      }
      score = *nll;
    }
    if (score < best_score) {
      best_score = score;
      best = *std::move(ready);
    }
  }
  if (!best) {
    return fail(ErrorCode::kInvalidArgument,
                "no combination of the grid has a finite score; try other values");
  }
  return *std::move(best);
}

Status StudyWorker::runNetwork(std::size_t network_task, RunContext& context) {
  const NetworkTask& network = plan_.networks[network_task];
  const std::string& name = spec_.networks[network.network].name;
  const std::string what = fmt::format("{}, seed {}", name, network.seed);
  if (Status trained = trainNetwork(network, context); !trained) {
    return noted(what, trained.error());
  }
  std::map<std::string, std::vector<const RunTask*>> pending;  // by fitted method
  for (const RunTask& task : plan_.runs) {
    if (task.members.empty() && task.network_task == network_task &&
        !isFinishedRun(task.path, context)) {
      pending[task.fit_key].push_back(&task);
    }
  }
  if (pending.empty()) {
    return {};
  }
  const auto model = loadModel(network.path, {}, context);
  if (!model) {
    return noted(what, model.error());
  }
  for (const auto& [fit_key, tasks] : pending) {
    const std::string of_method =
        fmt::format("{}, {}", what, spec_.rows[tasks.front()->row].method);
    context.seed = tasks.front()->seed;
    const auto method = fitMethod(**model, *tasks.front(), context);
    if (!method) {
      if (Status ended = noted(of_method, method.error()); !ended) {
        return ended;
      }
      continue;
    }
    for (const RunTask* const task : tasks) {
      const auto run = predictToFile(**model, *task->set->data, *method, spec_.predict, task->path,
                                     {.resume = true}, context);
      if (run) {
        ++counts_.predicted;
      } else if (Status ended = noted(of_method + " on " + task->set->name, run.error()); !ended) {
        return ended;
      }
    }
  }
  return {};
}

Status StudyWorker::average(const RunTask& task, RunContext& context) {
  std::vector<EnsembleMember> members;
  for (const std::size_t member : task.members) {
    auto run = readRun(plan_.runs[member].path, context);
    if (!run) {
      return failWith(run);
    }
    members.push_back({fmt::format("seed {}", plan_.runs[member].seed), *std::move(run)});
  }
  // The draws are in the files of the members.
  const auto saved = ensembleToFile(members, task.path, {.keep_samples_mb = 0}, context);
  if (!saved) {
    return failWith(saved);
  }
  ++counts_.predicted;
  return {};
}

/// The run, averaged if need be; nullopt if a run that it needs is missing.
Expected<std::optional<Run>> StudyWorker::openRun(std::size_t index, RunContext& context) {
  const RunTask& task = plan_.runs[index];
  if (!task.members.empty() && !isFinishedRun(task.path, context)) {
    for (const std::size_t member : task.members) {
      if (!exists(plan_.runs[member].path)) {
        return std::optional<Run>();
      }
    }
    if (Status averaged = average(task, context); !averaged) {
      return failWith(averaged);
    }
  }
  if (!exists(task.path)) {
    return std::optional<Run>();
  }
  auto run = readRun(task.path, context);
  return run ? Expected<std::optional<Run>>(*std::move(run)) : failWith(run);
}

Status StudyWorker::retrainTarget(const EvaluationTask& task, const LabellingRuns& runs,
                                  RunContext& context) {
  const std::string& path = plan_.networks[plan_.runs[task.run].network_task].path;
  if (!retrained_ || retrained_->model().path() != path) {
    retrained_.reset();
    auto model = loadModel(path, {}, context);
    if (!model) {
      return failWith(model);
    }
    retrained_.emplace(*std::move(model), inputs_.validation->data);
  }
  context.seed = spec_.seeds[task.seed_index];
  const auto results =
      retrain({.network = *retrained_, .target = *inputs_.targets[task.target]->data, .runs = runs},
              *spec_.labelling, *spec_.retraining, context);
  return results ? writeCheckedJson(task.retraining_path, toJson(*results))
                 : Status(failWith(results));
}

Status StudyWorker::runEvaluation(std::size_t index, RunContext& context) {
  const EvaluationTask& task = plan_.evaluations[index];
  const bool is_evaluated = isFinishedResult(task.path);
  const bool is_labelled = task.labelling_path.empty() || isFinishedResult(task.labelling_path);
  const bool is_retrained = task.retraining_path.empty() || isFinishedResult(task.retraining_path);
  if (is_evaluated && is_labelled && is_retrained && exists(plan_.runs[task.run].path)) {
    return {};
  }
  std::vector<std::size_t> wanted{task.run};
  wanted.insert(wanted.end(), task.ood.begin(), task.ood.end());
  if (task.validation) {
    wanted.insert(wanted.end(), {*task.validation, *task.adaptation});
  }
  const std::string what =
      fmt::format("{}, seed {}, on {}", spec_.rows[task.row].name(), spec_.seeds[task.seed_index],
                  spec_.targets[task.target].name);
  std::vector<Run> runs;
  for (const std::size_t run : wanted) {
    auto opened = openRun(run, context);
    if (!opened) {
      return noted(what, opened.error());
    }
    if (!*opened) {
      ++counts_.left_out;
      return {};
    }
    runs.push_back(**std::move(opened));
  }
  if (!is_evaluated) {
    std::vector<NamedRun> ood;
    for (std::size_t i = 0; i < task.ood.size(); ++i) {
      ood.push_back({spec_.ood[i].name, &runs[i + 1]});
    }
    const auto evaluation = evaluate(runs.front(), ood, spec_.evaluation, context);
    const Status written = evaluation ? writeCheckedJson(task.path, toJson(*evaluation))
                                      : Status(failWith(evaluation));
    if (!written) {
      return noted(what, written.error());
    }
    ++counts_.evaluated;
  }
  const LabellingRuns labelling{.target = runs.front(),
                                .validation = runs[runs.size() < 2 ? 0 : runs.size() - 2],
                                .adaptation = runs.back()};
  if (!is_labelled) {
    const auto results = labelTarget(labelling, *spec_.labelling, context);
    const Status written = results ? writeCheckedJson(task.labelling_path, toJson(*results))
                                   : Status(failWith(results));
    if (!written) {
      return noted(what + ", labelling", written.error());
    }
  }
  if (!is_retrained) {
    if (Status written = retrainTarget(task, labelling, context); !written) {
      return noted(what + ", retraining", written.error());
    }
  }
  return {};
}

}  // namespace dubito
