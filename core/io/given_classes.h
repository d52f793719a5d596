// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/io/any_array.h"
#include "core/io/file_rows.h"
#include "core/io/text_array.h"

namespace dubito {

/// Classes as a file gives them, one row per item: numbers of any type, one-hot rows, or texts,
/// which are names or numbers.
struct GivenClasses {
  std::string name;  ///< key or column, for messages
  std::variant<AnyArray, TextArray> values;
};

[[nodiscard]] const std::vector<std::int64_t>& shapeOf(
    const std::variant<AnyArray, TextArray>& values);

/// Entry of ParsedClasses::numbers for an empty text, "?" or NaN.
inline constexpr std::int64_t kNoClass = std::numeric_limits<std::int64_t>::min();

/// GivenClasses in one of two forms. Whether -1 is a class, or an unknown one, depends on the other
/// labels; see ClassRule.
struct ParsedClasses {
  std::string name;
  std::int64_t columns = 1;           ///< values per item
  bool one_hot = false;               ///< the numbers are positions in one-hot rows
  std::vector<std::int64_t> numbers;  ///< kNoClass: unknown; empty if there are words
  std::vector<std::string> words;     ///< empty text: unknown

  [[nodiscard]] bool byName() const { return !words.empty(); }
  [[nodiscard]] std::int64_t rows() const;
  /// The distinct words or numbers that are known.
  [[nodiscard]] std::set<std::string> distinctWords() const;
  [[nodiscard]] std::set<std::int64_t> distinctNumbers() const;
};

/// Reads [N], [N, 1], or [N, M] with M > 1: one-hot rows unless `ranks`. Texts that are all whole
/// numbers ("3", "3.0") or truth values ("True") are numbers. kMalformed for fractions and rows
/// that are not one-hot.
[[nodiscard]] Expected<ParsedClasses> parseClasses(const GivenClasses& given, bool ranks,
                                                   const FileRows& file);

}  // namespace dubito
