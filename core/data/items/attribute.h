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

/// One text an item, each distinct one stored once.
struct TextColumn {
  static constexpr std::int32_t kNoText = -1;

  std::vector<std::string> values;  ///< the distinct texts, in the order of their bytes
  std::vector<std::int32_t>
      codes;  ///< position in `values` of each item, kNoText where it is empty
};

/// One real number an item, NaN where there is none.
using NumberColumn = std::vector<double>;

/// Something that is known of every item beside image and label: a further column of a manifest.
struct Attribute {
  std::string name;
  std::variant<NumberColumn, TextColumn> column;

  [[nodiscard]] std::int64_t size() const;
  [[nodiscard]] const NumberColumn* numbers() const { return std::get_if<NumberColumn>(&column); }
  [[nodiscard]] const TextColumn* texts() const { return std::get_if<TextColumn>(&column); }
  /// The value of an item for people: "2.5", "north gate", "" where there is none.
  [[nodiscard]] std::string text(std::int64_t index) const;
  /// The values of some items, without texts that none of them has. Positions outside throw
  /// std::out_of_range.
  [[nodiscard]] Attribute rows(std::span<const std::int64_t> positions) const;
};

/// Collects the cells of a column and finds out of what kind it is.
class AttributeBuilder {
 public:
  explicit AttributeBuilder(std::string name) : name_(std::move(name)) {}

  /// The cell of the next item; spaces around it do not count.
  void add(std::string_view cell);
  /// Numbers where every cell that is not empty is one, and at least one is; else texts.
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
  std::vector<std::int32_t> codes_;  ///< in the order of appearance
};

}  // namespace dubito
