// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/class_rule.h"
#include "core/io/raw_predictions.h"

namespace dubito {

/// The labels and predictions of a file, and the names of its classes, by one ClassRule.
class PredictionClasses {
 public:
  /// Parses both; `items` is the number of items. kMalformed for another number of values.
  [[nodiscard]] static Expected<PredictionClasses> parse(const RawPredictions& raw,
                                                         std::int64_t items);

  /// Number of different classes among labels and predictions; one more than the largest if they
  /// are numbers.
  [[nodiscard]] std::int64_t seen() const;

  /// Chooses names and numbers, given the number of classes (0: unknown).
  [[nodiscard]] Status number(std::int64_t count, RawPredictions& raw);

  /// kMalformed if names in alphabetical order and the numbers given to the same items do not go
  /// together. The numbers are those of the largest probabilities, `largest` of `largest_name`, or,
  /// if that is empty, labels or predictions that are numbers.
  [[nodiscard]] Status checkNames(std::span<const std::int64_t> largest,
                                  const std::string& largest_name, const FileRows& file) const;

  std::vector<std::int64_t> labels;     ///< [N], -1: unknown
  std::vector<std::int64_t> predicted;  ///< [N], or empty
  std::vector<std::string> names;       ///< in the order of the numbers, or empty

 private:
  /// Adds the words of labels and predictions to the names in alphabetical order.
  void nameByWords();

  std::int64_t items_ = 0;
  std::optional<ParsedClasses> parsed_labels_, parsed_predicted_;
  /// The names come from the words of labels or predictions, in alphabetical order.
  bool named_by_words_ = false;
};

}  // namespace dubito
