// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

/// Characters on the screen: bytes of a UTF-8 text that begin one.
std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = displayWidth(text);
  return text + std::string(width > used ? width - used : 0, ' ');
}

}  // namespace

std::string formatValue(const MetricRow& row) {
  if (row.is_count) {
    return fmt::format("{:.0f}", row.value);
  }
  // Table precision of papers, and one digit more.
  return row.is_fraction ? fmt::format("{:.3f} %", 100.0 * row.value)
                         : fmt::format("{:.5f}", row.value);
}

std::string formatTable(const std::vector<MetricRow>& rows) {
  std::size_t name_width = 0;
  std::size_t score_width = 0;
  std::size_t value_width = 0;
  for (const MetricRow& row : rows) {
    name_width = std::max(name_width, displayWidth(row.name));
    score_width = std::max(score_width, displayWidth(row.score));
    value_width = std::max(value_width, formatValue(row).size());
  }
  std::string text;
  const std::string* group = nullptr;
  for (const MetricRow& row : rows) {
    if (group == nullptr || *group != row.group) {
      text += (group == nullptr ? "" : "\n") + row.group + "\n";
      group = &row.group;
    }
    const std::string value = formatValue(row);
    // Numbers without a unit end where those with one do, so that the points stand in columns.
    const bool has_unit = row.is_fraction;
    const std::string column = has_unit ? value : value + "  ";
    text += fmt::format("  {}  {}  {:>{}}\n", padded(row.name, name_width),
                        padded(row.score, score_width), column, value_width);
    const std::size_t end = text.find_last_not_of(" \n");
    text.erase(end + 1);
    text += '\n';
  }
  return text;
}

}  // namespace dubito
