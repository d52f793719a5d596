// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/context/context_run.h"
#include "core/context/scene_model.h"
#include "core/context/scenes.h"
#include "core/io/run.h"

namespace dubito {

/// How each scene was solved: the worst over its draws. Threads may add to different scenes.
class SceneStates {
 public:
  explicit SceneStates(std::size_t scenes) : states_(scenes) {}

  void add(std::int64_t scene, const SceneMarginals& marginals);
  /// Counts scenes, items and solutions; without changed labels.
  [[nodiscard]] ContextReport report(const Run& run, const Scenes& scenes) const;

 private:
  struct State {
    SceneSolution solution = SceneSolution::kEnumerated;
    double residual = 0.0;
    double left_out = 0.0;
  };
  std::vector<State> states_;
};

}  // namespace dubito
