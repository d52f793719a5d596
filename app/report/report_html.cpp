// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_html.h"

#include <QCoreApplication>
#include <QStringList>
#include <map>

#include "app/pages/overview_values.h"
#include "app/session/window_words.h"
#include "core/models/guessed_preprocessing.h"

namespace dubito {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("report", text);
}

constexpr char kStyle[] =
    "body{font:14px/1.45 system-ui,sans-serif;color:#1f2328;background:#f6f7f9;margin:2rem auto;"
    "max-width:1180px;padding:0 1rem}h1{font-size:22px;margin-bottom:0}h2{font-size:16px;"
    "margin-top:2rem}p.muted,dt{color:#59636e}dl{display:grid;grid-template-columns:max-content "
    "1fr;gap:2px 16px}dd{margin:0}table{border-collapse:collapse;background:#fff}th,td{padding:"
    "3px 12px;text-align:right;font-variant-numeric:tabular-nums}th:first-child,td:first-child{"
    "text-align:left}tr.group th{border-top:1px solid #e6e8eb;text-align:right;color:#59636e;"
    "font-weight:600}tr.group th:first-child{text-align:left;color:#1f2328}img{max-width:100%;"
    "border:1px solid #dde0e4;border-radius:4px}";

/// The rows of one group as lines with a column a score.
QString groupRows(const QString& group, const std::vector<MetricTableRow>& rows) {
  QStringList scores;
  QStringList names;
  std::map<std::pair<QString, QString>, const MetricTableRow*> cells;
  for (const MetricTableRow& row : rows) {
    if (!scores.contains(row.score)) {
      scores << row.score;
    }
    if (!names.contains(row.name)) {
      names << row.name;
    }
    cells[{row.name, row.score}] = &row;
  }
  QString html = QStringLiteral("<tr class=\"group\"><th>%1</th>").arg(group.toHtmlEscaped());
  for (const QString& score : scores) {
    html += QStringLiteral("<th>%1</th>").arg(score.toHtmlEscaped());
  }
  html += QStringLiteral("</tr>\n");
  for (const QString& name : names) {
    QString line;
    QString explanation;
    for (const QString& score : scores) {
      const auto found = cells.find({name, score});
      if (found != cells.end()) {
        explanation = found->second->explanation;
      }
      line += QStringLiteral("<td>%1</td>")
                  .arg(found == cells.end() ? QString() : found->second->value_text);
    }
    html += QStringLiteral("<tr title=\"%1\"><td>%2</td>%3</tr>\n")
                .arg(explanation.toHtmlEscaped(), name.toHtmlEscaped(), line);
  }
  return html;
}

QString metricTable(const Evaluation& evaluation) {
  QString html = QStringLiteral("<table>\n");
  std::vector<MetricTableRow> group;
  const auto flush = [&] {
    if (!group.empty()) {
      html += groupRows(group.front().group, group);
      group.clear();
    }
  };
  for (MetricTableRow& row : tableRows(evaluation)) {
    if (!group.empty() && group.front().group != row.group) {
      flush();
    }
    group.push_back(std::move(row));
  }
  flush();
  return html + QStringLiteral("</table>\n");
}

QString origin(const Run& run) {
  QString html = QStringLiteral("<dl>\n");
  const auto add = [&html](const QString& name, const QString& value) {
    if (!value.isEmpty()) {
      html += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n")
                  .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    }
  };
  const RunMeta& meta = run.meta;
  add(tr("Model"), QString::fromStdString(meta.model_name));
  add(tr("Method"), QString::fromStdString(meta.method));
  add(tr("Options"), QString::fromStdString(meta.method_options));
  add(tr("Seed"), QString::number(meta.seed));
  add(tr("Input"), QString::fromStdString(meta.preprocessing));
  add(tr("Guessed"), QString::fromStdString(guessedPreprocessing(meta.notes)));
  add(tr("Device"), QString::fromStdString(meta.device));
  add(tr("Dataset hash"), QString::fromStdString(meta.dataset_hash));
  for (const std::string& note : meta.notes) {
    add(tr("Note"), QString::fromStdString(inWindowWords(note)));
  }
  return html + QStringLiteral("</dl>\n");
}

}  // namespace

QByteArray reportHtml(const Analysis& analysis, const std::vector<ReportPage>& pages,
                      const std::vector<std::pair<QString, QByteArray>>& pictures) {
  const QString title = QString::fromStdString(analysis.name).toHtmlEscaped();
  QString html = QStringLiteral(
                     "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                     "<title>%1</title><style>%2</style></head><body>\n<h1>%1</h1>\n"
                     "<p class=\"muted\">%3</p>\n")
                     .arg(title, QLatin1String(kStyle), provenance(analysis).toHtmlEscaped());
  html += origin(*analysis.in().run);
  html += QStringLiteral("<h2>%1</h2>\n").arg(tr("Metrics")) + metricTable(analysis.evaluation);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    html += QStringLiteral("<h2>%1</h2>\n<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
                .arg(pages[i].title.toHtmlEscaped(),
                     QString::fromLatin1(pictures[i].second.toBase64()));
  }
  return (html + QStringLiteral("</body></html>\n")).toUtf8();
}

}  // namespace dubito
