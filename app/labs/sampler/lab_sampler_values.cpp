// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/lab_sampler_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "app/labs/lab_values.h"
#include "core/labs/sampling/convergence.h"

namespace dubito {
namespace {

/// Points of one trace, at most: more would only fill the plot.
constexpr std::int64_t kTracePoints = 400;
/// Room above and below a trace, as a share of the shown range.
constexpr double kTraceMargin = 0.05;

bool isInside(Interval range, double value) {
  return value >= range.low && value <= range.high;
}

const SamplerTargetInfo& infoOf(const SamplerScene& scene) {
  return *findSamplerTarget(scene.key);
}

std::int64_t statesOf(const SamplerPicture& picture) {
  return picture.points.front().extent(0) * static_cast<std::int64_t>(picture.points.size());
}

std::int64_t strideOf(const SamplerPicture& picture) {
  return std::max<std::int64_t>(1, picture.points.front().extent(0) / kTracePoints);
}

/// "–" for what is not known or has overflowed.
QString known(double value, int digits = 3) {
  return shortText(std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN(), digits);
}

KeyValue number(const QString& name, double value, const QString& meaning, int digits = 3) {
  return {name, known(value, digits), {}, meaning + u'\n' + exactText(value)};
}

/// Two coordinates; "–" for what is far outside the picture. Integrals over a grid are not exactly
/// 0 where symmetry says so.
QString pair(double x, double y, const SamplerTarget& target) {
  const auto text = [](double value, Interval shown) {
    const double width = shown.high - shown.low;
    return std::abs(value) < 1e-9 * width    ? QStringLiteral("0")
           : std::abs(value) > 100.0 * width ? QStringLiteral("–")
                                             : known(value);
  };
  const QString shown_x = text(x, target.shown_x);
  const QString shown_y = text(y, target.shown_y);
  const QString none = QStringLiteral("–");
  return shown_x == none && shown_y == none ? none : QStringLiteral("%1, %2").arg(shown_x, shown_y);
}

/// A moment of both coordinates next to the exact one.
KeyValue moment(const QString& name, const std::array<double, 2>& found,
                const std::array<double, 2>& exact, const SamplerTarget& target) {
  return {name,
          QStringLiteral("%1 (%2)").arg(pair(found[0], found[1], target),
                                        pair(exact[0], exact[1], target)),
          {},
          labText("of the states: %1, %2\n%3: %4, %5")
              .arg(exactText(found[0]), exactText(found[1]),
                   target.is_integrated ? labText("integrated over a grid") : labText("exact"),
                   exactText(exact[0]), exactText(exact[1]))};
}

std::array<double, 2> stdsOf(const DenseGaussian& moments) {
  return {std::sqrt(moments.covariance[0]), std::sqrt(moments.covariance[3])};
}

}  // namespace

const std::vector<SamplerInfo>& samplerInfos() {
  static const std::vector<SamplerInfo> infos{
      {"hmc", QT_TRANSLATE_NOOP("Labs", "Hamiltonian Monte Carlo"),
       QT_TRANSLATE_NOOP("Labs", "HMC"),
       QT_TRANSLATE_NOOP("Labs",
                         "A ball rolls over -ln p with a random push and follows the ridge. Steps "
                         "that are too large miss the curve, and the proposal is rejected.")},
      {"metropolis", QT_TRANSLATE_NOOP("Labs", "Random-walk Metropolis"),
       QT_TRANSLATE_NOOP("Labs", "Metropolis"),
       QT_TRANSLATE_NOOP("Labs",
                         "A random step, accepted with probability min(1, p(new)/p(old)). It needs "
                         "no gradient, but many steps to go far.")},
      {"langevin", QT_TRANSLATE_NOOP("Labs", "Langevin dynamics (SGLD)"),
       QT_TRANSLATE_NOOP("Labs", "Langevin"),
       QT_TRANSLATE_NOOP("Labs",
                         "Half a step uphill plus noise, never rejected: fast, but the larger the "
                         "step, the wider the result is than the density.")}};
  return infos;
}

std::shared_ptr<const PlaneDensity> planeDensityOf(const SamplerScene& scene) {
  auto density = std::make_shared<PlaneDensity>();
  density->log_density = scene.log_density;
  density->levels = scene.levels;
  density->x_range = scene.target.shown_x;
  density->y_range = scene.target.shown_y;
  density->x_label = QString::fromUtf8(infoOf(scene).x_label);
  density->y_label = QString::fromUtf8(infoOf(scene).y_label);
  return density;
}

std::vector<DrawnGaussian> gaussiansOf(const SamplerScene& scene, bool laplace, bool mean_field) {
  std::vector<DrawnGaussian> gaussians;
  if (laplace && scene.laplace) {
    const DenseGaussian& found = *scene.laplace;
    DrawnGaussian gaussian{labText("Laplace"), {}, {}, 0};
    std::ranges::copy(found.mean, gaussian.mean.begin());
    std::ranges::copy(found.covariance, gaussian.covariance.begin());
    gaussians.push_back(gaussian);
  }
  if (mean_field && scene.mean_field) {
    const MeanField& found = *scene.mean_field;
    gaussians.push_back({labText("Bayes by Backprop"),
                         {found.mean[0], found.mean[1]},
                         {found.std[0] * found.std[0], 0.0, 0.0, found.std[1] * found.std[1]},
                         1});
  }
  return gaussians;
}

DensityPathValue densityPathOf(const SamplerPicture& picture,
                               std::shared_ptr<const PlaneDensity> density,
                               std::vector<DrawnGaussian> gaussians) {
  DensityPathValue value;
  for (const Array<double>& chain : picture.points) {
    for (std::int64_t i = 0; i < chain.extent(0); ++i) {
      const auto point = chain.row(i);
      if (isInside(density->x_range, point[0]) && isInside(density->y_range, point[1])) {
        value.points.emplace_back(point[0], point[1]);
      }
    }
  }
  for (std::int64_t i = 0; i < picture.path.extent(0); ++i) {
    value.path.emplace_back(picture.path.row(i)[0], picture.path.row(i)[1]);
  }
  value.path_accepted = picture.path_accepted;
  value.density = std::move(density);
  value.gaussians = std::move(gaussians);
  return value;
}

QString samplerCaption(const SamplerRunner& runner) {
  const SamplerPicture& picture = *runner.picture();
  const SamplerScene& scene = *runner.experiment().scene;
  const auto sampler =
      std::ranges::find(samplerInfos(), runner.options().sampler, &SamplerInfo::key);
  std::int64_t outside = 0;
  for (const Array<double>& chain : picture.points) {
    for (std::int64_t i = 0; i < chain.extent(0); ++i) {
      outside += !isInside(scene.target.shown_x, chain.row(i)[0]) ||
                 !isInside(scene.target.shown_y, chain.row(i)[1]);
    }
  }
  return captionOf(
      {labText(sampler->short_name),
       countedText(std::ssize(picture.points), labText("%1 chain"), labText("%1 chains")),
       labText("transition %1").arg(countText(picture.transitions)),
       labText("%1 states (dots)").arg(countText(statesOf(picture))),
       outside > 0 ? labText("%1 outside the picture").arg(countText(outside)) : QString()});
}

CurvePlotValue traceOf(const SamplerPicture& picture, const SamplerScene& scene) {
  const Interval shown = scene.target.shown_x;
  const double width = shown.high - shown.low;
  const std::int64_t every = picture.thinning * strideOf(picture);
  CurvePlotValue value = linePlot(
      every == 1 ? labText("transition") : labText("transition (one of %1)").arg(countText(every)),
      QString::fromUtf8(infoOf(scene).x_label));
  value.has_legend = false;
  value.y_range = Interval{shown.low - kTraceMargin * width, shown.high + kTraceMargin * width};
  const auto stride = static_cast<std::size_t>(strideOf(picture));
  for (std::size_t c = 0; c < picture.traces.size(); ++c) {
    const Curve& trace = picture.traces[c];
    StyledCurve styled = styledCurve(QString::fromStdString(trace.name), static_cast<int>(c), 0);
    styled.short_name = QString::number(c + 1);
    styled.is_thin = true;
    for (std::size_t i = stride - 1; i < trace.x.size(); i += stride) {
      // A value far away would only draw a vertical line.
      const bool is_near = std::abs(trace.y[i] - shown.low) < 10.0 * width;
      styled.curve.x.push_back(trace.x[i]);
      styled.curve.y.push_back(is_near ? trace.y[i] : std::numeric_limits<double>::quiet_NaN());
    }
    value.curves.push_back(std::move(styled));
  }
  return value;
}

CurvePlotValue autocorrelationOf(const SamplerPicture& picture) {
  CurvePlotValue value = linePlot(labText("lag (transitions)"));
  value.has_legend = false;
  value.y_range = Interval{-0.3, 1.05};
  value.baseline = 0.0;
  value.curves.push_back({picture.autocorrelation});
  return value;
}

std::vector<KeyValue> samplerNumbers(const SamplerPicture& picture, const SamplerScene& scene) {
  const DenseGaussian& exact = scene.target.moments;
  const DenseGaussian& found = picture.moments;
  constexpr double kHugeRhat = 100.0;
  KeyValue rhat =
      number(labText("R-hat"), picture.rhat,
             labText("How much the chains disagree; near 1 if they agree, at most %1 for results")
                 .arg(kMaxRhat),
             4);
  if (picture.rhat > kHugeRhat) {
    rhat.value = QStringLiteral("> 100");
  }
  return {
      {labText("Acceptance"),
       shareText(picture.acceptance),
       {},
       labText("Mean probability with which a proposal is accepted; Langevin dynamics rejects "
               "nothing")},
      rhat,
      number(
          labText("Effective sample size"), picture.ess,
          labText("Independent draws that would be worth as much as the states shown; at least %1 "
                  "per chain for results")
              .arg(kMinEssPerChain)),
      {labText("Divergences"),
       countText(picture.divergences),
       {},
       labText(
           "Transitions whose energy error was so large that the step size is too large there")},
      moment(labText("Mean (exact)"), {found.mean[0], found.mean[1]},
             {exact.mean[0], exact.mean[1]}, scene.target),
      moment(labText("Std (exact)"), stdsOf(found), stdsOf(exact), scene.target)};
}

QString samplerNotes(const SamplerRunner& runner) {
  if (!runner.error().isEmpty()) {
    return runner.error();
  }
  if (!runner.picture()) {
    return {};
  }
  QStringList notes = toTexts(runner.picture()->warnings);
  if (runner.experiment().place && runner.picture()->points.size() > 1) {
    notes << labText(
        "All chains start at the place that was clicked: R-hat cannot show what none of "
        "them has found; Reset starts them apart");
  }
  if (notes.isEmpty()) {
    return labText("The chains agree: R-hat is %1, at most %2")
        .arg(known(runner.picture()->rhat, 4))
        .arg(kMaxRhat);
  }
  return notes.join(QStringLiteral(". "));
}

}  // namespace dubito
