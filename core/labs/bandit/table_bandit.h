// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/bandit/bandit_problem.h"

namespace dubito {

/// Rows of a table with labels.
struct LabelledTable {
  Array<double> features;                  ///< [N, D], finite
  std::vector<std::int64_t> labels;        ///< [N] class of each row
  std::vector<std::string> feature_names;  ///< [D]
  std::vector<std::string> class_names;    ///< [K]
  std::vector<std::string> notes;          ///< what was left out, in plain sentences
};

/// Classification as a bandit: an arm per class, reward 1 for the class of the row and 0 for any
/// other. Each round draws a row at random, with replacement.
class TableBandit : public BanditProblem {
 public:
  /// Standardises the features of `table`, which has at least one row; those that are the same in
  /// all rows become 0.
  explicit TableBandit(LabelledTable table);

  [[nodiscard]] std::int64_t armCount() const override;
  [[nodiscard]] std::int64_t contextSize() const override { return table_.features.extent(1); }
  void play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const override;
  [[nodiscard]] std::optional<double> expectedUniformRegret() const override;
  [[nodiscard]] std::vector<std::string> armNames() const override { return table_.class_names; }
  [[nodiscard]] std::vector<std::string> planeNames() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return table_.notes; }
  [[nodiscard]] std::int64_t rowCount() const { return table_.features.extent(0); }

 private:
  LabelledTable table_;
};

inline constexpr std::int64_t kMaxBanditRows = 20'000;
inline constexpr std::int64_t kMaxBanditArms = 20;
inline constexpr std::int64_t kMaxBanditFeatures = 200;

/// Reads "csv:FILE" or "csv:FILE?label=COLUMN": all columns of numbers are the context, and the
/// column `label` (without it, the last one) has the class, a number or a word. Rows with a missing
/// number are left out and counted; of more than kMaxBanditRows rows, an even selection is used.
/// kNotFound for a missing file or column, kMalformed if the table has no columns of numbers or
/// fewer than two classes, kUnsupported for more than kMaxBanditArms classes or kMaxBanditFeatures
/// columns.
[[nodiscard]] Expected<LabelledTable> readLabelledTable(const std::string& specification,
                                                        RunContext& context);

}  // namespace dubito
