// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/labels/label_records.h"

namespace dubito {

/// How many labels repeat what the network suggested. Such a label makes the network right, whether
/// or not anybody has looked.
struct SuggestedLabels {
  std::int64_t labels = 0;        ///< of persons, with a class or "none", and a known suggestion
  std::int64_t as_suggested = 0;  ///< of these, the suggested class
  /// Of these, accepted with the suggestion in view, and with other images in one step or in less
  /// than a second.
  std::int64_t hardly_seen = 0;
};

/// The present labels of the items in `row_of`. The suggestion is the likeliest class of the
/// probabilities that were shown, after merges.
[[nodiscard]] SuggestedLabels suggestedLabels(
    const LabelRecords& records, const std::unordered_map<std::int64_t, std::int64_t>& row_of);

}  // namespace dubito
