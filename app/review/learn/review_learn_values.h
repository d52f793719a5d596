// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <vector>

#include "core/review/learning_rounds.h"
#include "widgets/curve_plot.h"

namespace dubito {

// Texts of the page Review about learning, in the words of an annotator.

/// "1 label", "40 labels".
[[nodiscard]] QString labelsCount(std::int64_t count);
/// "78.0 % of 120 (69.5 to 85.1 %)".
[[nodiscard]] QString rightText(const RightCount& count);
/// The activity of the network at a stage of the computation.
[[nodiscard]] QString stageText(const std::string& stage);
/// One of the counts of each round, by number of labels.
[[nodiscard]] StyledCurve learningCurve(const QString& name,
                                        const std::vector<LearningRound>& rounds,
                                        RightCount LearningRound::*counted, int run, int dash);
[[nodiscard]] const QString& heldOutTip();
[[nodiscard]] const QString& givenTip();

/// The last round; there must be one.
[[nodiscard]] const LearningRound& newestRound(const std::vector<LearningRound>& rounds);
/// Whether the last round has made the network better or worse about labels held out, as a
/// sentence; empty if there is nothing to compare with.
[[nodiscard]] QString verdictText(const std::vector<LearningRound>& rounds);

}  // namespace dubito
