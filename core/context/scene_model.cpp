// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_model.h"

#include <cmath>

#include "core/measures/measures.h"

namespace dubito {

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
  if (labellings <= kMostLabellings) {
    return {.log_probs = enumerateScene(model).log_probs};
  }
  ScenePropagation beliefs = propagateBeliefs(model, options);
  const SceneSolution solution = beliefs.is_tree     ? SceneSolution::kTree
                                 : beliefs.converged ? SceneSolution::kConverged
                                                     : SceneSolution::kNotConverged;
  return {.log_probs = std::move(beliefs.log_probs),
          .solution = solution,
          .residual = beliefs.is_tree ? 0.0 : beliefs.residual};
}

}  // namespace dubito
