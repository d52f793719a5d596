// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Texts that identify notes about one part of a run, to remove them together with that part.

/// Start of the note about the items that have an honesty gauge.
inline constexpr std::string_view kGaugeNote = "The honesty gauge holds ";
/// About a link: its probabilities are the network's own softmax.
inline constexpr std::string_view kUnusedVarianceNote =
    " does not use the variance of the logits: ";
/// About a link: it was applied without the covariances.
inline constexpr std::string_view kVariancesAloneNote =
    " was applied to the variances of the logits alone: ";

inline void eraseNotes(std::vector<std::string>& notes, std::string_view text) {
  std::erase_if(notes,
                [text](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace dubito
