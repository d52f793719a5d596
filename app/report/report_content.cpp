// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_content.h"

#include <algorithm>
#include <map>

#include "app/compare/compare_table_value.h"
#include "app/explore/conventions_view.h"
#include "app/explore/overview_values.h"
#include "app/session/run_names.h"
#include "app/session/session.h"
#include "app/words/run_texts.h"
#include "app/words/words.h"
#include "core/analysis/comparison.h"
#include "core/metrics/conventions.h"
#include "widgets/theme.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// The rows of one group with one column per score.
ReportTable groupTable(const QString& group, const std::vector<MetricTableRow>& rows) {
  ReportTable table;
  table.title = group;
  QStringList scores;
  QStringList names;
  std::map<std::pair<QString, QString>, QString> cells;
  for (const MetricTableRow& row : rows) {
    if (!scores.contains(row.score)) {
      scores << row.score;
    }
    if (!names.contains(row.name)) {
      names << row.name;
    }
    cells[{row.name, row.score}] = row.value_text;
  }
  table.columns << tr("metric");
  for (const QString& score : scores) {
    table.columns << (score.isEmpty() ? tr("value") : score);
  }
  for (const QString& name : names) {
    QStringList line{name};
    for (const QString& score : scores) {
      line << cells[{name, score}];
    }
    table.rows.push_back(line);
  }
  return table;
}

std::vector<ReportTable> metricTables(const std::vector<MetricTableRow>& rows) {
  std::vector<ReportTable> tables;
  std::vector<MetricTableRow> group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    group.push_back(rows[i]);
    if (i + 1 == rows.size() || rows[i + 1].group != rows[i].group) {
      tables.push_back(groupTable(rows[i].group, group));
      group.clear();
    }
  }
  return tables;
}

/// One row per metric, since there are more metrics than runs.
std::vector<ReportTable> comparisonTables(const ReportSource& source) {
  if (source.compared.size() < 2) {
    return {};
  }
  const CompareTableValue value =
      compareTableValue(compareRuns(source.compared, source.names), source.analysis);
  ReportTable table;
  table.title = tr("All runs");
  QStringList details;
  table.columns << tr("metric");
  for (const CompareTableValue::Row& row : value.rows) {
    table.columns << row.name;
    details << QStringLiteral("%1: %2").arg(row.name, row.detail);
  }
  table.caption = details.join(QStringLiteral(" · "));
  for (std::size_t c = 0; c < value.columns.size(); ++c) {
    QStringList line{value.columns[c].name};
    for (const CompareTableValue::Row& row : value.rows) {
      line << row.cells[c].text;
    }
    table.rows.push_back(line);
  }
  return {table};
}

/// Definition of each metric in the tables, without duplicates.
ReportTable definitions(const std::vector<MetricTableRow>& rows) {
  ReportTable table;
  table.title = tr("Metric definitions");
  table.columns = QStringList{tr("metric"), tr("definition")};
  table.is_text = true;
  QStringList seen;
  for (const MetricTableRow& row : rows) {
    if (!row.explanation.isEmpty() && !seen.contains(row.name)) {
      seen << row.name;
      QString text = row.explanation;
      table.rows.push_back({row.name, text.replace(u'\n', QStringLiteral("; "))});
    }
  }
  return table;
}

ReportTable otherConventions(const std::vector<ConventionRow>& conventions) {
  ReportTable table;
  table.title = tr("The same predictions under other conventions");
  table.columns = QStringList{tr("metric"), tr("convention"), tr("value"), tr("used by")};
  table.is_text = true;
  for (const ConventionTableRow& row : conventionRows(conventions)) {
    table.rows.push_back({row.group, row.name, row.value_text, row.used_by});
  }
  return table;
}

}  // namespace

ReportSource reportSource(const Session& session, const ShiftResultPtr& shift) {
  ReportSource source{.analysis = session.activeAnalysis(),
                      .reliability = session.plots().reliability(),
                      .compared = session.analyses(),
                      .shift = nullptr,
                      .names = givenNames(session)};
  // The run may have been evaluated again since.
  if (shift && shift->analysis->in().run == source.analysis->in().run) {
    source.shift = shift;
  }
  return source;
}

Expected<ReportContent> reportContent(const ReportSource& source, std::vector<ReportFigure> figures,
                                      RunContext& context) {
  const Analysis& analysis = *source.analysis;
  ReportContent content;
  content.title = QString::fromStdString(analysis.name);
  content.subtitle = provenance(analysis);
  if (const QString labels = labelsText(analysis); !labels.isEmpty()) {
    content.subtitle = labels + QStringLiteral(" · ") + content.subtitle;
  }
  content.settings = reportSettings(analysis);
  content.notes = runWarnings(analysis);
  content.figures = std::move(figures);
  const Overview& overview = analysis.overview;
  const std::pair<ItemGroup, std::int64_t> groups[] = {
      {ItemGroup::kCorrect, overview.correct},
      {ItemGroup::kMisclassified, overview.misclassified},
      {ItemGroup::kOod, overview.ood}};
  const Theme theme = Theme::light();
  for (const auto& [group, count] : groups) {
    if (count > 0) {
      content.groups.emplace_back(QStringLiteral("%1 (%2)").arg(groupName(group), countText(count)),
                                  theme.color(groupColor(group)));
    }
  }
  const std::vector<MetricTableRow> rows = tableRows(analysis.evaluation);
  content.metrics = metricTables(rows);
  content.comparison = comparisonTables(source);
  auto images = reportImages(source.analysis, context);
  if (!images) {
    return failWith(images);
  }
  content.images = std::move(*images);
  content.conventions.push_back(definitions(rows));
  const auto conventions = metricConventions(*analysis.in().run, context);
  if (!conventions) {
    return failWith(conventions);
  }
  if (!conventions->empty()) {
    content.conventions.push_back(otherConventions(*conventions));
  }
  return content;
}

}  // namespace dubito
