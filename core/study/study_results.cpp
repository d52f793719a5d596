// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/io/join_runs.h"
#include "core/io/run_file.h"
#include "core/io/run_notes.h"
#include "core/metrics/item_scores.h"
#include "core/study/checked_json.h"

namespace dubito {
namespace {

using nlohmann::json;

bool isThere(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && std::filesystem::exists(path, ignored);
}

/// kStudyDifferences of one item, first run minus second.
void addDifferences(const Run& first, const Run& second, const SharedRow& pair,
                    const ItemNll& first_nll, const ItemNll& second_nll,
                    std::vector<std::vector<double>>& values) {
  const std::int64_t label = first.labels.data()[pair.first];
  const auto right = [label](const Run& run, std::int64_t row) {
    return run.predictions.data()[row] == label ? 1.0 : 0.0;
  };
  values[0].push_back(right(first, pair.first) - right(second, pair.second));
  values[1].push_back(brierOfItem(first, pair.first, label) -
                      brierOfItem(second, pair.second, label));
  values[2].push_back(first_nll(pair.first, label) - second_nll(pair.second, label));
}

/// Compares the runs of a row with those of the baseline, in pairs.
class Comparison {
 public:
  Comparison(const StudySpec& spec, const StudyPlan& plan, RunContext& context)
      : spec_(spec), plan_(plan), context_(context) {}

  Expected<std::vector<BootstrappedMean>> compare(
      const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<std::vector<double>> values(kStudyDifferences.size());
    std::int64_t items = -1;
    for (const auto& [first, second] : pairs) {
      const Status added = addPair(plan_.runs[first].path, plan_.runs[second].path, values, items);
      if (!added) {
        return failWith(added);
      }
    }
    if (items <= 0) {
      return std::vector<BootstrappedMean>();
    }
    // A masked label has an infinite NLL: such a metric has no mean to test.
    for (std::vector<double>& metric : values) {
      if (!std::ranges::all_of(metric, [](double value) { return std::isfinite(value); })) {
        return std::vector<BootstrappedMean>();
      }
    }
    constexpr std::uint64_t kSeed = 0x7374756479;
    return bootstrapOverSeeds(values, static_cast<std::int64_t>(pairs.size()), items,
                              spec_.replicates, kSeed, context_);
  }

 private:
  Status addPair(const std::string& first_path, const std::string& second_path,
                 std::vector<std::vector<double>>& values, std::int64_t& items) {
    const auto first = readRun(first_path, context_);
    const auto second = first ? readRun(second_path, context_) : first;
    if (!second) {
      return failWith(second);
    }
    if (!first->probs || !second->probs) {
      return {};
    }
    const ItemNll first_nll(*first);
    const ItemNll second_nll(*second);
    std::int64_t count = 0;
    const auto pairs = joinRuns({*first, first_path}, {*second, second_path});
    if (!pairs) {
      return failWith(pairs);
    }
    for (const SharedRow& pair : *pairs) {
      if (first->labels.data()[pair.first] >= 0) {
        addDifferences(*first, *second, pair, first_nll, second_nll, values);
        ++count;
      }
    }
    if (items >= 0 && count != items) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: has {} labelled items in common with {}, the runs of other "
                              "seeds {}; remove it to compute it again",
                              first_path, count, second_path, items));
    }
    items = count;
    return {};
  }

  const StudySpec& spec_;
  const StudyPlan& plan_;
  RunContext& context_;
};

std::vector<SeedStatistics> columnsOf(const std::vector<json>& evaluations, const StudySpec& spec) {
  std::vector<SeedStatistics> columns;
  for (const StudyColumn& column : studyColumns()) {
    std::vector<double> values;
    for (const json& evaluation : evaluations) {
      if (const auto value = column.value(evaluation, spec)) {
        values.push_back(*value);
      }
    }
    columns.push_back(seedStatistics(values));
  }
  return columns;
}

std::vector<StudyLabelling> labellingOf(const std::vector<std::vector<LabellingResult>>& of_seeds) {
  std::vector<StudyLabelling> all;
  for (std::size_t i = 0; !of_seeds.empty() && i < of_seeds.front().size(); ++i) {
    std::vector<double> shares;
    std::vector<double> kept;
    double effective = 0.0;
    for (const std::vector<LabellingResult>& results : of_seeds) {
      shares.push_back(results.at(i).share());
      if (results.at(i).accepted > 0) {
        kept.push_back(results.at(i).kept());
      }
      effective += results.at(i).effective_items / static_cast<double>(of_seeds.size());
    }
    all.push_back({.rule = of_seeds.front()[i].rule,
                   .guaranteed = of_seeds.front()[i].guaranteed,
                   .share = seedStatistics(shares),
                   .kept = seedStatistics(kept),
                   .effective_items = effective});
  }
  return all;
}

std::vector<StudyRetraining> retrainingOf(
    const std::vector<std::vector<RetrainingResult>>& of_seeds) {
  std::vector<StudyRetraining> all;
  for (std::size_t i = 0; !of_seeds.empty() && i < of_seeds.front().size(); ++i) {
    const auto over = [&](const auto& value) {
      std::vector<double> values;
      for (const std::vector<RetrainingResult>& results : of_seeds) {
        values.push_back(value(results.at(i)));
      }
      return seedStatistics(values);
    };
    using Result = RetrainingResult;
    all.push_back({.rule = of_seeds.front()[i].rule,
                   .guaranteed = of_seeds.front()[i].guaranteed,
                   .labels = over([](const Result& r) { return static_cast<double>(r.labels); }),
                   .before = over([](const Result& r) { return r.accuracy.before; }),
                   .automatic = over([](const Result& r) { return r.accuracy.automatic; }),
                   .random = over([](const Result& r) { return r.accuracy.random; }),
                   .uncertain = over([](const Result& r) { return r.accuracy.uncertain; })});
  }
  return all;
}

class Collector {
 public:
  Collector(const StudySpec& spec, const StudyPlan& plan, RunContext& context)
      : spec_(spec), plan_(plan), context_(context) {
    for (const EvaluationTask& task : plan.evaluations) {
      tasks_[{task.target, task.row}].push_back(&task);
    }
  }

  Expected<StudyResults> collect() {
    StudyResults results;
    Comparison comparison(spec_, plan_, context_);
    for (const auto& [place, tasks] : tasks_) {
      if (context_.step("comparing", static_cast<std::int64_t>(results.cells.size()),
                        static_cast<std::int64_t>(tasks_.size())) == Step::kCancel) {
        return cancelled();
      }
      auto cell = cellOf(tasks);
      if (!cell) {
        return failWith(cell);
      }
      if (cell->seeds.empty()) {
        continue;
      }
      const auto pairs = pairsWithBaseline(*cell, tasks);
      if (!pairs.empty()) {
        auto differences = comparison.compare(pairs);
        if (!differences) {
          return failWith(differences);
        }
        cell->differences = *std::move(differences);
      }
      results.cells.push_back(*std::move(cell));
    }
    return results;
  }

 private:
  [[nodiscard]] Expected<StudyCell> cellOf(const std::vector<const EvaluationTask*>& tasks) {
    StudyCell cell{.row = tasks.front()->row, .target = tasks.front()->target};
    std::vector<std::vector<LabellingResult>> labelling;
    std::vector<std::vector<RetrainingResult>> retraining;
    for (const EvaluationTask* const task : tasks) {
      if (isThere(task->path)) {
        auto evaluation = readCheckedJson(task->path);
        if (!evaluation) {
          return failWith(evaluation);
        }
        cell.seeds.push_back(spec_.seeds[task->seed_index]);
        cell.evaluations.push_back(*std::move(evaluation));
        auto runs = runsOf(*task);
        if (!runs) {
          return failWith(runs);
        }
        cell.runs.push_back(*std::move(runs));
      }
      if (isThere(task->labelling_path)) {
        const auto array = readCheckedJson(task->labelling_path);
        auto results = array ? labellingFromJson(*array, task->labelling_path)
                             : Expected<std::vector<LabellingResult>>(failWith(array));
        if (!results) {
          return failWith(results);
        }
        labelling.push_back(*std::move(results));
      }
      if (isThere(task->retraining_path)) {
        const auto array = readCheckedJson(task->retraining_path);
        auto results = array ? retrainingFromJson(*array, task->retraining_path)
                             : Expected<std::vector<RetrainingResult>>(failWith(array));
        if (!results) {
          return failWith(results);
        }
        retraining.push_back(*std::move(results));
      }
    }
    cell.columns = columnsOf(cell.evaluations, spec_);
    cell.labelling = labellingOf(labelling);
    cell.retraining = retrainingOf(retraining);
    return cell;
  }

  [[nodiscard]] Expected<StudyCellRuns> runsOf(const EvaluationTask& task) {
    StudyCellRuns runs{.seed = spec_.seeds[task.seed_index], .target = plan_.runs[task.run].path};
    std::vector<std::string> names{spec_.targets[task.target].name};
    for (std::size_t i = 0; i < task.ood.size(); ++i) {
      runs.ood.push_back(plan_.runs[task.ood[i]].path);
      names.push_back(spec_.ood[i].name);
    }
    std::vector<std::vector<Note>> notes;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto of_run = notesOf(i == 0 ? runs.target : runs.ood[i - 1]);
      if (!of_run) {
        return failWith(of_run);
      }
      notes.push_back(*std::move(of_run));
    }
    runs.notes = joinedNotes(names, notes);
    return runs;
  }

  /// Notes of a run; none if it was removed.
  [[nodiscard]] Expected<std::vector<Note>> notesOf(const std::string& path) {
    if (!isThere(path)) {
      return std::vector<Note>();
    }
    auto [known, is_new] = notes_.try_emplace(path);
    if (is_new) {
      const auto run = readRun(path, context_);
      if (!run) {
        return failWith(run);
      }
      known->second = run->meta.notes;
    }
    return known->second;
  }

  /// Runs of the row and of the baseline, seed by seed.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairsWithBaseline(
      const StudyCell& cell, const std::vector<const EvaluationTask*>& tasks) const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    const auto baseline = static_cast<std::size_t>(&spec_.row(spec_.baseline) - spec_.rows.data());
    if (cell.row == baseline) {
      return pairs;
    }
    for (const EvaluationTask* const task : tasks) {
      for (const EvaluationTask* const other : tasks_.at({cell.target, baseline})) {
        const bool same_seed = other->seed_index == task->seed_index;
        if (same_seed && isThere(task->path) && isThere(other->path) &&
            isThere(plan_.runs[task->run].path) && isThere(plan_.runs[other->run].path)) {
          pairs.emplace_back(task->run, other->run);
        }
      }
    }
    return pairs;
  }

  const StudySpec& spec_;
  const StudyPlan& plan_;
  RunContext& context_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<const EvaluationTask*>> tasks_;
  std::map<std::string, std::vector<Note>> notes_;  ///< by path of a run
};

}  // namespace

Expected<StudyResults> collectResults(const StudySpec& spec, const StudyPlan& plan,
                                      RunContext& context) {
  return Collector(spec, plan, context).collect();
}

}  // namespace dubito
