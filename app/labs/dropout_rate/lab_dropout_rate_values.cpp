// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/lab_dropout_rate_values.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/number_text.h"

namespace dubito {
namespace {

QString ratesTr(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

/// Colours of the starts repeat after four; then come other dashes.
constexpr int kRateHues = 4;
/// A run this near to a boundary is counted there: the exact gradient and concrete dropout come
/// near without touching it.
constexpr double kRateBoundary = 0.02;
/// Part of a trace that is left out when the axis is chosen: untrained weights give a very low
/// ELBO.
constexpr std::size_t kUntrainedPart = 10;

CurvePlotValue plotOf(const QString& x_label, const QString& y_label) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  value.x_label = x_label;
  value.y_label = y_label;
  return value;
}

QString nameOf(const RateTrajectory& run) {
  return run.estimator == RateEstimator::kConcrete ? ratesTr("concrete dropout")
                                                   : ratesTr("from %1").arg(shortText(run.start));
}

/// Whether run `index` is concrete dropout next to runs of another estimator.
bool isBeside(const DropoutRatePicture& picture, std::size_t index) {
  return picture.trajectories[index].estimator != picture.trajectories.front().estimator;
}

StyledCurve styledRun(const DropoutRatePicture& picture, std::size_t index) {
  const RateTrajectory& run = picture.trajectories[index];
  StyledCurve styled;
  styled.curve.name = nameOf(run).toStdString();
  styled.curve.summary = std::nan("");
  styled.run = static_cast<int>(index);
  styled.dash = static_cast<int>(index) / kRateHues;
  if (isBeside(picture, index)) {
    styled.role = StyledCurve::Role::kSelection;
    styled.dash = 0;
  }
  return styled;
}

StyledCurve traceOf(const DropoutRatePicture& picture, std::size_t index, const Curve& trace) {
  StyledCurve styled = styledRun(picture, index);
  styled.curve.x = trace.x;
  styled.curve.y = trace.y;
  styled.is_thin = true;
  return styled;
}

double padded(double low, double high) {
  constexpr double kPad = 0.06;
  return kPad * std::max(high - low, 1.0);
}

QString keepText(double keep) {
  return QString::number(keep, 'f', 2);
}

/// "p = 0.48 to 0.56", or one value.
QString spanText(double low, double high) {
  const QString first = keepText(low);
  const QString last = keepText(high);
  return first == last ? ratesTr("p = %1").arg(first) : ratesTr("p = %1 to %2").arg(first, last);
}

}  // namespace

void RateRemedy::apply(DropoutRateOptions& options) const {
  options.margin = margin;
  options.rate_step = rate_step_factor * DropoutRateOptions().rate_step;
  options.baseline = baseline;
}

bool RateRemedy::isIn(const DropoutRateOptions& options) const {
  return options.margin == margin && options.baseline == baseline &&
         options.rate_step == rate_step_factor * DropoutRateOptions().rate_step;
}

const std::vector<RateRemedy>& rateRemedies() {
  static const std::vector<RateRemedy> all{
      {QT_TRANSLATE_NOOP("Labs", "None"),
       QT_TRANSLATE_NOOP("Labs", "p may reach 0 and 1, where the score function cannot move it."),
       0.0, 1.0, false},
      {QT_TRANSLATE_NOOP("Labs", "Keep p in [0.05, 0.95]"),
       QT_TRANSLATE_NOOP("Labs", "A run that is pushed against a boundary can come back."), 0.05,
       1.0, false},
      {QT_TRANSLATE_NOOP("Labs", "Halve the step of p"),
       QT_TRANSLATE_NOOP("Labs", "More time for the weights before p arrives at a boundary."), 0.0,
       0.5, false},
      {QT_TRANSLATE_NOOP("Labs", "Subtract a baseline"),
       QT_TRANSLATE_NOOP("Labs",
                         "Less noise, no bias: what still runs to a boundary is driven there by "
                         "weights that are not trained yet."),
       0.0, 1.0, true}};
  return all;
}

CurvePlotValue rateElboPlot(const DropoutRatePicture& picture) {
  CurvePlotValue value = plotOf(ratesTr("p, probability that a unit is kept"),
                                ratesTr("ELBO (nats, up to a constant)"));
  value.y_short = ratesTr("ELBO (nats)");
  value.interval_name = ratesTr("± 2 standard errors");
  StyledCurve grid;
  grid.curve.name = ratesTr("trained weights, by masks").toStdString();
  grid.curve.summary = std::nan("");
  StyledCurve exact = grid;
  exact.curve.name = ratesTr("trained weights, closed form").toStdString();
  exact.role = StyledCurve::Role::kReference;
  exact.dash = 1;
  double low = 0.0;
  double high = 0.0;
  for (const RateGridPoint& point : picture.grid) {
    const double error = 2.0 * point.standard_error;
    grid.curve.x.push_back(point.keep);
    grid.curve.y.push_back(point.estimate);
    grid.intervals.push_back({point.estimate - error, point.estimate + error});
    exact.curve.x.push_back(point.keep);
    exact.curve.y.push_back(point.elbo.total());
    low = std::min(low, point.elbo.total());
    high = std::max(high, point.elbo.total());
  }
  value.curves.push_back(std::move(grid));
  value.curves.push_back(std::move(exact));
  for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
    const RateTrajectory& run = picture.trajectories[i];
    StyledCurve point = styledRun(picture, i);
    point.curve.x = {run.keep};
    point.curve.y = {run.elbo.total()};
    // Marks the point.
    point.intervals = {{run.elbo.total(), run.elbo.total()}};
    low = std::min(low, run.elbo.total());
    high = std::max(high, run.elbo.total());
    value.curves.push_back(std::move(point));
  }
  value.y_range = Interval{low - padded(low, high), high + padded(low, high)};
  value.has_legend = false;
  return value;
}

CurvePlotValue rateTrajectoryPlot(const DropoutRatePicture& picture) {
  CurvePlotValue value = plotOf(ratesTr("step"), ratesTr("p"));
  value.y_range = Interval{-0.04, 1.04};
  value.has_legend = false;
  for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
    const RateTrajectory& run = picture.trajectories[i];
    value.curves.push_back(traceOf(picture, i, run.keeps));
    value.curves.back().is_thin = false;
  }
  return value;
}

CurvePlotValue rateElboTracePlot(const DropoutRatePicture& picture) {
  CurvePlotValue value = plotOf(ratesTr("step"), ratesTr("ELBO (nats)"));
  value.has_legend = false;
  std::vector<double> trained;
  for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
    const RateTrajectory& run = picture.trajectories[i];
    const std::vector<double>& elbos = run.elbos.y;
    trained.insert(trained.end(),
                   elbos.begin() + static_cast<std::ptrdiff_t>(elbos.size() / kUntrainedPart),
                   elbos.end());
    value.curves.push_back(traceOf(picture, i, run.elbos));
  }
  if (!trained.empty()) {
    const auto quantile = trained.begin() + static_cast<std::ptrdiff_t>(trained.size() / 20);
    std::ranges::nth_element(trained, quantile);
    const double low = *quantile;
    const double high = *std::ranges::max_element(trained);
    value.y_range = Interval{low - padded(low, high), high + padded(low, high)};
  }
  return value;
}

QString rateSentence(const DropoutRatePicture& picture) {
  int zero = 0;
  int one = 0;
  std::vector<double> inside;
  const RateEstimator chosen = picture.trajectories.front().estimator;
  for (const RateTrajectory& run : picture.trajectories) {
    if (run.estimator != chosen) {
      continue;
    }
    if (run.mean_keep < kRateBoundary) {
      ++zero;
    } else if (run.mean_keep > 1.0 - kRateBoundary) {
      ++one;
    } else {
      inside.push_back(run.mean_keep);
    }
  }
  QStringList parts;
  if (zero > 0) {
    parts << ratesTr("%1 at 0").arg(zero);
  }
  if (one > 0) {
    parts << ratesTr("%1 at 1").arg(one);
  }
  if (!inside.empty()) {
    const auto [low, high] = std::ranges::minmax(inside);
    parts << ratesTr("%1 between (%2)").arg(QString::number(inside.size()), spanText(low, high));
  }
  const RateGridPoint& best = picture.grid[picture.best];
  return ratesTr("Of %1 starts: %2. Largest ELBO of the grid: %4 nats at p = %3.")
      .arg(QString::number(zero + one + static_cast<int>(inside.size())),
           parts.join(QStringLiteral(", ")), keepText(best.keep), shortText(best.elbo.total(), 3));
}

QString rateCaption(const DropoutRatePicture& picture, const DropoutRateOptions& options) {
  return ratesTr(
             "step %1 of %2 · points: runs, with the weights they have by now · line: trained "
             "weights, %3 masks ± 2 standard errors · dashed: closed form")
      .arg(countText(picture.done), countText(picture.total), countText(options.grid_draws));
}

}  // namespace dubito
