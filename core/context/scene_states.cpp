// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_states.h"

#include <algorithm>
#include <functional>

namespace dubito {
namespace {

std::int64_t& countOf(SceneSolution solution, ContextReport& report) {
  switch (solution) {
    case SceneSolution::kNotConverged:
      return report.not_converged;
    case SceneSolution::kConverged:
      return report.converged;
    case SceneSolution::kSearched:
      return report.searched;
    default:
      return report.exact;
  }
}

}  // namespace

void SceneStates::add(std::int64_t scene, const SceneMarginals& marginals) {
  State& state = states_[static_cast<std::size_t>(scene)];
  state.solution = std::max(state.solution, marginals.solution);
  state.residual = std::max(state.residual, marginals.residual);
  state.left_out = std::max(state.left_out, marginals.left_out);
}

ContextReport SceneStates::report(const Run& run, const Scenes& scenes) const {
  ContextReport report;
  for (std::size_t s = 0; s < scenes.members.size(); ++s) {
    if (scenes.members[s].size() < 2) {
      continue;
    }
    const State& state = states_[s];
    ++report.scenes;
    ++countOf(state.solution, report);
    if (state.solution == SceneSolution::kNotConverged) {
      report.unsettled.push_back({scenes.names[s], state.residual});
    }
    report.largest_residual = std::max(report.largest_residual, state.residual);
    report.largest_left_out = std::max(report.largest_left_out, state.left_out);
  }
  std::ranges::stable_sort(report.unsettled, std::greater<>(), &UnsettledScene::residual);
  report.items = scenes.inCompany();
  report.alone = run.itemCount() - report.items;
  return report;
}

}  // namespace dubito
