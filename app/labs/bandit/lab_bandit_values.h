// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "app/labs/bandit/lab_bandit.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"
#include "widgets/pull_plot.h"
#include "widgets/world_plot.h"

namespace dubito {

/// A problem of the laboratory, for lists.
struct BanditProblemInfo {
  const char* key = nullptr;  ///< BanditLabOptions::problem
  const char* name = nullptr;
  const char* explanation = nullptr;  ///< one or two sentences for a student
};
[[nodiscard]] const std::vector<BanditProblemInfo>& banditProblems();
/// What a table is as a problem.
[[nodiscard]] QString tableExplanation();

/// Cumulative regret, or in the world reward per step, of every agent.
[[nodiscard]] CurvePlotValue banditCurves(const BanditPicture& picture);
/// "5 games · round 1 200 of 2 000 · band: mean ± 2 standard errors"
[[nodiscard]] QString banditCaption(const BanditPicture& picture);

/// The first game of an agent: its latest pulls in the plane. `delta`: of the wheel.
[[nodiscard]] PullPlotValue pullsOf(const BanditAgentPicture& agent, const BanditPicture& picture,
                                    std::optional<double> delta);
[[nodiscard]] QString pullsCaption(const BanditAgentPicture& agent);
[[nodiscard]] WorldPlotValue worldOf(const WorldPicture& world);
[[nodiscard]] QString worldCaption(const WorldPicture& world);

/// One line per agent: regret in percent of that of random arms, or reward per step.
[[nodiscard]] std::vector<KeyValue> banditNumbers(const BanditPicture& picture);
[[nodiscard]] QString banditNumbersTitle(const BanditPicture& picture);

/// What the curves show, in a sentence, or why there are none.
[[nodiscard]] QString banditNotes(const BanditRunner& runner);

}  // namespace dubito
