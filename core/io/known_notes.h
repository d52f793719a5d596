// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Phrases that identify the notes about one part of a run, so that they can be removed together
// with that part.

/// Start of the note that states how many items have an honesty gauge.
inline constexpr std::string_view kGaugeNote = "The honesty gauge holds ";
/// Part of the note that a link ignores the variances, so that its probabilities are the network's
/// softmax.
inline constexpr std::string_view kUnusedVarianceNote =
    " does not use the variance of the logits: ";
/// Part of the note that a link was applied without the covariances.
inline constexpr std::string_view kVariancesAloneNote =
    " was applied to the variances of the logits alone: ";
/// Start of the note that labels and predictions do not fit.
inline constexpr std::string_view kLabelFitNote =
    "The labels or the preprocessing do not seem to fit: ";

/// Parts of the notes that say where the labels of a run of labels and their scores come from.
inline constexpr std::string_view kLabelSourceNote = ", not from a network";
inline constexpr std::string_view kLabelScoresNote = "Scores of the labels: ";

/// Removes the notes that contain `text`.
inline void eraseNotes(std::vector<std::string>& notes, std::string_view text) {
  std::erase_if(notes,
                [text](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace dubito
