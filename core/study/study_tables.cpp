// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/json_integer.h"
#include "core/io/csv.h"
#include "core/study/study_values.h"

namespace dubito {
namespace {

using nlohmann::json;

/// Shortest text that parses to the same double; empty for NaN.
std::string number(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

/// "target,shift,severity,network,method,members,seeds"
std::string placeOf(const StudySpec& spec, const StudyCell& cell) {
  const StudySet& target = spec.targets[cell.target];
  const StudyRow& row = spec.rows[cell.row];
  return fmt::format("{},{},{},{},{},{},{}", csvField(target.name),
                     csvField(fmt::format("{}", fmt::join(target.shifts, ";"))),
                     target.severity ? number(*target.severity) : "", csvField(row.network),
                     csvField(row.method), row.members, cell.seeds.size());
}
constexpr const char* kPlaceHeader = "target,shift,severity,network,method,members,seeds";

/// Where a number of `evaluate --json` belongs.
struct MetricPlace {
  std::string metric = {};
  std::string against = {};  ///< "misclassified", or the name of an OOD set
  std::string score = {};
};

MetricPlace metricPlace(json::json_pointer pointer) {
  std::vector<std::string> parts;
  for (; !pointer.empty(); pointer.pop_back()) {
    parts.insert(parts.begin(), pointer.back());
  }
  MetricPlace place{.metric = parts.back()};
  const std::string& group = parts.front();
  if (group == "misclassified") {
    place.against = group;
    place.score = parts.at(1);
  } else if (group == "with_ood") {
    place.metric += "_with_ood";
    place.against = parts.at(1);
  } else if (group == "ood") {
    // ood, NAME, n | mmc; ood, NAME, GROUP, SCORE [, METRIC]
    place.against = parts.at(1);
    if (parts.size() > 3) {
      place.score = parts[3];
      place.metric = parts.size() > 4 ? parts[2] + "_" + parts[4] : parts[2];
    }
  } else if (parts.size() > 1) {
    place.metric = group + "_" + parts.back();
    place.score = parts.size() > 2 ? parts[1] : "";
  }
  return place;
}

/// The notes of the runs of a cell, each once, joined by "; ".
std::string notesOf(const StudyCell& cell) {
  std::vector<std::string> notes;
  for (const StudyCellRuns& runs : cell.runs) {
    for (const std::string& note : textsOf(runs.notes)) {
      if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(note);
      }
    }
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string texEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c == '~' || c == '^' || c == '\\' ? ' ' : c;
  }
  return escaped;
}

}  // namespace

std::vector<const StudyCell*> cellsOf(const StudyResults& results, std::size_t target) {
  std::vector<const StudyCell*> cells;
  for (const StudyCell& cell : results.cells) {
    if (cell.target == target) {
      cells.push_back(&cell);
    }
  }
  return cells;
}

std::string cellText(const SeedStatistics& value, const char* plus_minus) {
  if (value.n == 0) {
    return "-";
  }
  return std::isnan(value.std_dev)
             ? fmt::format("{:.3f}", value.mean)
             : fmt::format("{:.3f}{}{:.3f}", value.mean, plus_minus, value.std_dev);
}

std::string columnTitle(const StudyColumn& column, const std::string& score_misclassified,
                        const std::string& score_ood) {
  const std::string key = column.key;
  const std::string& score = key.ends_with("_misclassified") ? score_misclassified : score_ood;
  return key.starts_with("au") ? fmt::format("{} ({})", column.title, score) : column.title;
}

std::vector<std::optional<std::size_t>> bestCells(const std::vector<const StudyCell*>& cells) {
  std::vector<std::optional<std::size_t>> best(studyColumns().size());
  for (std::size_t c = 0; c < best.size(); ++c) {
    const double sign = studyColumns()[c].high_is_good ? 1.0 : -1.0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const SeedStatistics& value = cells[i]->columns[c];
      if (value.n > 0 &&
          (!best[c] || sign * value.mean > sign * cells[*best[c]]->columns[c].mean)) {
        best[c] = i;
      }
    }
  }
  return best;
}

std::string studyCsv(const StudySpec& spec, const StudyResults& results) {
  std::string csv = kPlaceHeader;
  for (const StudyColumn& column : studyColumns()) {
    csv += fmt::format(",{0}_mean,{0}_sd", column.key);
  }
  for (const char* const metric : kStudyDifferences) {
    csv += fmt::format(",{0}_difference,{0}_low,{0}_high,{0}_p", metric);
  }
  csv += ",notes\n";
  for (const StudyCell& cell : results.cells) {
    csv += placeOf(spec, cell);
    for (const SeedStatistics& value : cell.columns) {
      csv += "," + number(value.mean) + "," + number(value.std_dev);
    }
    for (std::size_t i = 0; i < kStudyDifferences.size(); ++i) {
      if (cell.differences.empty()) {
        csv += ",,,,";
        continue;
      }
      const BootstrappedMean& one = cell.differences[i];
      csv += fmt::format(",{},{},{},{}", number(one.mean), number(one.interval.low),
                         number(one.interval.high), number(one.p));
    }
    csv += "," + csvField(notesOf(cell)) + "\n";
  }
  return csv;
}

std::string studyMetricsCsv(const StudySpec& spec, const StudyResults& results) {
  std::string csv = std::string(kPlaceHeader) + ",metric,against,score,n,mean,std_dev\n";
  for (const StudyCell& cell : results.cells) {
    const std::string place = placeOf(spec, cell);
    const json statistics = seedsOfJson(cell.evaluations);
    const json flat = statistics.flatten();
    for (const auto& item : flat.items()) {
      json::json_pointer pointer(item.key());
      if (pointer.empty() || pointer.back() != "mean") {
        continue;
      }
      pointer.pop_back();
      const json& entry = statistics[pointer];
      const MetricPlace where = metricPlace(pointer);
      csv += fmt::format(
          "{},{},{},{},{},{},{}\n", place, where.metric, csvField(where.against), where.score,
          integerFrom<std::int64_t>(entry.at("n")), number(entry.at("mean").get<double>()),
          entry.contains("std_dev") ? number(entry.at("std_dev").get<double>()) : "");
    }
  }
  return csv;
}

std::string studyLabellingCsv(const StudySpec& spec, const StudyResults& results) {
  std::string csv = std::string(kPlaceHeader) +
                    ",rule,promised,share_mean,share_sd,kept_mean,kept_sd,effective_items\n";
  for (const StudyCell& cell : results.cells) {
    for (const StudyLabelling& one : cell.labelling) {
      csv +=
          fmt::format("{},{},{},{},{},{},{},{}\n", placeOf(spec, cell), keyOf(one.rule),
                      number(one.guaranteed), number(one.share.mean), number(one.share.std_dev),
                      number(one.kept.mean), number(one.kept.std_dev), number(one.effective_items));
    }
  }
  return csv;
}

std::string studyRetrainingCsv(const StudySpec& spec, const StudyResults& results) {
  std::string csv = std::string(kPlaceHeader) + ",rule,promised";
  for (const RetrainingValue& value : kRetrainingValues) {
    csv += fmt::format(",{0}_mean,{0}_sd", value.key);
  }
  csv += "\n";
  for (const StudyCell& cell : results.cells) {
    for (const StudyRetraining& one : cell.retraining) {
      csv += fmt::format("{},{},{}", placeOf(spec, cell), keyOf(one.rule), number(one.guaranteed));
      for (const RetrainingValue& value : kRetrainingValues) {
        const SeedStatistics& statistics = one.*value.value;
        csv += "," + number(statistics.mean) + "," + number(statistics.std_dev);
      }
      csv += "\n";
    }
  }
  return csv;
}

std::string studyTex(const StudySpec& spec, const StudyResults& results) {
  std::string tex = "% Packages: booktabs, graphicx\n";
  for (std::size_t target = 0; target < spec.targets.size(); ++target) {
    const auto cells = cellsOf(results, target);
    if (cells.empty()) {
      continue;
    }
    const auto best = bestCells(cells);
    tex += "\\begin{table}\n\\centering\n\\resizebox{\\textwidth}{!}{%\n\\begin{tabular}{ll";
    tex += std::string(studyColumns().size(), 'r') + "}\n\\toprule\nnetwork & method";
    for (const StudyColumn& column : studyColumns()) {
      tex +=
          fmt::format(" & {} ${}$", column.tex, column.high_is_good ? "\\uparrow" : "\\downarrow");
    }
    tex += " \\\\\n\\midrule\n";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const StudyRow& row = spec.rows[cells[i]->row];
      tex += texEscaped(row.network) + " & " + texEscaped(row.method);
      for (std::size_t c = 0; c < studyColumns().size(); ++c) {
        const std::string text = cellText(cells[i]->columns[c], " \\pm ");
        const bool is_best = best[c] == i;
        tex += text == "-" ? " & --"
               : is_best   ? " & $\\mathbf{" + text + "}$"
                           : " & $" + text + "$";
      }
      tex += " \\\\\n";
    }
    tex += fmt::format(
        "\\bottomrule\n\\end{{tabular}}}}\n\\caption{{{} on {}: mean $\\pm$ standard deviation "
        "over "
        "{} seeds. Misclassified items are ranked by {}, OOD items by {}, averaged over {} OOD "
        "sets.}}\n\\end{{table}}\n\n",
        texEscaped(spec.name), texEscaped(spec.targets[target].name), spec.seeds.size(),
        texEscaped(spec.score_misclassified), texEscaped(spec.score_ood), spec.ood.size());
  }
  return tex;
}

std::string studyText(const StudySpec& spec, const StudyResults& results) {
  std::string text;
  // The rest is in the files.
  constexpr std::array<std::size_t, 6> kShown{0, 2, 3, 4, 7, 8};
  for (std::size_t target = 0; target < spec.targets.size(); ++target) {
    const auto cells = cellsOf(results, target);
    if (cells.empty()) {
      continue;
    }
    std::size_t width = spec.targets[target].name.size();
    for (const StudyCell* const cell : cells) {
      width = std::max(width, spec.rows[cell->row].name().size());
    }
    text += fmt::format("{:<{}}", spec.targets[target].name, width);
    for (const std::size_t c : kShown) {
      text += fmt::format("  {:>22}", studyColumns()[c].title);
    }
    text += "\n";
    for (const StudyCell* const cell : cells) {
      text += fmt::format("{:<{}}", spec.rows[cell->row].name(), width);
      for (const std::size_t c : kShown) {
        text += fmt::format("  {:>22}", cellText(cell->columns[c], " +- "));
      }
      text += "\n";
    }
    text += "\n";
  }
  return text;
}

}  // namespace dubito
