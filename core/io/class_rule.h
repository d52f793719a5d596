// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/given_classes.h"

namespace dubito {

/// How the classes of a file become class numbers: one rule for labels, predictions and ranks, in
/// every kind of file.
struct ClassRule {
  /// In the order of the class numbers; empty: classes have numbers only.
  std::vector<std::string> names;
  std::int64_t count = 0;  ///< number of classes; 0: unknown
  /// The labels are -1 and +1 of two classes, which become 0 and 1. Otherwise -1 is unknown.
  bool signs = false;

  /// Class numbers, -1 if unknown. Words are matched with the names: exactly, or else, with a note,
  /// without regard to case, spaces, dashes and underscores. Numbers are names if all of them are
  /// ("1", "2"); else they count the classes from 0. kMalformed, naming the row, for anything else.
  [[nodiscard]] Expected<std::vector<std::int64_t>> numbersOf(
      const ParsedClasses& parsed, const FileRows& file, std::vector<std::string>& notes) const;
};

/// Whether -1 and +1 are two classes: they are the only labels, and there are two classes, or, if
/// their number is unknown, the predictions are -1 and +1, too.
[[nodiscard]] bool areSigns(const ParsedClasses* labels, const ParsedClasses* predicted,
                            std::int64_t count);

/// Whether numbers of the same items follow the order of the names: no other assignment of numbers
/// to names fits clearly better. `named` and `numbered` are class numbers, -1 if unknown.
[[nodiscard]] bool ordersAgree(std::span<const std::int64_t> named,
                               std::span<const std::int64_t> numbered, std::int64_t count);

}  // namespace dubito
