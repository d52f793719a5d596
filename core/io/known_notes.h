// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Texts by which notes about one part of a run are known, to go when that part goes.

/// Begins the note on which items have a gauge.
inline constexpr std::string_view kGaugeNote = "The honesty gauge holds ";
/// Of the link: its probabilities are the network's own softmax.
inline constexpr std::string_view kUnusedVarianceNote =
    " does not use the variance of the logits: ";
/// Of the link: it was applied without the covariances.
inline constexpr std::string_view kVariancesAloneNote =
    " was applied to the variances of the logits alone: ";

inline void eraseNotes(std::vector<std::string>& notes, std::string_view text) {
  std::erase_if(notes,
                [text](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace dubito
