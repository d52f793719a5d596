// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/uci/uci_sets.h"

namespace dubito {

/// A set as it is in its files.
struct UciData {
  const UciSetInfo* set = nullptr;
  std::vector<double> inputs;   ///< [N, Q] row-major
  std::vector<double> targets;  ///< [N]
  /// Row numbers of the test items of each split; all others are for training.
  std::vector<std::vector<std::int64_t>> test_rows;
};

/// Reads FILE.txt.gz (columns separated by spaces or tabs) and FILE.test-splits.txt.gz (one split
/// per line) of `set` in `folder`. kNotFound for a missing file; kMalformed, naming the line, for
/// anything that is not a number, rows of different lengths or with too few columns, another number
/// of rows than published, and splits with rows that do not exist or occur twice.
[[nodiscard]] Expected<UciData> readUciData(const UciSetInfo& set, const std::string& folder);

/// Rows for training and rows to test on.
struct UciRows {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> test;
};

/// Published split `split`, training rows in the order of the file.
[[nodiscard]] UciRows uciSplit(const UciData& data, std::int64_t split);
/// Divides the training rows of a split again: a random fifth is for validation, as in the code of
/// Gal and Ghahramani (2016). Depends on (seed, split) alone.
[[nodiscard]] UciRows uciValidationSplit(std::span<const std::int64_t> train, std::uint64_t seed,
                                         std::int64_t split);

/// One thing to learn: everything standardised by the training rows, constant inputs divided by 1.
struct UciProblem {
  RegressionProblem train;     ///< noise_std is set by the method
  std::vector<double> test_x;  ///< [M, Q]
  std::vector<double> test_y;  ///< [M], in the unit of the target
  double target_mean = 0.0;    ///< of the training rows
  double target_std = 1.0;
};

/// kInvalidArgument if the targets of the training rows are all equal.
[[nodiscard]] Expected<UciProblem> uciProblem(const UciData& data, const UciRows& rows);

}  // namespace dubito
