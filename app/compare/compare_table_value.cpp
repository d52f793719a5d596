// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_table_value.h"

#include <algorithm>
#include <cmath>

#include "app/compare/run_style.h"
#include "app/words/words.h"
#include "core/models/guessed_preprocessing.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// As in all other tables and in legends.
QString textOf(const SeedStatistics& statistics, bool is_fraction) {
  constexpr int kShareDecimals = 2;
  constexpr int kScoreDecimals = 4;
  if (std::isnan(statistics.std_dev)) {
    return is_fraction ? shareText(statistics.mean) : scoreText(statistics.mean);
  }
  return is_fraction ? QStringLiteral("%1 %").arg(spreadText(
                           100.0 * statistics.mean, 100.0 * statistics.std_dev, kShareDecimals))
                     : spreadText(statistics.mean, statistics.std_dev, kScoreDecimals);
}

CompareTableValue::Cell cellOf(const ComparedMetric& metric, const SeedStatistics& statistics) {
  CompareTableValue::Cell cell;
  if (statistics.n == 0) {
    cell.text = QStringLiteral("–");
    return cell;
  }
  cell.value = statistics.mean;
  cell.std_dev = statistics.std_dev;
  cell.text = textOf(statistics, metric.is_fraction);
  cell.tooltip = QStringLiteral("%1 = %2").arg(QString::fromStdString(metric.name),
                                               exactText(statistics.mean));
  if (!std::isnan(statistics.std_dev)) {
    cell.tooltip += tr(" ± %1, mean and sample standard deviation of %2")
                        .arg(exactText(statistics.std_dev),
                             countedText(statistics.n, tr("%1 seed"), tr("%1 seeds")));
  }
  return cell;
}

/// "item set A: MNIST test, N 10 000".
QString itemsText(int group, const Analysis& analysis) {
  constexpr int kLetters = 26;
  return tr("item set %1: %2, N %3")
      .arg(QChar(static_cast<char16_t>(u'A' + group % kLetters)),
           QString::fromStdString(analysis.in().name), countText(analysis.in().run->itemCount()));
}

}  // namespace

CompareTableValue compareTableValue(const std::vector<ComparedRun>& runs,
                                    const AnalysisPtr& shown) {
  const std::vector<ComparedMetric> metrics =
      runs.empty() ? std::vector<ComparedMetric>() : compareMetrics(runs);
  CompareTableValue value;
  for (const ComparedMetric& metric : metrics) {
    value.columns.push_back({QString::fromStdString(metric.name),
                             QString::fromStdString(metric.explanation), metric.high_is_good,
                             QString::fromStdString(metric.topic)});
  }
  const std::vector<int> groups = itemGroups(runs);
  const bool several = std::ranges::any_of(groups, [](int group) { return group > 0; });
  const auto isReviewed = [](const ComparedRun& run) {
    return run.seeds.front()->in().run->meta.reviewed_labels.has_value();
  };
  const bool mixed =
      std::ranges::any_of(runs, isReviewed) && !std::ranges::all_of(runs, isReviewed);
  int group_shown = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (std::ranges::find(runs[i].seeds, shown) != runs[i].seeds.end()) {
      group_shown = groups[i];
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CompareTableValue::Row row;
    row.name = QString::fromStdString(runs[i].name);
    if (several) {
      row.name += QStringLiteral(" · ") + itemsText(groups[i], *runs[i].seeds.front());
    }
    row.other_items = group_shown >= 0 && groups[i] != group_shown;
    if (!guessedPreprocessing(runs[i].seeds.front()->in().run->meta.notes).empty()) {
      row.name = tr("%1 · preprocessing guessed").arg(row.name);
    }
    if (mixed) {
      row.name = (isReviewed(runs[i]) ? tr("%1 · reviewed labels") : tr("%1 · given labels"))
                     .arg(row.name);
    }
    row.detail = QString::fromStdString(runs[i].detail);
    const RunStyle style = runStyle(i);
    row.run = style.color;
    row.dash = style.dash;
    row.marker = style.marker;
    row.shown = std::ranges::find(runs[i].seeds, shown) != runs[i].seeds.end();
    for (const ComparedMetric& metric : metrics) {
      row.cells.push_back(cellOf(metric, metric.of_runs[i]));
      row.cells.back().items = metric.items_of_runs[i];
    }
    value.rows.push_back(std::move(row));
  }
  return value;
}

}  // namespace dubito
