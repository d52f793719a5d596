// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_values.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/compare/run_style.h"
#include "app/words/words.h"
#include "core/metrics/rank_names.h"
#include "core/models/guessed_preprocessing.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("compare", text);
}

/// Four decimals, or two for percentages, so that a column is easy to scan.
QString fixed(double value, bool is_fraction) {
  return is_fraction ? QString::number(100.0 * value, 'f', 2) : QString::number(value, 'f', 4);
}

CompareTableValue::Cell cellOf(const ComparedMetric& metric, const SeedStatistics& statistics) {
  CompareTableValue::Cell cell;
  if (statistics.n == 0) {
    cell.text = QStringLiteral("–");
    return cell;
  }
  cell.value = statistics.mean;
  cell.std_dev = statistics.std_dev;
  cell.text = fixed(statistics.mean, metric.is_fraction);
  cell.tooltip = QStringLiteral("%1 = %2").arg(QString::fromStdString(metric.name),
                                               exactText(statistics.mean));
  if (!std::isnan(statistics.std_dev)) {
    cell.text += QStringLiteral(" ± ") + fixed(statistics.std_dev, metric.is_fraction);
    cell.tooltip += tr(" ± %1, mean and sample standard deviation of %2 seeds")
                        .arg(exactText(statistics.std_dev))
                        .arg(statistics.n);
  }
  if (metric.is_fraction) {
    cell.text += QStringLiteral(" %");
  }
  return cell;
}

/// The curve of that score, or null.
const Curve* find(const std::vector<Curve>& curves, const std::string& score) {
  const auto found = std::ranges::find(curves, score, &Curve::name);
  return found == curves.end() ? nullptr : &*found;
}

bool rankedAlike(const Analysis& a, const Analysis& b) {
  return overSameItems(a, b) && a.overview.ranking_convention == b.overview.ranking_convention &&
         std::ranges::equal(a.parts, b.parts, haveSameItems);
}

/// A curve in the style of run `i`, with its name.
StyledCurve styledCurve(const std::vector<ComparedRun>& runs, std::size_t i, Curve curve) {
  StyledCurve styled;
  styled.curve = std::move(curve);
  styled.curve.name = runs[i].name;
  const RunStyle style = runStyle(i);
  styled.run = style.color;
  styled.dash = style.dash;
  styled.marker = style.marker;
  return styled;
}

/// Curves of the runs for which `fits` is true.
template <class CurvesOf, class Fits>
std::vector<StyledCurve> curvesOfRuns(const std::vector<ComparedRun>& runs,
                                      const std::string& score, const CurvesOf& curves_of,
                                      const Fits& fits) {
  std::vector<StyledCurve> curves;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Analysis& analysis = *runs[i].seeds.front();
    const Curve* const curve = find(curves_of(analysis.overview), score);
    if (curve != nullptr && fits(analysis)) {
      curves.push_back(styledCurve(runs, i, *curve));
    }
  }
  return curves;
}

QString signedText(double value, int decimals) {
  const QString text = QString::number(std::abs(value), 'f', decimals);
  return (value < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

}  // namespace

namespace {

/// Ranking used by the ROC curves of an analysis.
Ranking shownRanking(const Analysis& analysis) {
  return analysis.overview.ood > 0 ? Ranking::kCorrectVsOod : Ranking::kCorrectVsMisclassified;
}

/// "item set A: MNIST test, N 10 000".
QString itemsText(int group, const Analysis& analysis) {
  constexpr int kLetters = 26;
  return tr("item set %1: %2, N %3")
      .arg(QChar(static_cast<char16_t>(u'A' + group % kLetters)),
           QString::fromStdString(analysis.in().name), countText(analysis.in().run->itemCount()));
}

}  // namespace

CompareTableValue compareTable(const std::vector<ComparedRun>& runs, const AnalysisPtr& shown) {
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

CurvePlotValue compareRoc(const std::vector<ComparedRun>& runs, const Analysis& reference,
                          const std::string& score) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kRoc;
  value.curves = curvesOfRuns(
      runs, score,
      [](const Overview& overview) -> const std::vector<Curve>& { return overview.roc; },
      [&reference](const Analysis& analysis) { return rankedAlike(analysis, reference); });
  value.summary_name = QString::fromStdString(rankMetricName("AUROC", shownRanking(reference)));
  value.x_label = tr("false positive rate");
  value.y_label = tr("true positive rate");
  value.x_short = tr("FPR");
  value.y_short = tr("TPR");
  return value;
}

CurvePlotValue compareRejection(const std::vector<ComparedRun>& runs, const Analysis& reference,
                                const std::string& score) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.curves = curvesOfRuns(
      runs, score,
      [](const Overview& overview) -> const std::vector<Curve>& { return overview.rejection; },
      [&reference](const Analysis& analysis) { return overSameItems(analysis, reference); });
  value.summary_name = tr("AURC");
  value.x_label = tr("share retained");
  value.y_label = tr("accuracy on retained items");
  value.x_short = tr("retained");
  value.y_short = tr("acc.");
  return value;
}

CurvePlotValue compareReliability(const std::vector<ComparedRun>& runs, const Analysis& reference) {
  CurvePlotValue value;
  // Both axes are shares, and the diagonal is the ideal.
  value.kind = CurvePlotValue::Kind::kRoc;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Analysis& analysis = *runs[i].seeds.front();
    const ReliabilityDiagram& diagram = analysis.overview.reliability;
    if (diagram.total == 0 || !overSameItems(analysis, reference)) {
      continue;
    }
    Curve curve;
    curve.summary = diagram.ece;
    for (const ReliabilityBin& bin : diagram.bins) {
      if (bin.count > 0) {
        curve.x.push_back(bin.confidence);
        curve.y.push_back(bin.accuracy);
      }
    }
    value.curves.push_back(styledCurve(runs, i, std::move(curve)));
  }
  value.summary_name = tr("ECE");
  value.summary_is_share = true;
  value.x_label = tr("mean confidence");
  value.y_label = tr("accuracy");
  return value;
}

QString differenceText(const PairedComparison& comparison) {
  QStringList parts;
  for (const PairedDifference& difference : comparison.differences) {
    const bool is_accuracy = difference.metric == "accuracy";
    const double scale = is_accuracy ? 100.0 : 1.0;
    const int decimals = is_accuracy ? 2 : 4;
    const QString name = is_accuracy                  ? tr("accuracy")
                         : difference.metric == "nll" ? tr("NLL")
                                                      : tr("Brier");
    QString text = QStringLiteral("%1 %2%3 [%4, %5]")
                       .arg(name, signedText(scale * difference.difference, decimals),
                            is_accuracy ? QStringLiteral(" %") : QString(),
                            signedText(scale * difference.interval.low, decimals),
                            signedText(scale * difference.interval.high, decimals));
    const bool above = difference.interval.low > 0.0;
    const bool below = difference.interval.high < 0.0;
    if (above || below) {
      text += above == difference.higher_is_better ? tr(" better") : tr(" worse");
    }
    if (difference.left_out > 0) {
      text += tr(", excluding %1 items with infinite values").arg(countText(difference.left_out));
    }
    parts << text;
  }
  parts << tr("%1 items, 95 % %2")
               .arg(countText(comparison.items),
                    comparison.by_bootstrap ? tr("paired bootstrap") : tr("normal approximation"));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
