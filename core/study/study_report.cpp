// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_report.h"

#include <fmt/format.h>

namespace dubito {
namespace {

constexpr const char* kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff;margin:2rem auto;"
    "max-width:1280px;padding:0 1rem}h1{font-size:24px;margin-bottom:0}h2{font-size:18px;"
    "margin-top:2.2rem;border-bottom:1px solid #e6e8eb;padding-bottom:4px}p.muted{color:#59636e}"
    ".figures{display:flex;flex-wrap:wrap;gap:20px}.scroll{overflow-x:auto}table{border-collapse:"
    "collapse}th,td{padding:3px 6px;text-align:right;font-variant-numeric:tabular-nums;"
    "border-bottom:1px solid #f0f1f3}td{white-space:nowrap}th{color:#59636e;font-weight:600;"
    "vertical-align:bottom}td.name,th.name{text-align:left;padding-right:12px}td.broken{color:"
    "#d55e00;font-weight:600}.findings,.notes{padding:8px 12px;margin:12px 0;border-left:4px solid "
    "#e69f00;background:#fff8e6}.findings{border-color:#0072b2;background:#eef5fb}.findings ul,"
    ".notes ul{margin:0;padding-left:18px}@media print{svg{break-inside:avoid}}";

std::string tableHtml(const StudyTable& table) {
  const auto attributes = [&table](std::size_t column, StudyMark mark) {
    return column < table.names         ? " class=\"name\""
           : mark == StudyMark::kBroken ? " class=\"broken\""
                                        : "";
  };
  std::string html =
      "<p class=\"muted\">" + htmlText(table.caption) + "</p>\n<div class=\"scroll\"><table>\n<tr>";
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    html += fmt::format("<th{}>{}</th>", attributes(column, StudyMark::kNone),
                        htmlText(table.columns[column]));
  }
  html += "</tr>\n";
  for (const std::vector<StudyText>& row : table.rows) {
    html += "<tr>";
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string text = htmlText(row[column].text);
      html += fmt::format("<td{}>{}</td>", attributes(column, row[column].mark),
                          row[column].mark == StudyMark::kBest ? "<b>" + text + "</b>" : text);
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string sectionHtml(const StudySection& section) {
  std::string html = "<h2>" + htmlText(section.heading) + "</h2>\n";
  if (!section.text.empty()) {
    html += "<p class=\"muted\">" + htmlText(section.text) + "</p>\n";
  }
  for (const StudyTable& table : section.tables) {
    html += tableHtml(table);
  }
  return html;
}

std::string listHtml(const char* kind, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return "";
  }
  std::string html = fmt::format("<div class=\"{}\"><ul>\n", kind);
  for (const std::string& line : lines) {
    html += "<li>" + htmlText(line) + "</li>\n";
  }
  return html + "</ul></div>\n";
}

std::string figures(const FigureGroup& group) {
  std::string html =
      fmt::format("<h2>{}</h2>\n<p class=\"muted\">{}</p>\n<div class=\"figures\">\n",
                  htmlText(group.heading), htmlText(group.text));
  for (const Chart& chart : group.charts) {
    html += chartSvg(chart);
  }
  return html + "</div>\n";
}

}  // namespace

std::string studyHtml(const StudyContent& content, const std::vector<FigureGroup>& groups) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"muted\">{2}</p>\n",
      htmlText(content.title), kStyle, htmlText(content.subtitle));
  html += listHtml("findings", content.headline) + listHtml("notes", content.notes);
  for (const StudySection& section : content.sections) {
    html += sectionHtml(section);
  }
  for (const FigureGroup& group : groups) {
    html += figures(group);
  }
  return html + "</body></html>\n";
}

}  // namespace dubito
