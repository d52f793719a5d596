// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_values.h"

#include <algorithm>
#include <cmath>

#include "app/compare/compare_table_value.h"
#include "app/compare/run_style.h"
#include "app/explore/overview_values.h"
#include "app/words/words.h"
#include "core/metrics/reliability_diagram.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

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

CurvePlotValue compareRoc(const std::vector<ComparedRun>& runs, const Analysis& reference,
                          const std::string& score) {
  CurvePlotValue value = rocWithoutCurves(reference.overview);
  value.curves = curvesOfRuns(
      runs, score,
      [](const Overview& overview) -> const std::vector<Curve>& { return overview.roc; },
      [&reference](const Analysis& analysis) { return rankedAlike(analysis, reference); });
  return value;
}

CurvePlotValue compareRejection(const std::vector<ComparedRun>& runs, const Analysis& reference,
                                const std::string& score) {
  CurvePlotValue value = rejectionWithoutCurves();
  value.curves = curvesOfRuns(
      runs, score,
      [](const Overview& overview) -> const std::vector<Curve>& { return overview.rejection; },
      [&reference](const Analysis& analysis) { return overSameItems(analysis, reference); });
  return value;
}

CurvePlotValue compareReliability(const std::vector<ComparedRun>& runs, const Analysis& reference) {
  CurvePlotValue value = reliabilityWithoutCurves();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Analysis& analysis = *runs[i].seeds.front();
    const ReliabilityDiagram& diagram = analysis.overview.reliability;
    if (diagram.total == 0 || !overSameItems(analysis, reference)) {
      continue;
    }
    value.curves.push_back(styledCurve(runs, i, reliabilityCurve(diagram)));
  }
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
                            is_accuracy ? tr(" points") : QString(),
                            signedText(scale * difference.interval.low, decimals),
                            signedText(scale * difference.interval.high, decimals));
    const bool above = difference.interval.low > 0.0;
    const bool below = difference.interval.high < 0.0;
    if (above || below) {
      text += above == difference.higher_is_better ? tr(" better") : tr(" worse");
    }
    if (difference.left_out > 0) {
      text += countedText(difference.left_out, tr(", excluding %1 item with infinite values"),
                          tr(", excluding %1 items with infinite values"));
    }
    parts << text;
  }
  parts << tr("%1, 95 % %2")
               .arg(countedText(comparison.items, tr("%1 item"), tr("%1 items")),
                    comparison.by_bootstrap ? tr("paired bootstrap") : tr("normal approximation"));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace dubito
