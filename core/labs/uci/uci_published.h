// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace dubito {

/// A mean over the splits with its standard error.
struct MeanWithError {
  double mean = 0.0;
  double standard_error = 0.0;  ///< NaN for a single split
};

/// What was published for one set.
struct UciPublishedValue {
  const char* set = nullptr;  ///< key of uciSets()
  MeanWithError rmse;
  MeanWithError log_likelihood;
};

/// A column of published results on the same splits.
struct UciPublishedColumn {
  const char* key = nullptr;     ///< "dropout-2016"
  const char* name = nullptr;    ///< "Dropout (2016)"
  const char* source = nullptr;  ///< where the numbers are printed
  int decimals = 2;              ///< printed
  std::vector<UciPublishedValue> values;

  /// Half a unit of the last decimal.
  [[nodiscard]] double rounding() const;
  /// Null if the set is not in this column.
  [[nodiscard]] const UciPublishedValue* of(std::string_view set) const;
};

/// All columns, oldest first. The one place for published numbers.
[[nodiscard]] const std::vector<UciPublishedColumn>& uciPublished();
/// The column `key`; null if there is none.
[[nodiscard]] const UciPublishedColumn* findUciPublished(std::string_view key);

}  // namespace dubito
