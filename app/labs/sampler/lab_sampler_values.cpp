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
#include "core/labs/sampling/nuts.h"

namespace dubito {
namespace {

bool isInside(Interval range, double value) {
  return value >= range.low && value <= range.high;
}

const SamplerTargetInfo& infoOf(const SamplerScene& scene) {
  return *findSamplerTarget(scene.key);
}

std::int64_t statesOf(const SamplerPicture& picture) {
  return picture.points.front().extent(0) * static_cast<std::int64_t>(picture.points.size());
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

/// "10", or of NUTS "5.2 (depth 2.4)".
KeyValue leapfrogSteps(const SamplerPicture& picture) {
  KeyValue steps = number(labText("Leapfrog steps"), picture.leapfrog_steps,
                          labText("Mean number of gradients per transition after the warm-up"));
  if (std::isfinite(picture.tree_depth)) {
    steps.value = labText("%1 (depth %2)").arg(steps.value, known(picture.tree_depth, 2));
    steps.tooltip += u'\n' + labText("Depth: how often a trajectory was doubled, at most %1")
                                 .arg(NutsOptions::kMaxTreeDepth);
  }
  return steps;
}

std::array<double, 2> stdsOf(const DenseGaussian& moments) {
  return {std::sqrt(moments.covariance[0]), std::sqrt(moments.covariance[3])};
}

}  // namespace

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

DensityPathValue densityPathOf(const SamplerPicture& picture, const LabSamplerInfo& sampler,
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
  value.path_start = picture.path_start;
  value.path_end = picture.path_end;
  value.path_accepted = picture.path_accepted;
  if (!picture.momentum.empty()) {
    value.momentum = QPointF(picture.momentum[0], picture.momentum[1]);
  }
  if (sampler.has_tree_depth) {
    value.path_name = picture.path_accepted ? labText("last trajectory from ○, new state ●")
                                            : labText("last trajectory from ○, the state stays");
  }
  value.density = std::move(density);
  value.gaussians = std::move(gaussians);
  return value;
}

QString samplerCaption(const SamplerRunner& runner) {
  const SamplerPicture& picture = *runner.picture();
  const SamplerScene& scene = *runner.experiment().scene;
  const LabSamplerInfo& sampler = *findLabSampler(runner.options().sampler);
  std::int64_t outside = 0;
  for (const Array<double>& chain : picture.points) {
    for (std::int64_t i = 0; i < chain.extent(0); ++i) {
      outside += !isInside(scene.target.shown_x, chain.row(i)[0]) ||
                 !isInside(scene.target.shown_y, chain.row(i)[1]);
    }
  }
  return captionOf(
      {labText(sampler.short_name),
       countedText(std::ssize(picture.points), labText("%1 chain"), labText("%1 chains")),
       labText("transition %1").arg(countText(picture.transitions)),
       labText("%1 states (dots)").arg(countText(statesOf(picture))),
       outside > 0 ? labText("%1 outside the picture").arg(countText(outside)) : QString()});
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
  std::vector<KeyValue> numbers{
      {labText("Acceptance"),
       shareText(picture.acceptance),
       {},
       labText("Mean probability with which a proposal is accepted; of NUTS over all points of a "
               "trajectory; Langevin dynamics rejects nothing")},
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
           "Transitions whose energy error was so large that the step size is too large there")}};
  if (!picture.momentum.empty()) {
    numbers.push_back(leapfrogSteps(picture));
  }
  numbers.push_back(moment(labText("Mean (exact)"), {found.mean[0], found.mean[1]},
                           {exact.mean[0], exact.mean[1]}, scene.target));
  numbers.push_back(moment(labText("Std (exact)"), stdsOf(found), stdsOf(exact), scene.target));
  return numbers;
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
