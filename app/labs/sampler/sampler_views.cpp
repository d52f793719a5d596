// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/sampler_views.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/labs/lab_values.h"
#include "core/base/find_by_key.h"
#include "core/base/nan.h"

namespace dubito {
namespace {

/// Points of one trace, at most: more would only fill the plot.
constexpr std::size_t kTracePoints = 400;
/// Room above and below a trace, as a share of the shown range.
constexpr double kTraceMargin = 0.05;
/// Bins of the histogram of a coordinate over the shown range.
constexpr int kMarginalBins = 40;

QString coordinateOf(const SamplerScene& scene, std::size_t axis) {
  const SamplerTargetInfo& info = *findSamplerTarget(scene.key);
  return QString::fromUtf8(axis == 0 ? info.x_label : info.y_label);
}

bool hasFiniteValue(const CurvePlotValue& value) {
  return std::ranges::any_of(value.curves, [](const StyledCurve& styled) {
    return std::ranges::any_of(styled.curve.y, [](double y) { return std::isfinite(y); });
  });
}

/// Why nothing is drawn that only draws after the warm-up have.
QString missingDraws(const SamplerPicture& picture) {
  // Two states make a line.
  const bool has_states = picture.points.front().extent(0) > 1;
  return picture.is_warming_up || !has_states
             ? labText("Comes after the warm-up")
             : labText("The chains do not move or have left the density");
}

std::size_t strideOf(const Curve& trace) {
  return std::max<std::size_t>(1, trace.x.size() / kTracePoints);
}

/// Appends every stride-th state of `trace`; states far outside the shown range are gaps.
void appendTrace(const Curve& trace, Interval shown, Curve& curve) {
  const std::size_t stride = strideOf(trace);
  for (std::size_t i = stride - 1; i < trace.x.size(); i += stride) {
    // A value far away would only draw a vertical line.
    const bool is_near = std::abs(trace.y[i] - shown.low) < 10.0 * (shown.high - shown.low);
    curve.x.push_back(trace.x[i]);
    curve.y.push_back(is_near ? trace.y[i] : kNaN);
  }
}

/// The first coordinate of each chain, the warm-up included, which is shaded. Long traces are
/// thinned.
SamplerPlot traceOf(const SamplerPicture& picture, const SamplerScene& scene,
                    const LabSamplerInfo& /*sampler*/) {
  const Interval shown = scene.target.shown_x;
  const double margin = kTraceMargin * (shown.high - shown.low);
  const std::int64_t every =
      picture.thinning * static_cast<std::int64_t>(strideOf(picture.traces.front()));
  SamplerPlot plot{linePlot(
      every == 1 ? labText("transition") : labText("transition (one of %1)").arg(countText(every)),
      coordinateOf(scene, 0))};
  plot.curves.has_legend = false;
  plot.curves.y_range = Interval{shown.low - margin, shown.high + margin};
  for (std::size_t c = 0; c < picture.traces.size(); ++c) {
    const Curve& warm_up = picture.warm_up_traces[c];
    StyledCurve styled =
        styledCurve(QString::fromStdString(picture.traces[c].name), static_cast<int>(c), 0);
    styled.short_name = QString::number(c + 1);
    styled.is_thin = true;
    appendTrace(warm_up, shown, styled.curve);
    appendTrace(picture.traces[c], shown, styled.curve);
    if (!warm_up.x.empty()) {
      plot.curves.shade = CurveShade{{0.0, warm_up.x.back()}, labText("warm-up")};
    }
    plot.curves.curves.push_back(std::move(styled));
  }
  if (!hasFiniteValue(plot.curves)) {
    plot.missing = picture.transitions == 0 ? labText("Comes with the first transition")
                                            : labText("The chains have left the density");
  }
  return plot;
}

SamplerPlot autocorrelationOf(const SamplerPicture& picture, const SamplerScene& /*scene*/,
                              const LabSamplerInfo& /*sampler*/) {
  SamplerPlot plot{linePlot(labText("lag (transitions)"))};
  plot.curves.has_legend = false;
  plot.curves.y_range = Interval{-0.3, 1.05};
  plot.curves.baseline = 0.0;
  plot.curves.curves.push_back({picture.autocorrelation});
  if (!hasFiniteValue(plot.curves)) {
    plot.missing = missingDraws(picture);
  }
  return plot;
}

/// A histogram as the outline of its bars, scaled to a density: `total` draws have the area 1.
StyledCurve barsOf(const Histogram& histogram, std::int64_t total) {
  StyledCurve bars = styledCurve(labText("states"), -1, 0);
  bars.is_thin = true;
  bars.is_band = true;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double low = histogram.edges[i];
    const double high = histogram.edges[i + 1];
    const double density =
        static_cast<double>(histogram.counts[i]) / (static_cast<double>(total) * (high - low));
    for (const double edge : {low, high}) {
      bars.curve.x.push_back(edge);
      bars.curve.y.push_back(density);
      bars.intervals.push_back({0.0, density});
    }
  }
  return bars;
}

/// The states of all chains along one axis, and the exact marginal density.
template <std::size_t kAxis>
SamplerPlot marginalOf(const SamplerPicture& picture, const SamplerScene& scene,
                       const LabSamplerInfo& /*sampler*/) {
  const Interval shown = kAxis == 0 ? scene.target.shown_x : scene.target.shown_y;
  std::vector<double> inside;
  std::int64_t total = 0;
  for (const Array<double>& chain : picture.points) {
    total += chain.extent(0);
    for (std::int64_t i = 0; i < chain.extent(0); ++i) {
      const double value = chain.row(i)[kAxis];
      if (value >= shown.low && value <= shown.high) {
        inside.push_back(value);
      }
    }
  }
  SamplerPlot plot{linePlot(coordinateOf(scene, kAxis), labText("density"))};
  if (total == 0) {
    plot.missing = missingDraws(picture);
    return plot;
  }
  const Curve& exact = scene.marginals[kAxis];
  StyledCurve bars = barsOf(makeHistogram(inside, shown, kMarginalBins), total);
  const double highest = std::max(std::ranges::max(bars.curve.y), std::ranges::max(exact.y));
  plot.curves.y_range = Interval{0.0, 1.1 * highest};
  plot.curves.curves.push_back(std::move(bars));
  StyledCurve density = styledCurve(labText("exact"), 1, 1, exact);
  plot.curves.curves.push_back(std::move(density));
  plot.curves.exports_legend = true;
  return plot;
}

/// H - H0 at each point of the last transition; NaN where it diverged.
std::vector<double> energyErrorsOf(const SamplerPicture& picture) {
  const std::size_t start = picture.path_start;
  const double start_energy = picture.potential[start] + picture.kinetic[start];
  std::vector<double> errors;
  for (std::size_t i = 0; i < picture.potential.size(); ++i) {
    const double error = picture.potential[i] + picture.kinetic[i] - start_energy;
    errors.push_back(error <= kMaxEnergyError ? error : kNaN);
  }
  return errors;
}

/// A value of each point of the last transition against its leapfrog steps from the start. Points
/// at which the transition diverged are gaps.
template <class Value>
StyledCurve alongPath(const SamplerPicture& picture, const QString& name, int run, int dash,
                      const Value& value) {
  StyledCurve styled = styledCurve(name, run, dash);
  const std::vector<double> errors = energyErrorsOf(picture);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    styled.curve.x.push_back(static_cast<double>(i) - static_cast<double>(picture.path_start));
    styled.curve.y.push_back(std::isnan(errors[i]) ? kNaN : value(i, errors[i]));
  }
  return styled;
}

/// "10 steps · largest |H - H0| 0.013"
QString energyNote(const SamplerPicture& picture) {
  double largest = 0.0;
  for (const double error : energyErrorsOf(picture)) {
    // Negated, so that NaN counts as too large.
    largest = !(std::abs(error) <= kMaxEnergyError) ? kNaN : std::max(largest, std::abs(error));
    if (std::isnan(largest)) {
      break;
    }
  }
  return captionOf({countedText(static_cast<std::int64_t>(picture.potential.size()) - 1,
                                labText("%1 step"), labText("%1 steps")),
                    std::isnan(largest)
                        ? labText("diverged")
                        : labText("largest |H − H₀| %1").arg(shortText(largest, 2))});
}

QString missingEnergy(const LabSamplerInfo& sampler) {
  return sampler.no_energy != nullptr ? labText(sampler.no_energy)
                                      : labText("Comes with the first transition");
}

/// Potential and kinetic energy along the last transition, and their sum.
SamplerPlot energiesOf(const SamplerPicture& picture, const SamplerScene& /*scene*/,
                       const LabSamplerInfo& sampler) {
  SamplerPlot plot{linePlot(labText("leapfrog step"), labText("energy"))};
  if (picture.potential.empty()) {
    plot.missing = missingEnergy(sampler);
    return plot;
  }
  plot.curves.curves.push_back(alongPath(
      picture, labText("H"), -1, 0,
      [&](std::size_t i, double /*error*/) { return picture.potential[i] + picture.kinetic[i]; }));
  plot.curves.curves.back().is_strong = true;
  plot.curves.curves.push_back(
      alongPath(picture, labText("potential −ln p"), 1, 1,
                [&](std::size_t i, double /*error*/) { return picture.potential[i]; }));
  plot.curves.curves.back().short_name = labText("−ln p");
  plot.curves.curves.push_back(
      alongPath(picture, labText("kinetic |p|²/2"), 2, 2,
                [&](std::size_t i, double /*error*/) { return picture.kinetic[i]; }));
  plot.curves.curves.back().short_name = labText("kinetic");
  plot.note = energyNote(picture);
  return plot;
}

/// The error of the integrator along the last transition.
SamplerPlot energyErrorOf(const SamplerPicture& picture, const SamplerScene& /*scene*/,
                          const LabSamplerInfo& sampler) {
  SamplerPlot plot{linePlot(labText("leapfrog step"), labText("H − H₀"))};
  if (picture.potential.empty()) {
    plot.missing = missingEnergy(sampler);
    return plot;
  }
  plot.curves.has_legend = false;
  plot.curves.baseline = 0.0;
  plot.curves.curves.push_back(alongPath(picture, labText("H − H₀"), -1, 0,
                                         [](std::size_t /*i*/, double error) { return error; }));
  plot.note = energyNote(picture);
  return plot;
}

}  // namespace

const std::vector<SamplerViewInfo>& samplerViews() {
  static const std::vector<SamplerViewInfo> views{
      {"trace", QT_TRANSLATE_NOOP("Labs", "Trace of %1"), 0, traceOf},
      {"autocorrelation", QT_TRANSLATE_NOOP("Labs", "Autocorrelation of %1"), 0, autocorrelationOf},
      {"marginal-x", QT_TRANSLATE_NOOP("Labs", "Marginal of %1"), 0, marginalOf<0>},
      {"marginal-y", QT_TRANSLATE_NOOP("Labs", "Marginal of %1"), 1, marginalOf<1>},
      {"energy", QT_TRANSLATE_NOOP("Labs", "Energy"), 0, energiesOf},
      {"energy-error", QT_TRANSLATE_NOOP("Labs", "Energy error"), 0, energyErrorOf}};
  return views;
}

std::optional<std::size_t> findSamplerView(std::string_view key) {
  const SamplerViewInfo* const found = findByKey(samplerViews(), key);
  return found == nullptr ? std::nullopt
                          : std::optional(static_cast<std::size_t>(found - samplerViews().data()));
}

QStringList samplerViewTitles(const SamplerScene& scene) {
  QStringList titles;
  for (const SamplerViewInfo& view : samplerViews()) {
    const QString title = labText(view.title);
    titles << (title.contains(QLatin1String("%1")) ? title.arg(coordinateOf(scene, view.axis))
                                                   : title);
  }
  return titles;
}

}  // namespace dubito
