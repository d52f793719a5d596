// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/attribute.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/io/csv.h"

namespace dubito {
namespace {

/// Sorts the values of `texts` and drops those that no item has.
TextColumn sortedTexts(const std::vector<std::string>& values, std::vector<std::int32_t> codes) {
  std::map<std::string_view, std::int32_t> used;
  for (const std::int32_t code : codes) {
    if (code != TextColumn::kNoText) {
      used.emplace(values[static_cast<std::size_t>(code)], 0);
    }
  }
  TextColumn column;
  for (auto& [text, code] : used) {
    code = static_cast<std::int32_t>(column.values.size());
    column.values.emplace_back(text);
  }
  std::vector<std::int32_t> new_code(values.size(), TextColumn::kNoText);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto found = used.find(values[i]);
    if (found != used.end()) {
      new_code[i] = found->second;
    }
  }
  for (std::int32_t& code : codes) {
    code = code == TextColumn::kNoText ? code : new_code[static_cast<std::size_t>(code)];
  }
  column.codes = std::move(codes);
  return column;
}

}  // namespace

std::int64_t Attribute::size() const {
  return static_cast<std::int64_t>(numbers() != nullptr ? numbers()->size()
                                                        : texts()->codes.size());
}

std::string Attribute::text(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (const NumberColumn* const reals = numbers()) {
    return std::isnan(reals->at(at)) ? std::string() : fmt::format("{}", reals->at(at));
  }
  const std::int32_t code = texts()->codes.at(at);
  return code == TextColumn::kNoText ? std::string()
                                     : texts()->values[static_cast<std::size_t>(code)];
}

Attribute Attribute::rows(std::span<const std::int64_t> positions) const {
  const auto pick = [positions](const auto& all) {
    std::remove_cvref_t<decltype(all)> some;
    some.reserve(positions.size());
    for (const std::int64_t position : positions) {
      some.push_back(all.at(static_cast<std::size_t>(position)));
    }
    return some;
  };
  if (const NumberColumn* const reals = numbers()) {
    return {name, pick(*reals)};
  }
  return {name, sortedTexts(texts()->values, pick(texts()->codes))};
}

void AttributeBuilder::add(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.empty()) {
    codes_.push_back(TextColumn::kNoText);
    return;
  }
  auto found = code_of_.find(cell);
  if (found == code_of_.end()) {
    found = code_of_.emplace(std::string(cell), static_cast<std::int32_t>(code_of_.size())).first;
  }
  codes_.push_back(found->second);
}

Attribute AttributeBuilder::finish() && {
  std::vector<std::string> values(code_of_.size());
  std::vector<double> numbers(code_of_.size());
  bool numeric = !code_of_.empty();
  for (auto& [text, code] : code_of_) {
    const std::optional<double> number = parseNumber(text);
    numeric = numeric && number;
    numbers[static_cast<std::size_t>(code)] = number.value_or(0.0);
    values[static_cast<std::size_t>(code)] = text;
  }
  if (!numeric) {
    return {std::move(name_), sortedTexts(values, std::move(codes_))};
  }
  NumberColumn column;
  column.reserve(codes_.size());
  for (const std::int32_t code : codes_) {
    column.push_back(code == TextColumn::kNoText ? std::numeric_limits<double>::quiet_NaN()
                                                 : numbers[static_cast<std::size_t>(code)]);
  }
  return {std::move(name_), std::move(column)};
}

}  // namespace dubito
