// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/learning_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "app/studies/active_learning/round.h"

namespace dubito::study {
namespace {

std::int64_t pointCount(const ActiveLearningOptions& options, std::int64_t labels) {
  return (labels - options.initial) / options.per_round + 1;
}

Status notOfThisData(const Curve& curve) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}-{}.json: does not fit the data; delete it to compute it again",
                          curve.by, curve.seed));
}

/// The labelled ids before the next training, if the curve fits the pool.
Expected<std::vector<std::int64_t>> labelledSoFar(const Curve& curve, const Dataset& pool,
                                                  const ActiveLearningOptions& options) {
  const std::unordered_set<std::int64_t> in_pool(pool.ids().begin(), pool.ids().end());
  std::unordered_set<std::int64_t> seen;
  std::vector<std::int64_t> ids;
  bool fits = true;
  const auto add = [&](const std::vector<std::int64_t>& added) {
    for (const std::int64_t id : added) {
      fits = fits && in_pool.contains(id) && seen.insert(id).second;
      ids.push_back(id);
    }
  };
  add(curve.initial);
  for (const CurvePoint& point : curve.points) {
    fits = fits && point.labels == static_cast<std::int64_t>(ids.size()) &&
           static_cast<std::int64_t>(point.acquired.size()) == options.per_round;
    add(point.acquired);
  }
  if (!fits) {
    return failWith(notOfThisData(curve));
  }
  return ids;
}

}  // namespace

std::int64_t lastLabels(const ActiveLearningOptions& options, std::int64_t labels) {
  return options.initial + (pointCount(options, labels) - 1) * options.per_round;
}

std::int64_t missingPoints(const Curve& curve, const ActiveLearningOptions& options,
                           std::int64_t labels) {
  return std::max<std::int64_t>(
      0, pointCount(options, labels) - static_cast<std::int64_t>(curve.points.size()));
}

Status extendCurve(const ExperimentData& data, const ActiveLearningOptions& options,
                   std::int64_t labels, Curve& curve, const CurveEvents& events,
                   RunContext& context) {
  if (missingPoints(curve, options, labels) == 0) {
    return {};
  }
  const DatasetPtr pool = poolOf(data, options, curve.seed);
  const auto initial = initialIds(data, *pool, options.initial, curve.seed);
  if (!initial) {
    return failWith(initial);
  }
  if (!curve.points.empty() && curve.initial != *initial) {
    return notOfThisData(curve);
  }
  curve.initial = *initial;
  if (!curve.points.empty() && curve.points.back().acquired.empty()) {
    curve.points.pop_back();  // the end of a shorter curve, which chose no further items
  }
  auto ids = labelledSoFar(curve, *pool, options);
  if (!ids) {
    return failWith(ids);
  }
  const std::int64_t last = lastLabels(options, labels);
  while (missingPoints(curve, options, labels) > 0) {
    const auto count = static_cast<std::int64_t>(ids->size());
    context.seed = roundSeed(curve.seed, count);
    const DatasetPtr labelled = itemsOf(pool, *ids);
    const auto model = trainOn(*labelled, options, events.scratch_path, context);
    if (!model) {
      return failWith(model);
    }
    const auto accuracy = accuracyOn(*data.test, **model, options, context);
    if (!accuracy) {
      return failWith(accuracy);
    }
    CurvePoint point{count, *accuracy, {}};
    if (count < last) {
      const DatasetPtr unlabelled = itemsOf(pool, *ids, /*inverted=*/true);
      const auto run = runForQueue(*unlabelled, **model, curve.by, options, context);
      if (!run) {
        return failWith(run);
      }
      auto acquired = acquire(*run, curve.by, options.per_round, context);
      if (!acquired) {
        return failWith(acquired);
      }
      point.acquired = *std::move(acquired);
    }
    ids->insert(ids->end(), point.acquired.begin(), point.acquired.end());
    curve.points.push_back(std::move(point));
    if (Status taken = events.on_point(curve); !taken) {
      return taken;
    }
  }
  return {};
}

}  // namespace dubito::study
