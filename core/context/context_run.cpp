// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/context_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/context/scene_solver.h"
#include "core/context/scene_states.h"
#include "core/context/some_names.h"
#include "core/decisions/logit_table.h"
#include "core/io/log_rest.h"
#include "core/io/measures_of_draws.h"
#include "core/io/run_needs.h"
#include "core/io/run_summary.h"
#include "core/kernels/predictive_summary.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

using nlohmann::json;

/// Number of values of draws gathered at a time.
constexpr std::int64_t kContextValuesAtATime = std::int64_t{1} << 22;

template <class T>
Array<T> copyOf(const Array<T>& values) {
  Array<T> copy = Array<T>::zeros(values.shape());
  std::ranges::copy(values.values(), copy.mutableData());
  return copy;
}

/// The run as far as its items without company keep it, with own memory where rows will change.
Run copyToChange(const Run& run, const RunContext& context) {
  Run result = withoutPredictions(run);
  result.probs = std::visit([](const auto& probs) { return RealArray(copyOf(probs)); }, *run.probs);
  result.predictions = copyOf(run.predictions);
  result.confidence = copyOf(run.confidence);
  result.log_rest = copyOf(logRestOf(run, context));
  if (run.entropy) {
    result.entropy = copyOf(*run.entropy);
  } else {
    Run filled = run;
    fillFromProbs(filled, context);
    result.entropy = filled.entropy;
  }
  if (run.drawCount() > 0) {
    result.samples = copyOf(*run.samples);
  }
  return result;
}

/// Writes the marginals of one item, given as logarithms, into a run without draws.
void putMarginals(std::span<const double> log_probs, std::int64_t row, Run& run) {
  const LogitMeasures measures = measuresOfLogits(log_probs);
  run.predictions.mutableData()[row] = measures.prediction;
  run.log_rest->mutableData()[row] = measures.log_rest;
  run.confidence.mutableData()[row] = -std::expm1(measures.log_rest);
  run.entropy->mutableData()[row] = measures.entropy;
  std::visit(
      [&](auto& probs) {
        using T = std::remove_cvref_t<decltype(*probs.data())>;
        std::ranges::transform(log_probs, probs.mutableRow(row).begin(),
                               [](double log) { return static_cast<T>(std::exp(log)); });
      },
      *run.probs);
}

/// Draws [T, rows, K] of the items `rows`.
Array<float> drawsOfRows(const Array<float>& samples, std::span<const std::int64_t> rows) {
  const std::int64_t draws = samples.extent(0);
  const std::int64_t classes = samples.extent(2);
  const auto count = std::ssize(rows);
  auto part = Array<float>::zeros({draws, count, classes});
  for (std::int64_t t = 0; t < draws; ++t) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::ranges::copy(samples.row(t).subspan(
                            static_cast<std::size_t>(rows[static_cast<std::size_t>(i)] * classes),
                            static_cast<std::size_t>(classes)),
                        part.mutableRow(t).begin() + i * classes);
    }
  }
  return part;
}

/// Computes probabilities and measures of the items `rows` from their draws.
Status summariseRows(std::span<const std::int64_t> rows, Run& run, const RunContext& context) {
  const std::int64_t together = std::max<std::int64_t>(
      1, kContextValuesAtATime / (run.samples->extent(0) * run.samples->extent(2)));
  for (std::int64_t first = 0; first < std::ssize(rows); first += together) {
    const auto part =
        rows.subspan(static_cast<std::size_t>(first),
                     static_cast<std::size_t>(std::min(together, std::ssize(rows) - first)));
    const PredictiveSummary summary = summariseProbs(drawsOfRows(*run.samples, part), context);
    if (context.cancelRequested()) {
      return cancelled();
    }
    for (std::int64_t i = 0; i < std::ssize(part); ++i) {
      const std::int64_t row = part[static_cast<std::size_t>(i)];
      std::visit(
          [&](auto& probs) {
            using T = std::remove_cvref_t<decltype(*probs.data())>;
            std::ranges::transform(summary.mean_probs.row(i), probs.mutableRow(row).begin(),
                                   [](double prob) { return static_cast<T>(prob); });
          },
          *run.probs);
      run.predictions.mutableData()[row] = summary.predictions.data()[i];
      run.log_rest->mutableData()[row] = summary.log_rest.data()[i];
      run.confidence.mutableData()[row] = summary.confidence.data()[i];
      run.entropy->mutableData()[row] = summary.entropy.data()[i];
      for (const MeasureOfDraws& measure : kMeasuresOfDraws) {
        (run.*measure.in_run)->mutableData()[row] = (summary.*measure.in_summary).data()[i];
      }
    }
  }
  return {};
}

/// The measures of draws of all items: those of `run`, or computed where it lacks one.
Status addMeasuresOfDraws(const Run& run, Run& result, const RunContext& context) {
  bool complete = true;
  for (const MeasureOfDraws& measure : kMeasuresOfDraws) {
    const auto& before = run.*measure.in_run;
    complete = complete && before.has_value();
    result.*measure.in_run = before ? copyOf(*before) : Array<double>::zeros({run.itemCount()});
  }
  if (complete) {
    return {};
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(run.itemCount()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return summariseRows(all, result, context);
}

/// Notes about what the result lacks.
void addContextNotes(const Run& run, const ContextReport& report, std::vector<Note>& notes) {
  if (run.drawCount() > 0) {
    notes.push_back("Context was applied to each draw");
  } else if (run.mutual_information || run.logit_mean) {
    notes.push_back(
        "Context was applied to the mean probabilities, because the run stores no draws: the parts "
        "of the uncertainty are not available");
  }
  if (run.drawCount() == 0 && !probsAreOfLogits(run)) {
    if (const std::string note = clampNote(run); !note.empty()) {
      notes.push_back("Context: " + note);
    }
  }
  if (report.not_converged > 0) {
    std::vector<std::string> names;
    std::ranges::transform(report.unsettled, std::back_inserter(names), &UnsettledScene::name);
    notes.push_back(fmt::format(
        "Belief propagation did not converge in {} of {} (largest change of the last step {:.3g} "
        "nats): {}; their probabilities are not reliable; try a smaller weight, more damping or "
        "more iterations",
        report.not_converged, counted(report.scenes, "scene"), report.largest_residual,
        someNames(names)));
  }
}

void recordContext(const Run& before, const Scenes& scenes, const ContextOptions& options,
                   const PairScores& scores, const ContextSources& sources,
                   const ContextReport& report, Run& run) {
  json of = json::parse(before.meta.method_options, nullptr, /*allow_exceptions=*/false);
  const json recorded = {
      {"of", {{"method", before.meta.method}, {"options", of.is_object() ? of : json::object()}}},
      {"measure", options.measure},
      {"weight", options.weight},
      {"weight_from", sources.weight},
      {"smoothing", options.smoothing},
      {"same_class", scores.same_class_counted ? "counted" : "independent"},
      {"cooccurrence", sources.cooccurrence},
      {"inference",
       {{"run", sources.run},
        {"scenes_from", scenes.source},
        {"scenes", report.scenes},
        {"largest_scene", scenes.largest()},
        {"items", report.items},
        {"alone", report.alone},
        {"exact", report.exact},
        {"searched", report.searched},
        {"converged", report.converged},
        {"not_converged", report.not_converged},
        {"largest_left_out", report.largest_left_out},
        {"largest_residual", report.largest_residual},
        {"damping", options.damping},
        {"changed_labels", report.changed_labels}}}};
  run.meta.method = "context";
  run.meta.method_options = jsonText(recorded, -1);
}

}  // namespace

Expected<ContextRun> withContext(const Run& run, const Scenes& scenes, const PairScores& scores,
                                 const ContextOptions& options, const ContextSources& sources,
                                 RunContext& context) {
  if (Status usable = requireProbabilities(run, sources.run); !usable) {
    return failWith(usable);
  }
  const auto factors = PairFactors::create(scores, options.weight);
  if (!factors) {
    return failWith(factors);
  }
  if (Status fits = checkSceneSizes(scenes, run.classCount(), context); !fits) {
    return failWith(fits);
  }
  SceneStates states(scenes.members.size());
  if (options.weight == 0.0 || scenes.inCompany() == 0) {
    ContextRun unchanged{run, states.report(run, scenes)};
    recordContext(run, scenes, options, scores, sources, unchanged.report, unchanged.run);
    return unchanged;
  }
  ContextRun result{copyToChange(run, context), {}};
  const LogProbsAlone alone(run);
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const std::int64_t scene = scenes.of_row[static_cast<std::size_t>(row)];
    if (scene >= 0 && scenes.members[static_cast<std::size_t>(scene)].size() > 1) {
      rows.push_back(row);
    }
  }
  if (alone.areOfDraws()) {
    if (Status added = addMeasuresOfDraws(run, result.run, context); !added) {
      return failWith(added);
    }
  }
  const std::int64_t classes = run.classCount();
  const auto take = [&](std::int64_t scene, std::int64_t draw, const SceneMarginals& marginals) {
    states.add(scene, marginals);
    const auto& members = scenes.members[static_cast<std::size_t>(scene)];
    for (std::int64_t i = 0; i < std::ssize(members); ++i) {
      const std::int64_t row = members[static_cast<std::size_t>(i)];
      const std::span<const double> log_probs = marginals.log_probs.row(i);
      if (alone.areOfDraws()) {
        std::ranges::transform(log_probs,
                               result.run.samples->mutableRow(draw).begin() + row * classes,
                               [](double log) { return static_cast<float>(std::exp(log)); });
      } else {
        putMarginals(log_probs, row, result.run);
      }
    }
  };
  if (Status solved =
          solveScenes(alone, scenes, *factors, options, "adding context", context, take);
      !solved) {
    return failWith(solved);
  }
  if (alone.areOfDraws()) {
    if (Status summarised = summariseRows(rows, result.run, context); !summarised) {
      return failWith(summarised);
    }
  }
  result.report = states.report(run, scenes);
  for (const std::int64_t row : rows) {
    result.report.changed_labels +=
        result.run.predictions.data()[row] != run.predictions.data()[row] ? 1 : 0;
  }
  addContextNotes(run, result.report, result.run.meta.notes);
  recordContext(run, scenes, options, scores, sources, result.report, result.run);
  return result;
}

}  // namespace dubito
