// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace dubito {

/// One text per item; each distinct text is stored once.
struct TextColumn {
  static constexpr std::int32_t kNoText = -1;

  std::vector<std::string> values;  ///< the distinct texts, sorted by their bytes
  std::vector<std::int32_t> codes;  ///< position in `values` of each item's text; kNoText if empty
};

/// One real number per item; NaN if absent.
using NumberColumn = std::vector<double>;

/// An additional property of each item: a column of a manifest other than path and label.
struct Attribute {
  std::string name;
  std::variant<NumberColumn, TextColumn> column;

  [[nodiscard]] std::int64_t size() const;
  [[nodiscard]] const NumberColumn* numbers() const { return std::get_if<NumberColumn>(&column); }
  [[nodiscard]] const TextColumn* texts() const { return std::get_if<TextColumn>(&column); }
  /// The value of an item as text for display: "2.5", "north gate", "" if absent.
  [[nodiscard]] std::string text(std::int64_t index) const;
  /// The attribute of the items at `positions` only; texts that occur in none of them are removed
  /// from the column. Throws std::out_of_range for invalid positions.
  [[nodiscard]] Attribute rows(std::span<const std::int64_t> positions) const;
};

/// Collects the cells of a column and determines its type.
class AttributeBuilder {
 public:
  explicit AttributeBuilder(std::string name) : name_(std::move(name)) {}

  /// Adds the cell of the next item; surrounding spaces are ignored.
  void add(std::string_view cell);
  /// A column of numbers if every non-empty cell is a number and there is at least one, a column of
  /// texts otherwise.
  [[nodiscard]] Attribute finish() &&;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::string name_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_;
  std::vector<std::int32_t> codes_;  ///< of each item; texts are numbered in order of appearance
};

}  // namespace dubito
