// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/beta_figure.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

#include "core/labs/simplex/logit_normal.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {
namespace {

double normalDensity(double x, double mean, double variance) {
  const double deviation = x - mean;
  return std::exp(-0.5 * deviation * deviation / variance) /
         std::sqrt(2.0 * std::numbers::pi * variance);
}

}  // namespace

BetaFigure betaFigure(double a, double b, std::int64_t points) {
  if (points < 2) {
    throw std::invalid_argument("betaFigure: needs two or more points");
  }
  // In the order of the classes: logit 0 belongs to p.
  const LogitGaussian gaussian = dirichletToLogitGaussian(std::array{a, b});
  const double mean = std::log(a / b);
  const double variance = 1.0 / a + 1.0 / b;
  const Interval probabilities{0.0, 1.0};
  const double reach = 5.0 * std::sqrt(variance);
  const Interval logits{mean - reach, mean + reach};

  BetaFigure figure;
  figure.beta = curveAtCentres(probabilities, points,
                               [&](double p) { return std::exp(betaLogDensity(a, b, p)); });
  if (a > 1.0 && b > 1.0) {
    const double mode = (a - 1.0) / (a + b - 2.0);
    const double spread = mode * (1.0 - mode) / (a + b - 2.0);
    figure.laplace = curveAtCentres(probabilities, points,
                                    [&](double p) { return normalDensity(p, mode, spread); });
  }
  figure.beta_of_logit = curveAtCentres(logits, points, [&](double y) {
    // ln p and ln(1 - p) without cancellation.
    const double log_p = y < 0.0 ? y - std::log1p(std::exp(y)) : -std::log1p(std::exp(-y));
    const double log_rest = log_p - y;
    const double at_half = betaLogDensity(a, b, 0.5) + (a + b - 2.0) * std::numbers::ln2;
    return std::exp(at_half + a * log_p + b * log_rest);
  });
  figure.laplace_of_logit =
      curveAtCentres(logits, points, [&](double y) { return normalDensity(y, mean, variance); });
  figure.bridge = logitNormalLine(LogitNormal(gaussian), points);
  return figure;
}

}  // namespace dubito
