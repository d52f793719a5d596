// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/spreadsheet_cell.h"

#include <charconv>

namespace dubito {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@\t\r";

bool isNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return !text.empty() && text.front() != '+' && rest == end &&
         error != std::errc::invalid_argument;
}

/// What an apostrophe was put in front of: a formula, or text that already looked like one with an
/// apostrophe.
bool needsApostrophe(std::string_view text) {
  const std::size_t start = text.find_first_not_of('\'');
  return start != std::string_view::npos &&
         kFormulaStarts.find(text[start]) != std::string_view::npos &&
         (start > 0 || !isNumber(text));
}

}  // namespace

std::string spreadsheetCell(std::string_view text) {
  return (needsApostrophe(text) ? "'" : "") + std::string(text);
}

std::string_view withoutApostrophe(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '\'' && needsApostrophe(cell.substr(1))) {
    cell.remove_prefix(1);
  }
  return cell;
}

}  // namespace dubito
