// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tune/tune_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/decisions/tempered_run.h"
#include "core/methods/method_data.h"
#include "core/runs/run_rows.h"

namespace dubito {
namespace {

constexpr std::int64_t kMinItems = 1000;
constexpr int kLandscapePoints = 41;

using RunPtr = std::shared_ptr<const Run>;

/// All runs but the first, with the names of their parts.
std::vector<NamedRun> oodOf(const Analysis& analysis, const std::vector<RunPtr>& runs) {
  std::vector<NamedRun> ood;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    ood.push_back({analysis.parts[i].name, runs[i].get()});
  }
  return ood;
}

/// At most `max_items` items of all parts together, in proportion to their sizes.
Expected<std::shared_ptr<const TuneItems>> chosenItems(const Analysis& analysis,
                                                       const EvaluationOptions& evaluation,
                                                       std::int64_t max_items,
                                                       RunContext& context) {
  auto items = std::make_shared<TuneItems>();
  const std::int64_t all = analysis.itemCount();
  for (const AnalysisPart& part : analysis.parts) {
    const std::int64_t count = part.run->itemCount();
    const auto wanted =
        static_cast<std::int64_t>(static_cast<double>(count) * static_cast<double>(max_items) /
                                  static_cast<double>(std::max<std::int64_t>(1, all)));
    if (all <= max_items) {
      items->runs.push_back(part.run);
    } else {
      const auto rows = keyedRows(part.run->ids.values(), std::max<std::int64_t>(1, wanted));
      items->runs.push_back(std::make_shared<const Run>(rowsOfRun(*part.run, rows, context)));
    }
    items->count += items->runs.back()->itemCount();
    if (context.cancelRequested()) {
      return cancelled();
    }
  }
  if (all <= max_items && analysis.evaluation.ece_bins == evaluation.bins) {
    items->before = analysis.evaluation;
  } else {
    auto before = evaluate(*items->runs.front(), oodOf(analysis, items->runs), evaluation, context);
    if (!before) {
      return failWith(before);
    }
    items->before = *std::move(before);
  }
  items->labelled = items->before.n;
  return std::shared_ptr<const TuneItems>(std::move(items));
}

/// The method of an analysis with the prior and link of a tuning.
LaplaceOptions tunedMethod(const Analysis& analysis, const RunTuning& tuning) {
  LaplaceOptions method = withPrior(std::get<LaplaceOptions>(*analysis.method), *tuning.tau);
  method.link = tuning.link.value_or(method.link);
  return method;
}

/// Positions in the dataset of `part` of the items of `chosen`, a selection of its rows.
Expected<std::vector<std::int64_t>> positionsOf(const AnalysisPart& part, const Run& chosen) {
  std::vector<std::int64_t> positions;
  std::int64_t row = 0;
  for (const std::int64_t id : chosen.ids.values()) {
    while (part.run->ids.data()[row] != id) {
      ++row;  // chosen rows ascend
    }
    positions.push_back(part.dataset_index[static_cast<std::size_t>(row)]);
    if (positions.back() < 0) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: the run has an item that is not in the dataset; compute it again",
                      part.name));
    }
  }
  return positions;
}

Expected<TuneStagePtr> stageOfNetwork(const TuneNetworkPtr& network, const RunTuning& tuning,
                                      const TuneStagePtr& before, RunContext& context) {
  if (before && before->items == network->items && before->tau == tuning.tau &&
      before->link == tuning.link) {
    return before;
  }
  auto stage = std::make_shared<TuneStage>();
  stage->items = network->items;
  stage->link = tuning.link;
  stage->tau = tuning.tau;
  for (std::size_t i = 0; i < network->tuners.size(); ++i) {
    auto run =
        network->tuners[i]->runAt(*network->items->runs[i], *tuning.tau, *tuning.link, context);
    if (!run) {
      return failWith(run);
    }
    stage->runs.push_back(std::make_shared<const Run>(*std::move(run)));
  }
  return TuneStagePtr(std::move(stage));
}

Expected<TuneStagePtr> stageOf(std::shared_ptr<const TuneItems> items, const RunTuning& tuning,
                               const TuneStagePtr& before, const RunContext& context) {
  if (before && before->items == items && before->draws == tuning.draws &&
      before->link == tuning.link && !before->tau) {
    return before;
  }
  auto stage = std::make_shared<TuneStage>();
  stage->draws = tuning.draws;
  stage->link = tuning.link;
  for (const RunPtr& run : items->runs) {
    if (changesNothing(tuningBeforeTemperature(tuning), *run)) {
      stage->runs.push_back(run);
      continue;
    }
    auto tuned = tunedRun(*run, tuningBeforeTemperature(tuning), context);
    if (!tuned) {
      return failWith(tuned);
    }
    stage->runs.push_back(std::make_shared<const Run>(*std::move(tuned)));
  }
  stage->items = std::move(items);
  return TuneStagePtr(std::move(stage));
}

/// Numbers of items that are evaluated with a dragged and with a resting slider.
struct ItemCounts {
  std::int64_t moving;
  std::int64_t resting;
};

ItemCounts itemCounts(const Run& in, const TuneLimits& limits) {
  const std::int64_t classes = std::max<std::int64_t>(1, in.classCount());
  const std::int64_t draws = std::max<std::int64_t>(1, in.drawCount());
  const std::int64_t moving =
      std::max(std::min({limits.items_moving, limits.values_moving / classes,
                         limits.draws_moving / (classes * draws)}),
               std::min(kMinItems, limits.items_moving));
  return {moving, std::max(moving, limits.values_resting / classes)};
}

TuneBasisPtr basisOf(const AnalysisPtr& analysis, const EvaluationOptions& evaluation,
                     std::shared_ptr<const TuneItems> resting, std::int64_t moving) {
  auto basis = std::make_shared<TuneBasis>();
  basis->analysis = analysis;
  basis->evaluation = evaluation;
  basis->resting = std::move(resting);
  basis->moving = std::make_shared<const TuneSample>(moving);
  return basis;
}

/// Whether `items` are all items of `analysis`, and its evaluation is theirs.
bool areEvaluatedIn(const Analysis& analysis, const EvaluationOptions& evaluation,
                    std::int64_t items) {
  return analysis.options == evaluation && items >= analysis.itemCount();
}

}  // namespace

Expected<std::shared_ptr<const TuneItems>> TuneSample::items(const TuneBasis& basis,
                                                             RunContext& context) const {
  if (!basis.samplesWhileMoving()) {
    return basis.resting;
  }
  const std::lock_guard lock(mutex_);
  if (!items_) {
    auto chosen = chosenItems(*basis.analysis, basis.evaluation, max_items_, context);
    if (!chosen) {
      return failWith(chosen);
    }
    items_ = *std::move(chosen);
  }
  return items_;
}

TuneBasisPtr evaluatedBasis(const AnalysisPtr& analysis, const EvaluationOptions& evaluation,
                            const TuneLimits& limits) {
  const ItemCounts counts = itemCounts(*analysis->in().run, limits);
  if (!areEvaluatedIn(*analysis, evaluation, counts.resting)) {
    return nullptr;
  }
  auto items = std::make_shared<TuneItems>();
  for (const AnalysisPart& part : analysis->parts) {
    items->runs.push_back(part.run);
  }
  items->count = analysis->itemCount();
  items->before = analysis->evaluation;
  items->labelled = items->before.n;
  return basisOf(analysis, evaluation, std::move(items), counts.moving);
}

TunableParts tunableParts(const Analysis& analysis) {
  const Run& in = *analysis.in().run;
  const auto all = [&](const auto& holds) {
    return std::ranges::all_of(analysis.parts,
                               [&](const AnalysisPart& part) { return holds(*part.run); });
  };
  TunableParts parts;
  parts.temperature =
      in.itemCount() > 0 && all([](const Run& run) { return run.probs.has_value(); });
  if (all([&](const Run& run) { return run.drawCount() == in.drawCount(); })) {
    parts.draws = in.drawCount();
  }
  if (all([&](const Run& run) { return linkOf(run) == linkOf(in); })) {
    parts.link = linkOf(in);
  }
  const auto* const method =
      analysis.method ? std::get_if<LaplaceOptions>(&*analysis.method) : nullptr;
  if (!parts.link.empty() && method != nullptr && method->fitted && !method->drawsWeights() &&
      analysis.model && std::ranges::all_of(analysis.parts, [](const AnalysisPart& part) {
        return part.dataset != nullptr;
      })) {
    parts.tau = method->fitted->scale.tau;
  }
  return parts;
}

RunTuning beforeTemperature(const RunTuning& tuning) {
  return {.draws = tuning.draws, .link = tuning.link, .tau = tuning.tau};
}

Expected<TuneBasisPtr> prepareTuning(const AnalysisPtr& analysis,
                                     const EvaluationOptions& evaluation, const TuneLimits& limits,
                                     RunContext& context) {
  const ItemCounts counts = itemCounts(*analysis->in().run, limits);
  auto resting = chosenItems(*analysis, evaluation, counts.resting, context);
  if (!resting) {
    return failWith(resting);
  }
  return basisOf(analysis, evaluation, *std::move(resting), counts.moving);
}

Expected<TuneNetworkPtr> passThroughNetwork(const TuneBasisPtr& basis, const TuneLimits& limits,
                                            const PredictOptions& options, RunContext& context) {
  const Analysis& analysis = *basis->analysis;
  auto network = std::make_shared<TuneNetwork>();
  network->items = basis->resting;
  if (basis->resting->count > limits.items_network ||
      basis->resting->count < analysis.itemCount()) {
    auto some = chosenItems(analysis, basis->evaluation, limits.items_network, context);
    if (!some) {
      return failWith(some);
    }
    network->items = *std::move(some);
  }
  for (std::size_t i = 0; i < analysis.parts.size(); ++i) {
    const AnalysisPart& part = analysis.parts[i];
    const auto positions = positionsOf(part, *network->items->runs[i]);
    if (!positions) {
      return failWith(positions);
    }
    auto tuner = PriorExplorer::of(analysis.model, *part.dataset, *positions,
                                   std::get<LaplaceOptions>(*analysis.method), options, context);
    if (!tuner) {
      return failWith(tuner);
    }
    network->tuners.push_back(*std::move(tuner));
  }
  return TuneNetworkPtr(std::move(network));
}

Expected<TuneResultPtr> computeTuned(const TuneBasisPtr& basis, const RunTuning& tuning,
                                     bool moving, const TuneStagePtr& before,
                                     const TuneNetworkPtr& network, RunContext& context) {
  auto result = std::make_shared<TuneResult>();
  result->tuning = tuning;
  result->basis = basis;
  result->moving = moving && basis->samplesWhileMoving() && !tuning.tau;
  if (tuning.tau) {
    auto stage = stageOfNetwork(network, tuning, before, context);
    if (!stage) {
      return failWith(stage);
    }
    result->stage = *std::move(stage);
  } else {
    auto items = moving ? basis->moving->items(*basis, context) : basis->resting;
    if (!items) {
      return failWith(items);
    }
    auto stage = stageOf(*std::move(items), tuning, before, context);
    if (!stage) {
      return failWith(stage);
    }
    result->stage = *std::move(stage);
  }
  std::vector<RunPtr> runs;
  for (const RunPtr& run : result->stage->runs) {
    if (tuning.temperature == 1.0) {
      runs.push_back(run);
      continue;
    }
    auto tempered = temperedRun(*run, tuning.temperature, context);
    if (!tempered) {
      return failWith(tempered);
    }
    runs.push_back(std::make_shared<const Run>(*std::move(tempered)));
  }
  const std::vector<NamedRun> ood = oodOf(*basis->analysis, runs);
  auto now = evaluate(*runs.front(), ood, basis->evaluation, context);
  if (!now) {
    return failWith(now);
  }
  auto overview = makeOverview(*runs.front(), ood, basis->evaluation, context);
  if (!overview) {
    return failWith(overview);
  }
  result->now = *std::move(now);
  result->overview = *std::move(overview);
  return TuneResultPtr(std::move(result));
}

TuneResultPtr untunedResult(const TuneBasisPtr& basis, const RunTuning& tuning) {
  const Analysis& analysis = *basis->analysis;
  const bool unchanged =
      !tuning.tau && std::ranges::all_of(analysis.parts, [&](const AnalysisPart& part) {
        return changesNothing(tuning, *part.run);
      });
  if (!unchanged || !areEvaluatedIn(analysis, basis->evaluation, basis->resting->count)) {
    return nullptr;
  }
  auto stage = std::make_shared<TuneStage>();
  stage->items = basis->resting;
  stage->draws = tuning.draws;
  stage->link = tuning.link;
  stage->runs = basis->resting->runs;
  auto result = std::make_shared<TuneResult>();
  result->tuning = tuning;
  result->basis = basis;
  result->stage = std::move(stage);
  result->now = analysis.evaluation;
  result->overview = analysis.overview;
  return result;
}

Expected<TuneLandscape> tuneLandscape(const TuneBasisPtr& basis, const RunTuning& tuning,
                                      const TuneStagePtr& stage, RunContext& context) {
  Expected<Run> run = cancelled();
  if (stage) {
    run = *stage->runs.front();
  } else {
    const auto sample = basis->moving->items(*basis, context);
    if (!sample) {
      return failWith(sample);
    }
    if ((*sample)->labelled == 0) {
      TuneLandscape none;
      none.fit.limit = TemperatureLimit::kUndetermined;
      return none;
    }
    run = tunedRun(*(*sample)->runs.front(), tuningBeforeTemperature(tuning), context);
  }
  if (!run) {
    return failWith(run);
  }
  const auto table = temperedLogits(*run, basis->analysis->in().name);
  if (!table) {
    return failWith(table);
  }
  auto curves = temperatureLandscape(*table, kMinTunedTemperature, kMaxTunedTemperature,
                                     kLandscapePoints, context);
  if (!curves) {
    return failWith(curves);
  }
  const auto fit = fitTemperature(*table, context);
  if (!fit) {
    return failWith(fit);
  }
  return TuneLandscape{*std::move(curves), *fit};
}

Expected<PriorLandscape> tuneTauLandscape(const TuneNetworkPtr& network, const std::string& link,
                                          RunContext& context) {
  return network->tuners.front()->landscape(*network->items->runs.front(), link, context);
}

Expected<CalibratedTemperature> fitTuned(const AnalysisPtr& analysis, const DatasetPtr& calibration,
                                         const RunTuning& tuning, const PredictOptions& options,
                                         RunContext& context) {
  MethodData data;
  for (const AnalysisPart& part : analysis->parts) {
    if (part.dataset) {
      data.evaluated.push_back(part.dataset);
    }
  }
  const auto fair =
      checkSplit(*analysis->model, "calibration", *calibration, data, options, context);
  if (!fair) {
    return failWith(fair);
  }
  context.seed = analysis->in().run->meta.seed;
  const MethodOptions method =
      tuning.tau ? MethodOptions(tunedMethod(*analysis, tuning)) : *analysis->method;
  const auto run = predict(*analysis->model, *calibration, method, options, context);
  if (!run) {
    return failWith(run);
  }
  return fitTunedTemperature(*run, calibration->info().name, tuning, context);
}

namespace {

/// Predicts a part again by `method`, with the seed of its run.
Expected<Run> predictAgain(const Analysis& analysis, const AnalysisPart& part,
                           const LaplaceOptions& method, const PredictOptions& options,
                           RunContext& context) {
  context.seed = part.run->meta.seed;
  auto run = predict(*analysis.model, *part.dataset, MethodOptions(method), options, context);
  if (run) {
    run->meta.dataset_name = part.name;
  }
  return run;
}

}  // namespace

Expected<AnalysisPtr> tunedAnalysis(const AnalysisPtr& analysis, const RunTuning& tuning,
                                    const PredictOptions& options,
                                    const EvaluationOptions& evaluation, RunContext& context) {
  // With a method, the temperature of a network or another prior can be applied to other items too.
  std::optional<MethodOptions> method;
  RunTuning afterwards = tuning;
  if (tuning.tau) {
    afterwards.tau.reset();
    afterwards.link.reset();
    if (tuning.temperature == 1.0) {
      method = tunedMethod(*analysis, tuning);
    }
  } else if (analysis->method && std::holds_alternative<MapOptions>(*analysis->method)) {
    method = TemperatureOptions{.temperature = tuning.temperature};
  }
  std::vector<AnalysisPart> parts;
  for (const AnalysisPart& part : analysis->parts) {
    if (context.step("Tuning", static_cast<std::int64_t>(parts.size()),
                     static_cast<std::int64_t>(analysis->parts.size())) == Step::kCancel) {
      return cancelled();
    }
    Expected<Run> run = *part.run;
    if (tuning.tau) {
      run = predictAgain(*analysis, part, tunedMethod(*analysis, tuning), options, context);
    }
    if (run) {
      run = tunedRun(*run, afterwards, context);
    }
    if (!run) {
      return failWith(run);
    }
    parts.push_back(
        makePart(part.name, std::make_shared<const Run>(*std::move(run)), part.dataset, context));
  }
  context.step("Evaluating", 0, 0);
  return analyse(std::move(parts), analysis->model, std::move(method), evaluation, context);
}

}  // namespace dubito
