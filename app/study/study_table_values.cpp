// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_table_values.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/review/automatic/review_automatic_values.h"
#include "app/session/error_text.h"
#include "core/study/study_headline.h"
#include "core/study/study_notes.h"
#include "core/study/study_tables.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kHues = 4;

QString toText(const std::string& text) {
  return QString::fromStdString(text);
}

QString fixed(double value, bool is_share, bool with_sign = false) {
  const QString text =
      is_share ? QString::number(100.0 * value, 'f', 2) : QString::number(value, 'f', 4);
  return with_sign && value >= 0.0 ? QLatin1Char('+') + text : text;
}

/// "91.20 ± 0.40 %"
QString statisticsText(const SeedStatistics& value, bool is_share) {
  if (value.n == 0) {
    return QStringLiteral("–");
  }
  QString text = fixed(value.mean, is_share);
  if (!std::isnan(value.std_dev)) {
    text += QStringLiteral(" ± ") + fixed(value.std_dev, is_share);
  }
  return is_share ? text + QStringLiteral(" %") : text;
}

QString statisticsTip(const SeedStatistics& value) {
  if (value.n == 0) {
    return tr("no result");
  }
  return std::isnan(value.std_dev) ? tr("%1 with one seed").arg(exactText(value.mean))
                                   : tr("mean %1, standard deviation %2 over %3 seeds")
                                         .arg(exactText(value.mean), exactText(value.std_dev))
                                         .arg(value.n);
}

CompareTableValue::Cell cellOf(const SeedStatistics& value, bool is_share) {
  return {.text = statisticsText(value, is_share),
          .value = meanOf(value),
          .tooltip = statisticsTip(value)};
}

QString arrow(bool high_is_good) {
  return high_is_good ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
}

/// The 95 % interval of a column's difference to the baseline, as a line of a tooltip.
QString differenceTip(const StudyCell& cell, const std::string& column) {
  for (std::size_t i = 0; i < cell.differences.size() && i < kStudyDifferences.size(); ++i) {
    if (column == kStudyDifferences.at(i)) {
      const BootstrappedMean& one = cell.differences[i];
      const bool is_share = isShareColumn(column);
      return QLatin1Char('\n') +
             tr("to the baseline %1 [%2, %3], p %4")
                 .arg(fixed(one.mean, is_share, true), fixed(one.interval.low, is_share, true),
                      fixed(one.interval.high, is_share, true), shortText(one.p));
    }
  }
  return {};
}

void addMetrics(const StudyFolder& study, CompareTableValue& table) {
  for (const StudyColumn& column : studyColumns()) {
    table.columns.push_back(
        {toText(columnTitle(column, study.score_misclassified, study.score_ood)) +
             arrow(column.high_is_good),
         tr("%1: mean ± standard deviation over seeds").arg(QLatin1String(column.title)),
         column.high_is_good});
  }
}

void addMetricCells(const StudyCell& cell, CompareTableValue::Row& row) {
  for (std::size_t c = 0; c < studyColumns().size(); ++c) {
    const std::string key = studyColumns()[c].key;
    CompareTableValue::Cell shown = cellOf(cell.columns[c], isShareColumn(key));
    shown.tooltip += differenceTip(cell, key);
    row.cells.push_back(std::move(shown));
  }
}

void addDifferences(CompareTableValue& table) {
  for (const char* const key : kStudyDifferences) {
    table.columns.push_back(
        {tr("Δ %1").arg(QLatin1String(key)) +
             arrow(studyColumns()[studyColumnIndex(key)].high_is_good),
         tr("This row minus the baseline, paired seed by seed and item by item; 95 % interval by "
            "bootstrap"),
         std::nullopt});
    table.columns.push_back({QStringLiteral("p"), tr("Two-sided, by bootstrap"), std::nullopt});
  }
}

void addDifferenceCells(const StudyCell& cell, CompareTableValue::Row& row) {
  for (std::size_t i = 0; i < kStudyDifferences.size(); ++i) {
    if (i >= cell.differences.size()) {
      row.cells.push_back({.text = QStringLiteral("–")});
      row.cells.push_back({.text = QStringLiteral("–")});
      continue;
    }
    const BootstrappedMean& one = cell.differences[i];
    const bool is_share = isShareColumn(kStudyDifferences.at(i));
    row.cells.push_back(
        {.text = QStringLiteral("%1 [%2, %3]%4")
                     .arg(fixed(one.mean, is_share, true), fixed(one.interval.low, is_share, true),
                          fixed(one.interval.high, is_share, true),
                          is_share ? tr(" points") : QString()),
         .value = one.mean,
         .tooltip = exactText(one.mean)});
    row.cells.push_back({.text = shortText(one.p), .value = one.p, .tooltip = exactText(one.p)});
  }
}

/// The first cell of a target with any labelling, or retraining: all have the same columns.
template <class Member>
const StudyCell* firstWith(const StudyFolder& study, std::size_t target, Member member) {
  for (const StudyCell& cell : study.results.cells) {
    if (cell.target == target && !(cell.*member).empty()) {
      return &cell;
    }
  }
  return nullptr;
}

void addLabelling(const StudyCell& first, CompareTableValue& table) {
  for (const StudyLabelling& one : first.labelling) {
    const QString rule =
        QStringLiteral("%1, %2").arg(QLatin1String(keyOf(one.rule)), percentText(one.guaranteed));
    table.columns.push_back({tr("%1: labelled").arg(rule),
                             tr("Share of the target that the rule labels at a guarantee of %1")
                                 .arg(percentText(one.guaranteed)),
                             std::nullopt});
    table.columns.push_back({tr("kept"),
                             tr("Share of right labels among those; less than the guarantee is "
                                "broken"),
                             std::nullopt});
  }
}

void addLabellingCells(const StudyCell& cell, CompareTableValue::Row& row) {
  for (const StudyLabelling& one : cell.labelling) {
    row.cells.push_back(cellOf(one.share, true));
    row.cells.push_back(cellOf(one.kept, true));
    row.cells.back().is_warning = isBroken(one);
  }
}

void addRetraining(const StudyCell& first, CompareTableValue& table) {
  for (const StudyRetraining& one : first.retraining) {
    const QString rule =
        QStringLiteral("%1, %2").arg(QLatin1String(keyOf(one.rule)), percentText(one.guaranteed));
    table.columns.push_back({tr("%1: labels").arg(rule), tr("Number of automatic labels"), {}});
    table.columns.push_back({tr("before"), tr("Accuracy without them"), {}});
    table.columns.push_back({tr("automatic"), tr("Accuracy after training on them"), {}});
    table.columns.push_back(
        {tr("random"), tr("After the same number of true labels of random items"), {}});
    table.columns.push_back(
        {tr("uncertain"), tr("After true labels of the most uncertain items"), {}});
  }
}

void addRetrainingCells(const StudyCell& cell, CompareTableValue::Row& row) {
  for (const StudyRetraining& one : cell.retraining) {
    row.cells.push_back(
        {.text = one.labels.n == 0 ? QStringLiteral("–") : countText(std::llround(one.labels.mean)),
         .value = meanOf(one.labels),
         .tooltip = statisticsTip(one.labels)});
    for (const SeedStatistics* const value :
         {&one.before, &one.automatic, &one.random, &one.uncertain}) {
      row.cells.push_back(cellOf(*value, true));
    }
  }
}

void addColumns(const StudyFolder& study, std::size_t target, StudyTableKind kind,
                CompareTableValue& table) {
  switch (kind) {
    case StudyTableKind::kMetrics:
      addMetrics(study, table);
      break;
    case StudyTableKind::kDifferences:
      addDifferences(table);
      break;
    case StudyTableKind::kLabelling:
      if (const StudyCell* const first = firstWith(study, target, &StudyCell::labelling)) {
        addLabelling(*first, table);
      }
      break;
    case StudyTableKind::kRetraining:
      if (const StudyCell* const first = firstWith(study, target, &StudyCell::retraining)) {
        addRetraining(*first, table);
      }
      break;
  }
}

}  // namespace

double meanOf(const SeedStatistics& value) {
  return value.n == 0 ? kNan : value.mean;
}

bool isShareColumn(const std::string& column) {
  return column.starts_with("accuracy") || column.starts_with("ece") || column.starts_with("mce");
}

StudyRowStyle studyRowStyle(std::size_t row) {
  return {.run = static_cast<int>(row) % kHues, .dash = static_cast<int>(row) / kHues % 4};
}

std::vector<StudyTableKind> studyTableKinds(const StudyFolder& study) {
  std::vector<StudyTableKind> kinds{StudyTableKind::kMetrics};
  const auto has = [&study](auto member) {
    return std::ranges::any_of(study.results.cells,
                               [member](const StudyCell& cell) { return !(cell.*member).empty(); });
  };
  if (has(&StudyCell::differences)) {
    kinds.push_back(StudyTableKind::kDifferences);
  }
  if (has(&StudyCell::labelling)) {
    kinds.push_back(StudyTableKind::kLabelling);
  }
  if (has(&StudyCell::retraining)) {
    kinds.push_back(StudyTableKind::kRetraining);
  }
  return kinds;
}

QString studyTableTitle(StudyTableKind kind) {
  switch (kind) {
    case StudyTableKind::kMetrics:
      return tr("Metrics");
    case StudyTableKind::kDifferences:
      return tr("Differences to the baseline");
    case StudyTableKind::kLabelling:
      return tr("Automatic labels");
    case StudyTableKind::kRetraining:
      return tr("Retraining on automatic labels");
  }
  return {};
}

std::vector<std::size_t> studyTableRows(const StudyFolder& study, std::size_t target,
                                        StudyTableKind kind) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < study.rows.size(); ++row) {
    const StudyCell* const cell = study.cellAt(row, target);
    const bool is_empty = cell == nullptr ||
                          (kind == StudyTableKind::kLabelling && cell->labelling.empty()) ||
                          (kind == StudyTableKind::kRetraining && cell->retraining.empty());
    if (!is_empty) {
      rows.push_back(row);
    }
  }
  return rows;
}

CompareTableValue studyTable(const StudyFolder& study, std::size_t target, StudyTableKind kind) {
  CompareTableValue table;
  table.row_heading = tr("network/method");
  addColumns(study, target, kind, table);
  for (const std::size_t number : studyTableRows(study, target, kind)) {
    const StudyCell& cell = *study.cellAt(number, target);
    CompareTableValue::Row row;
    const bool is_baseline = study.rows[number].name() == study.baseline;
    row.name = is_baseline ? tr("%1 (baseline)").arg(studyRowText(study, number))
                           : studyRowText(study, number);
    row.detail = tr("%1 · double-click to open its runs")
                     .arg(countedText(std::ssize(cell.seeds), tr("%1 seed"), tr("%1 seeds")));
    row.run = studyRowStyle(number).run;
    row.dash = studyRowStyle(number).dash;
    switch (kind) {
      case StudyTableKind::kMetrics:
        addMetricCells(cell, row);
        break;
      case StudyTableKind::kDifferences:
        addDifferenceCells(cell, row);
        break;
      case StudyTableKind::kLabelling:
        addLabellingCells(cell, row);
        break;
      case StudyTableKind::kRetraining:
        addRetrainingCells(cell, row);
        break;
    }
    row.cells.resize(table.columns.size(), {.text = QStringLiteral("–")});
    table.rows.push_back(std::move(row));
  }
  return table;
}

QString studyTableLegend(StudyTableKind kind) {
  switch (kind) {
    case StudyTableKind::kMetrics:
      return tr(
          "mean ± standard deviation over seeds · • and bold: best · point at a number for its "
          "difference to the baseline");
    case StudyTableKind::kDifferences:
      return tr("row minus baseline, with its 95 % interval");
    case StudyTableKind::kLabelling:
      return tr(
          "share of the target that is labelled, and of right labels among these · orange: less "
          "than guaranteed");
    case StudyTableKind::kRetraining:
      return tr("accuracy on the other half of the target");
  }
  return {};
}

QString studyRowText(const StudyFolder& study, std::size_t row) {
  return QStringLiteral("%1/%2").arg(toText(study.rows[row].network),
                                     toText(study.rows[row].methodText()));
}

QString studySummary(const StudyFolder& study) {
  QStringList parts{countedText(std::ssize(study.rows), tr("%1 row"), tr("%1 rows")),
                    countedText(std::ssize(study.targets), tr("%1 target"), tr("%1 targets")),
                    countedText(std::ssize(study.ood), tr("%1 OOD set"), tr("%1 OOD sets")),
                    countedText(std::ssize(study.seeds), tr("%1 seed"), tr("%1 seeds"))};
  if (!study.failures.empty()) {
    parts << countedText(std::ssize(study.failures), tr("%1 failure"), tr("%1 failures"));
  }
  return parts.join(QStringLiteral(" · "));
}

QString studyNotesText(const StudyFolder& study) {
  QStringList lines;
  for (const std::string& finding : studyHeadline(study)) {
    lines << toText(finding);
  }
  for (const StudyFailure& failure : study.failures) {
    lines << tr("Failed: %1: %2").arg(toText(failure.what), toText(failure.message));
  }
  for (const std::string& note : study.notes) {
    lines << tr("Note: %1").arg(toText(note));
  }
  for (const Note& note : notesOfRuns(study)) {
    lines << tr("Note: %1").arg(noteText(note));
  }
  // A number and its unit stay on one line.
  return lines.join(QStringLiteral("\n\n"))
      .replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
}

}  // namespace dubito
