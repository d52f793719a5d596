// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/scores.h"

#include <algorithm>
#include <cstdint>

namespace dubito {
namespace {

constexpr float kPerCent = 100.0F;

}  // namespace

std::optional<float> possibleScore(double value) {
  const bool possible = value >= 0.0 && value <= static_cast<double>(kPerCent);  // not NaN
  return possible ? std::optional(static_cast<float>(value)) : std::nullopt;
}

void settleScores(LabelTable& table, std::vector<LabelNote>& notes) {
  const auto scored = std::ranges::count_if(
      table.rows, [](const LabelRow& row) { return row.probability.has_value(); });
  const auto above =
      std::ranges::count_if(table.rows, [](const LabelRow& row) { return row.probability > 1.0F; });
  if (above == 0) {
    return;
  }
  const bool per_cent = 2 * above > scored;
  for (LabelRow& row : table.rows) {
    if (row.probability && per_cent) {
      row.probability = *row.probability / kPerCent;
    } else if (row.probability > 1.0F) {
      row.probability.reset();
    }
  }
  addNote(notes, per_cent ? "scores in per cent, divided by 100" : "scores above 1, left out",
          static_cast<std::int64_t>(per_cent ? scored : above));
}

}  // namespace dubito
