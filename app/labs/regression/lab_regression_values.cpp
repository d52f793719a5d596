// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression_values.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "app/labs/lab_method_values.h"

namespace dubito {
namespace {

constexpr const char* kReferenceMethod = "hmc";
constexpr int kDrawsShown = 8;
constexpr int kTruthPoints = 400;

/// Room above and below the points, as a share of their range.
constexpr double kMargin = 0.45;

Interval heightOf(const RegressionData& data) {
  const RegressionPoints& points = data.train;
  if (points.y.empty()) {
    return data.shown_y.value_or(kUsualHeight);
  }
  const auto [low, high] = std::ranges::minmax_element(points.y);
  const double range = *high > *low ? *high - *low : std::max(1.0, std::abs(*high));
  return {*low - kMargin * range, *high + kMargin * range};
}

Curve truthOf(const RegressionData& data, Interval shown) {
  Curve curve;
  for (int i = 0; i < kTruthPoints; ++i) {
    const double share = i / (kTruthPoints - 1.0);
    const double x = shown.low + share * (shown.high - shown.low);
    curve.x.push_back(x);
    curve.y.push_back(data.truth(x));
  }
  return curve;
}

const RegressionRunner::Entry* referenceOf(const RegressionRunner& runner) {
  for (const RegressionRunner::Entry& entry : runner.entries()) {
    if (entry.info->key == std::string_view(kReferenceMethod) && entry.picture) {
      return &entry;
    }
  }
  return nullptr;
}

/// The distance to the reference. It ranks only methods of the same posterior, and only a reference
/// that has converged.
CompareTableValue::Cell distanceCell(const RegressionRunner::Entry& entry,
                                     const RegressionRunner::Entry& reference, std::size_t row) {
  const RegressionPicture& picture = *entry.picture;
  if (&entry == &reference || picture.mean.size() != reference.picture->mean.size()) {
    return emptyCell();
  }
  CompareTableValue::Cell cell = numberCell(predictiveDistance(picture, *reference.picture));
  cell.items = rankedSetOf(entry, row);
  if (entry.method->posterior() != reference.method->posterior()) {
    cell.tooltip =
        labText(
            "%1 · of another network or prior than HMC, so that its posterior is another "
            "one: not ranked")
            .arg(cell.tooltip);
    cell.items = static_cast<int>(row) + 1;
  } else if (!reference.picture->diagnostics.converged) {
    cell.tooltip = labText("%1 · HMC has not converged: not ranked").arg(cell.tooltip);
    cell.items = static_cast<int>(row) + 1;
  }
  return cell;
}

CompareTableValue::Cell coverageCell(const std::vector<double>& shares) {
  QStringList parts;
  QStringList exact;
  for (const double share : shares) {
    parts << shortText(100.0 * share, 3);
    exact << exactText(share);
  }
  CompareTableValue::Cell cell;
  cell.text = parts.join(QStringLiteral(" · ")) + QStringLiteral(" %");
  cell.tooltip = exact.join(QStringLiteral(", "));
  return cell;
}

std::vector<CompareTableValue::Cell> cellsOf(const RegressionRunner::Entry& entry,
                                             const RegressionRunner::Entry* reference,
                                             std::size_t row, std::size_t columns) {
  const RegressionPicture& picture = *entry.picture;
  const RegressionScores& scores = picture.scores;
  std::vector<CompareTableValue::Cell> cells{
      numberCell(scores.rmse), numberCell(scores.log_likelihood), numberCell(scores.crps),
      coverageCell(scores.coverage)};
  for (CompareTableValue::Cell& cell : cells) {
    cell.items = rankedSetOf(entry, row);
  }
  if (reference != nullptr) {
    cells.push_back(distanceCell(entry, *reference, row));
  }
  cells.push_back(secondsCell(picture.seconds));
  cells.resize(columns);
  return cells;
}

/// "Loss" of "Loss of member 3", "Chain" of "Chain 2": what all traces of a method show.
QString quantityOfTrace(const QString& trace) {
  static const QRegularExpression kNumber(QStringLiteral("( of member)? \\d+$"));
  return QString(trace).remove(kNumber);
}

}  // namespace

RegressionAxes fittingAxes(const RegressionData& data) {
  // No data have been opened yet: no range either.
  const bool has_range = data.shown.low < data.shown.high;
  return {has_range ? data.shown : shownAround(data.train), heightOf(data), false};
}

BandPlotValue bandPlotOf(const RegressionRunner& runner, std::size_t index,
                         const RegressionAxes& axes) {
  const RegressionData& data = runner.data();
  const RegressionRunner::Entry& entry = runner.entries()[index];
  BandPlotValue value;
  value.point_x = data.train.x;
  value.point_y = data.train.y;
  value.color = entry.style;
  value.dash = dashOfStyle(entry.style);
  value.x_label = QString::fromStdString(data.x_label);
  value.y_label = QString::fromStdString(data.y_label);
  value.x_range = axes.x;
  value.y_range = axes.y;
  if (data.truth) {
    value.truth = truthOf(data, axes.x);
  }
  if (hasValidPicture(runner, entry)) {
    const RegressionCurve& picture = entry.picture->view
                                         ? *entry.picture->view
                                         : static_cast<const RegressionCurve&>(*entry.picture);
    value.x = picture.x;
    value.mean = picture.mean;
    value.std_epistemic = picture.std_epistemic;
    value.std_total = picture.std_total;
    const std::int64_t draws =
        !picture.draws.empty() ? std::min<std::int64_t>(kDrawsShown, picture.draws.extent(0)) : 0;
    for (std::int64_t draw = 0; draw < draws; ++draw) {
      const auto row = picture.draws.row(draw);
      value.draws.push_back({{}, picture.x, {row.begin(), row.end()}, 0.0});
    }
  }
  return value;
}

QString bandCaption(const RegressionRunner& runner, std::size_t index) {
  const RegressionRunner::Entry& entry = runner.entries()[index];
  if (!runner.dataError().isEmpty()) {
    return runner.dataError();
  }
  if (!entry.error.isEmpty()) {
    return entry.error;
  }
  QStringList parts{methodProgress(entry)};
  if (entry.picture) {
    parts << methodNumbers(entry.picture->diagnostics)
          << QString::fromStdString(entry.picture->diagnostics.chosen);
  }
  if (runner.data().train.size() == 0) {
    parts << labText("prior");
  }
  parts << countedText(runner.data().train.size(), labText("%1 point"), labText("%1 points"))
        << labText("bands ± 2σ");
  return captionOf(parts);
}

CompareTableValue regressionTable(const RegressionRunner& runner) {
  const RegressionRunner::Entry* const reference = referenceOf(runner);
  const QString unit = QString::fromStdString(runner.data().y_label);
  CompareTableValue table;
  table.row_heading = labText("method");
  table.columns = {
      {labText("RMSE"), labText("Root mean square error of the mean, in the unit of %1").arg(unit),
       false},
      {labText("Log lik."),
       labText("Mean logarithm of the predicted density at the points, in nats"), true},
      {labText("CRPS"),
       labText(
           "Continuous ranked probability score: how far the whole predicted distribution is from "
           "the points, in the unit of %1")
           .arg(unit),
       false},
      {labText("In 50 · 90 · 95 %"),
       labText(
           "Share of the points inside the central 50, 90 and 95 % intervals; it should be 50, 90 "
           "and "
           "95 %"),
       std::nullopt}};
  if (reference != nullptr) {
    table.columns.push_back({labText("To HMC"),
                             labText("Mean distance (2-Wasserstein) of the distribution of the "
                                     "curve to that of HMC, in the "
                                     "unit of %1; HMC is nearest to the exact posterior of its "
                                     "network. Only methods of the "
                                     "same network and prior are ranked")
                                 .arg(unit),
                             false});
  }
  table.columns.push_back({labText("Time"),
                           labText("Time spent learning, without predictions and drawing"),
                           std::nullopt});
  for (std::size_t i = 0; i < runner.entries().size(); ++i) {
    const RegressionRunner::Entry& entry = runner.entries()[i];
    CompareTableValue::Row row = methodRow(entry);
    row.cells = hasValidPicture(runner, entry) && entry.picture->scored_points > 0
                    ? cellsOf(entry, reference, i, table.columns.size())
                    : std::vector<CompareTableValue::Cell>(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

QString regressionTableCaption(const RegressionRunner& runner) {
  for (const RegressionRunner::Entry& entry : runner.entries()) {
    if (hasValidPicture(runner, entry) && entry.picture->scored_points > 0) {
      const QString count = countText(entry.picture->scored_points);
      return entry.picture->scored_on_training_points
                 ? labText(
                       "on the %1 training points, since there are no others · too good for "
                       "methods "
                       "that follow every point")
                       .arg(count)
                 : labText(
                       "on %1 unseen test points · drawn where the data are, not between or "
                       "outside "
                       "them")
                       .arg(count);
    }
  }
  return {};
}

CurvePlotValue courseOf(const RegressionRunner::Entry& entry) {
  CurvePlotValue value = linePlot(labText("step"));
  value.has_legend = false;
  if (!entry.picture) {
    return value;
  }
  const std::vector<Curve>& traces = entry.picture->diagnostics.traces;
  for (const Curve& trace : traces) {
    const QString name = QString::fromStdString(trace.name);
    const QString quantity = quantityOfTrace(name);
    if (value.curves.empty()) {
      value.y_label = quantity;
      value.y_short = quantity == QLatin1String("log evidence") ? labText("log ev.") : quantity;
    } else if (quantity != value.y_label) {
      continue;  // of another unit
    }
    value.curves.push_back(styledCurve(name, entry.style, dashOfStyle(entry.style), trace));
    value.curves.back().is_thin = traces.size() > 1;
  }
  return value;
}

}  // namespace dubito
