// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/mean_with_error.h"

namespace dubito {

/// One of the nine regression sets on which Bayesian networks are compared since Hernandez-Lobato
/// and Adams (2015), with what the code of Gal and Ghahramani (2016) fixes for it.
struct UciSetInfo {
  const char* key = nullptr;   ///< "boston"
  const char* name = nullptr;  ///< "Boston housing"
  const char* file = nullptr;  ///< "bostonHousing": FILE.txt.gz and FILE.test-splits.txt.gz
  std::int64_t items = 0;      ///< N
  /// Q: the first columns of the file. The target is the column after them; others are not used.
  std::int64_t inputs = 0;
  std::int64_t splits = 0;        ///< published train-test splits
  std::int64_t hidden_units = 0;  ///< of the one hidden layer
  std::int64_t epochs = 0;        ///< of the timed setting (1x)
  /// Noise precisions to choose from, in 1 / (unit of the target)^2.
  std::vector<double> taus;
};

/// All sets, in the order of the published tables.
[[nodiscard]] const std::vector<UciSetInfo>& uciSets();
/// The set `key`; null if there is none.
[[nodiscard]] const UciSetInfo* findUciSet(std::string_view key);

/// What was published for one set.
struct UciPublishedValue {
  const char* set = nullptr;  ///< key of uciSets()
  MeanWithError rmse;         ///< over the splits
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
