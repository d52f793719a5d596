// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/lab_dropout_rate_values.h"

#include <algorithm>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

/// Colours of the starts repeat after four; then come other dashes.
constexpr int kRateHues = 4;
/// A run this near to a boundary is counted there: the exact gradient and concrete dropout come
/// near without touching it.
constexpr double kRateBoundary = 0.02;
/// Part of a trace that is left out when the axis is chosen: untrained weights give a very low
/// ELBO.
constexpr std::size_t kUntrainedPart = 10;

/// Its curves have no legend: the caption says what they are.
CurvePlotValue ratePlot(const QString& x_label, const QString& y_label) {
  CurvePlotValue value = linePlot(x_label, y_label);
  value.has_legend = false;
  return value;
}

QString nameOfRun(const RateTrajectory& run) {
  return run.estimator == RateEstimator::kConcrete ? labText("concrete dropout")
                                                   : labText("from %1").arg(shortText(run.start));
}

/// Whether run `index` is concrete dropout next to runs of another estimator.
bool isBeside(const DropoutRatePicture& picture, std::size_t index) {
  return picture.trajectories[index].estimator != picture.trajectories.front().estimator;
}

StyledCurve styledRun(const DropoutRatePicture& picture, std::size_t index, Curve points) {
  const int run = static_cast<int>(index);
  StyledCurve styled =
      styledCurve(nameOfRun(picture.trajectories[index]), run, run / kRateHues, std::move(points));
  if (isBeside(picture, index)) {
    styled.role = StyledCurve::Role::kSelection;
    styled.dash = 0;
  }
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
  return first == last ? labText("p = %1").arg(first) : labText("p = %1 to %2").arg(first, last);
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
  CurvePlotValue value = ratePlot(labText("p, probability that a unit is kept"),
                                  labText("ELBO (nats, up to a constant)"));
  value.y_short = labText("ELBO (nats)");
  value.interval_name = labText("± 2 standard errors");
  StyledCurve grid = styledCurve(labText("trained weights, by masks"), -1, 0);
  StyledCurve exact = styledCurve(labText("trained weights, closed form"), -1, 1);
  exact.role = StyledCurve::Role::kReference;
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
    StyledCurve point = styledRun(picture, i, {{}, {run.keep}, {run.elbo.total()}});
    // Marks the point.
    point.intervals = {{run.elbo.total(), run.elbo.total()}};
    low = std::min(low, run.elbo.total());
    high = std::max(high, run.elbo.total());
    value.curves.push_back(std::move(point));
  }
  value.y_range = Interval{low - padded(low, high), high + padded(low, high)};
  return value;
}

CurvePlotValue rateTrajectoryPlot(const DropoutRatePicture& picture) {
  CurvePlotValue value = ratePlot(labText("step"), labText("p"));
  value.y_range = Interval{-0.04, 1.04};
  for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
    value.curves.push_back(styledRun(picture, i, picture.trajectories[i].keeps));
  }
  return value;
}

CurvePlotValue rateElboTracePlot(const DropoutRatePicture& picture) {
  CurvePlotValue value = ratePlot(labText("step"), labText("ELBO (nats)"));
  std::vector<double> trained;
  for (std::size_t i = 0; i < picture.trajectories.size(); ++i) {
    const RateTrajectory& run = picture.trajectories[i];
    const std::vector<double>& elbos = run.elbos.y;
    trained.insert(trained.end(),
                   elbos.begin() + static_cast<std::ptrdiff_t>(elbos.size() / kUntrainedPart),
                   elbos.end());
    value.curves.push_back(styledRun(picture, i, run.elbos));
    value.curves.back().is_thin = true;
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
    parts << labText("%1 at 0").arg(zero);
  }
  if (one > 0) {
    parts << labText("%1 at 1").arg(one);
  }
  if (!inside.empty()) {
    const auto [low, high] = std::ranges::minmax(inside);
    parts << labText("%1 between (%2)").arg(QString::number(inside.size()), spanText(low, high));
  }
  const RateGridPoint& best = picture.grid[picture.best];
  return labText("Of %1 starts: %2. Largest ELBO of the grid: %4 nats at p = %3.")
      .arg(QString::number(zero + one + static_cast<int>(inside.size())),
           parts.join(QStringLiteral(", ")), keepText(best.keep), shortText(best.elbo.total(), 3));
}

QString rateCaption(const DropoutRatePicture& picture, const DropoutRateOptions& options) {
  return labText(
             "step %1 of %2 · points: runs, with the weights they have by now · line: trained "
             "weights, %3 masks ± 2 standard errors · dashed: closed form")
      .arg(countText(picture.done), countText(picture.total), countText(options.grid_draws));
}

}  // namespace dubito
