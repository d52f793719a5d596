// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/study/study_tables.h"

namespace dubito {
namespace {

constexpr const char* kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff;margin:2rem auto;"
    "max-width:1280px;padding:0 1rem}h1{font-size:24px;margin-bottom:0}h2{font-size:18px;"
    "margin-top:2.2rem;border-bottom:1px solid #e6e8eb;padding-bottom:4px}h3{font-size:14px;"
    "margin:1.4rem 0 .3rem}p.muted{color:#59636e}.figures{display:flex;flex-wrap:wrap;gap:20px}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse}th,td{padding:3px 9px;text-align:right;"
    "font-variant-numeric:tabular-nums;border-bottom:1px solid #f0f1f3;white-space:nowrap}th{color:"
    "#59636e;font-weight:600}td.name,th.name{text-align:left}td.broken{color:#d55e00;font-weight:"
    "600}.notes{background:#fff8e6;border-left:4px solid #e69f00;padding:8px 12px}.notes ul{margin:"
    "0;padding-left:18px}@media print{svg{break-inside:avoid}}";

std::string cell(const std::string& text, const char* attributes = "") {
  return fmt::format("<td{}>{}</td>", attributes, htmlText(text));
}
constexpr const char* kName = " class=\"name\"";

std::string nameCells(const StudyRow& row) {
  const std::string members =
      row.members > 1 ? fmt::format("{} ({} members)", row.method, row.members) : row.method;
  return cell(row.network, kName) + cell(members, kName);
}

std::string head(const std::vector<std::string>& columns) {
  std::string html = "<tr><th class=\"name\">network</th><th class=\"name\">method</th>";
  for (const std::string& column : columns) {
    html += "<th>" + htmlText(column) + "</th>";
  }
  return html + "</tr>\n";
}

std::string table(const std::string& content) {
  return "<div class=\"scroll\"><table>\n" + content + "</table></div>\n";
}

std::string metricsTable(const StudySpec& spec, const std::vector<const StudyCell*>& cells) {
  std::vector<std::string> titles;
  for (const StudyColumn& column : studyColumns()) {
    titles.push_back(columnTitle(column, spec.score_misclassified, spec.score_ood) +
                     (column.high_is_good ? " ↑" : " ↓"));
  }
  std::string html = head(titles);
  const auto best = bestCells(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += "<tr>" + nameCells(spec.rows[cells[i]->row]);
    for (std::size_t c = 0; c < titles.size(); ++c) {
      const std::string text = htmlText(cellText(cells[i]->columns[c]));
      html += "<td>" + (best[c] == i ? "<b>" + text + "</b>" : text) + "</td>";
    }
    html += "</tr>\n";
  }
  return table(html);
}

std::string differencesTable(const StudySpec& spec, const std::vector<const StudyCell*>& cells) {
  std::vector<std::string> titles;
  for (const char* const metric : kStudyDifferences) {
    titles.push_back(fmt::format("Δ {}", metric));
    titles.emplace_back("p");
  }
  std::string html = head(titles);
  bool any = false;
  for (const StudyCell* const one : cells) {
    if (one->differences.empty()) {
      continue;
    }
    any = true;
    html += "<tr>" + nameCells(spec.rows[one->row]);
    for (const BootstrappedMean& value : one->differences) {
      html += cell(fmt::format("{:+.4f} [{:+.4f}, {:+.4f}]", value.mean, value.interval.low,
                               value.interval.high)) +
              cell(fmt::format("{:.3g}", value.p));
    }
    html += "</tr>\n";
  }
  return any ? table(html) : "";
}

std::string labellingTable(const StudySpec& spec, const std::vector<const StudyCell*>& cells) {
  std::vector<std::string> titles;
  for (const double promised : spec.labelling->targets) {
    for (int rule = 0; rule < kLabellingRules; ++rule) {
      titles.push_back(fmt::format("{:g} %, {}: share", 100.0 * promised,
                                   keyOf(static_cast<LabellingRule>(rule))));
      titles.emplace_back("kept");
    }
  }
  std::string html = head(titles);
  for (const StudyCell* const one : cells) {
    html += "<tr>" + nameCells(spec.rows[one->row]);
    for (const StudyLabelling& value : one->labelling) {
      const bool is_broken = value.kept.n > 0 && value.kept.mean < value.promised;
      html += cell(cellText(value.share)) +
              cell(cellText(value.kept), is_broken ? " class=\"broken\"" : "");
    }
    html += "</tr>\n";
  }
  return table(html);
}

/// Accuracy before and after retraining, of all targets.
std::string retrainingHtml(const StudySpec& spec, const StudyResults& results) {
  if (!spec.retraining) {
    return "";
  }
  const std::string html =
      "<h2>Retraining on automatic labels</h2>\n<p class=\"muted\">The rule labels one half of the "
      "target; the last layer is trained on the validation items and these labels; accuracy on the "
      "other half. For comparison, the same number of true labels of random and of the most "
      "uncertain items.</p>\n";
  std::string lines =
      head({"target", "rule", "labels", "before", "automatic", "random", "uncertain"});
  for (const StudyCell& one : results.cells) {
    for (const StudyRetraining& value : one.retraining) {
      lines += "<tr>" + nameCells(spec.rows[one.row]) + cell(spec.targets[one.target].name) +
               cell(fmt::format("{} at {:g} %", keyOf(value.rule), 100.0 * value.promised)) +
               cell(fmt::format("{:.0f}", value.labels.mean));
      for (const SeedStatistics* const accuracy :
           {&value.before, &value.automatic, &value.random, &value.uncertain}) {
        lines += cell(cellText(*accuracy));
      }
      lines += "</tr>\n";
    }
  }
  return html + table(lines);
}

std::string figures(const FigureGroup& group) {
  if (group.charts.empty()) {
    return "";
  }
  std::string html =
      fmt::format("<h2>{}</h2>\n<p class=\"muted\">{}</p>\n<div class=\"figures\">\n",
                  htmlText(group.heading), htmlText(group.text));
  for (const Chart& chart : group.charts) {
    html += chartSvg(chart);
  }
  return html + "</div>\n";
}

std::string notesHtml(const StudyReportInput& input) {
  std::vector<std::string> notes = input.notes;
  for (const StudyFailure& failure : input.failures) {
    notes.push_back(fmt::format("failed: {}: {}", failure.what, failure.message));
  }
  if (notes.empty()) {
    return "";
  }
  std::string html = "<div class=\"notes\"><ul>\n";
  for (const std::string& note : notes) {
    html += "<li>" + htmlText(note) + "</li>\n";
  }
  return html + "</ul></div>\n";
}

std::string targetHtml(const StudySpec& spec, const StudyResults& results, std::size_t target) {
  const auto cells = cellsOf(results, target);
  if (cells.empty()) {
    return "";
  }
  std::string html = "<h3>" + htmlText(spec.targets[target].name) + "</h3>\n";
  html += metricsTable(spec, cells);
  if (const std::string differences = differencesTable(spec, cells); !differences.empty()) {
    html += fmt::format(
                "<p class=\"muted\">Differences to {}, with 95 % intervals and p by {} "
                "paired bootstrap replicates over items and seeds:</p>\n",
                htmlText(spec.baseline), spec.replicates) +
            differences;
  }
  if (spec.labelling) {
    html += fmt::format(
                "<p class=\"muted\">Automatic labelling by {}, δ = {:g}: share of the target "
                "that is labelled and precision that is kept; a broken promise is "
                "orange.</p>\n",
                htmlText(spec.labelling->measure), spec.labelling->selection.delta) +
            labellingTable(spec, cells);
  }
  return html;
}

}  // namespace

std::string studyHtml(const StudyReportInput& input) {
  const StudySpec& spec = input.spec;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"muted\">{2} targets, {3} OOD sets, {4} networks, {5} rows, {6} "
      "seeds. Mean ± standard deviation over seeds; ECE and MCE with {7} bins of equal width; OOD "
      "columns are means over the OOD sets. The best mean of each column is bold.</p>\n",
      htmlText(spec.name), kStyle, spec.targets.size(), spec.ood.size(), spec.networks.size(),
      spec.rows.size(), spec.seeds.size(), spec.evaluation.bins);
  html += notesHtml(input);
  for (const FigureGroup& group : input.figures) {
    html += figures(group);
  }
  html += retrainingHtml(spec, input.results);
  html += "<h2>Tables</h2>\n";
  for (std::size_t target = 0; target < spec.targets.size(); ++target) {
    html += targetHtml(spec, input.results, target);
  }
  return html + "</body></html>\n";
}

}  // namespace dubito
