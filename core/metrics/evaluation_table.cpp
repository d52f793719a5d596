// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/io/csv.h"
#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

/// Number of characters: bytes of a UTF-8 text that begin one.
std::size_t displayWidth(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padding(const std::string& text, std::size_t width) {
  const std::size_t used = displayWidth(text);
  return std::string(width > used ? width - used : 0, ' ');
}

/// Numbers without a unit are padded by its width, so that all figures end in one column.
std::string cellOf(const MetricRow& row) {
  return row.is_fraction ? formatValue(row) : formatValue(row) + "  ";
}

/// One line of a group: a metric with a value per score (or one for the empty score).
struct Line {
  std::string name;
  std::map<std::string, std::string> cells;
};

/// A group as a small table: one line per metric, one column per score.
struct Group {
  std::string name;
  std::vector<std::string> scores;  ///< in order of appearance
  std::vector<Line> lines;

  void add(const MetricRow& row) {
    if (std::find(scores.begin(), scores.end(), row.score) == scores.end()) {
      scores.push_back(row.score);
    }
    auto line =
        std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == row.name; });
    if (line == lines.end()) {
      line = lines.insert(lines.end(), Line{row.name, {}});
    }
    line->cells[row.score] = cellOf(row);
  }
};

std::vector<Group> groupsOf(const std::vector<MetricRow>& rows) {
  std::vector<Group> groups;
  for (const MetricRow& row : rows) {
    if (groups.empty() || groups.back().name != row.group) {
      groups.push_back({row.group, {}, {}});
    }
    groups.back().add(row);
  }
  return groups;
}

std::string headingOf(std::string score) {
  std::replace(score.begin(), score.end(), '_', ' ');
  // Aligned with the figures, not with their unit.
  return score.empty() ? score : score + "  ";
}

void appendLine(std::string& text, const std::string& line) {
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string formatValue(const MetricRow& row) {
  if (row.is_count) {
    return fmt::format("{:.0f}", row.value);
  }
  // One digit more than tables in papers.
  return row.is_fraction ? fmt::format("{:.3f} %", 100.0 * row.value)
                         : fmt::format("{:.5f}", row.value);
}

std::string formatTable(const std::vector<MetricRow>& rows) {
  const std::vector<Group> groups = groupsOf(rows);
  std::size_t name_width = 0;
  std::size_t cell_width = 0;
  for (const MetricRow& row : rows) {
    name_width = std::max(name_width, displayWidth(row.name));
    cell_width = std::max({cell_width, cellOf(row).size(), headingOf(row.score).size()});
  }
  std::string text;
  for (const Group& group : groups) {
    std::string heading = group.name;
    if (group.scores.size() > 1 || !group.scores.front().empty()) {
      heading += padding(heading, name_width + 2);
      for (const std::string& score : group.scores) {
        const std::string title = headingOf(score);
        heading += "  " + padding(title, cell_width) + title;
      }
    }
    text += text.empty() ? "" : "\n";
    appendLine(text, heading);
    for (const Line& line : group.lines) {
      std::string printed = "  " + line.name + padding(line.name, name_width);
      for (const std::string& score : group.scores) {
        const auto cell = line.cells.find(score);
        const std::string value = cell == line.cells.end() ? "" : cell->second;
        printed += "  " + padding(value, cell_width) + value;
      }
      appendLine(text, printed);
    }
  }
  return text;
}

std::string metricsCsv(const Evaluation& evaluation) {
  std::string csv = "group,metric,score,value\n";
  for (const MetricRow& row : toRows(evaluation)) {
    csv += fmt::format("{},{},{},{}\n", csvField(row.group), csvField(row.name),
                       csvField(row.score), row.value);
  }
  return csv;
}

}  // namespace dubito
