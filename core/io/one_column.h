// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/file_rows.h"

namespace dubito {

/// What a file's only number per item is the probability of.
enum class OneColumn { kClassOne, kClassZero, kPredicted };

struct OneColumnMeaning {
  OneColumn of = OneColumn::kClassOne;
  std::string note;
};

/// Determines the meaning from all items. `predicted` and `labels` are class numbers, -1 if
/// unknown; `predicted` is empty if the file has none. `classes` is the number of different classes
/// among both. kMalformed if they contradict every meaning, or if it remains open although it
/// changes the results.
[[nodiscard]] Expected<OneColumnMeaning> meaningOfColumn(std::span<const double> probs,
                                                         const std::vector<std::int64_t>& predicted,
                                                         const std::vector<std::int64_t>& labels,
                                                         std::int64_t classes,
                                                         const std::string& name,
                                                         const FileRows& file);

}  // namespace dubito
