// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_model.h"

#include <cmath>
#include <utility>

namespace dubito {
namespace {

/// Belief propagation is rough where factors of pairs differ by more (in nats), or where it needs
/// more steps: both say that the objects influence each other strongly.
constexpr double kStrongContext = 5.0;
constexpr std::int64_t kFewIterations = 10;
/// Steps of a search where propagation is not known to be rough, about as long as that took.
constexpr double kShortSearch = 3e6;

bool isStrong(const PairFactors& factors) {
  return factors.logRange() > kStrongContext;
}

SceneMarginals searched(SceneSearch found) {
  return {.log_probs = std::move(found.log_probs),
          .solution = SceneSolution::kSearched,
          .left_out = found.left_out};
}

}  // namespace

ScenePairs everyPair(std::int64_t objects) {
  ScenePairs pairs;
  for (std::int64_t i = 0; i < objects; ++i) {
    for (std::int64_t j = i + 1; j < objects; ++j) {
      pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

ScenePairs neighbourPairs(std::int64_t objects) {
  ScenePairs pairs;
  for (std::int64_t i = 0; i + 1 < objects; ++i) {
    pairs.emplace_back(i, i + 1);
  }
  return pairs;
}

SceneMarginals sceneMarginals(const SceneModel& model, const ContextOptions& options) {
  const std::int64_t objects = model.log_probs.extent(0);
  const double labellings =
      std::pow(static_cast<double>(model.log_probs.extent(1)), static_cast<double>(objects));
  if (labellings <= kMaxLabellings) {
    return {.log_probs = enumerateScene(model).log_probs};
  }
  // Propagation would be wasted where its result is not used if a search succeeds.
  const bool search_first = objects > 2 && isStrong(model.factors);
  if (search_first) {
    if (auto found = searchScene(model, {})) {
      return searched(*std::move(found));
    }
  }
  ScenePropagation beliefs = propagateBeliefs(model, options);
  if (beliefs.is_tree) {
    return {.log_probs = std::move(beliefs.log_probs), .solution = SceneSolution::kTree};
  }
  if (!search_first && !isLikelyAccurate(beliefs, model.factors)) {
    if (auto found = searchScene(model, {.steps = kShortSearch})) {
      return searched(*std::move(found));
    }
  }
  return {.log_probs = std::move(beliefs.log_probs),
          .solution = beliefs.converged ? SceneSolution::kConverged : SceneSolution::kNotConverged,
          .residual = beliefs.residual};
}

bool isLikelyAccurate(const ScenePropagation& beliefs, const PairFactors& factors) {
  return beliefs.is_tree ||
         (beliefs.converged && beliefs.iterations <= kFewIterations && !isStrong(factors));
}

}  // namespace dubito
