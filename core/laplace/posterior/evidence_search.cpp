// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/evidence_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dubito {
namespace {

constexpr double kLogLow = -8.0 * std::numbers::ln10;
constexpr double kLogHigh = 12.0 * std::numbers::ln10;
constexpr int kGridPoints = 41;
constexpr double kTolerance = 1e-6;

}  // namespace

ChosenPrior maximiseEvidence(const LaplacePosterior& posterior, double n) {
  const auto evidence = [&](double log_tau) {
    const double value = logEvidence(posterior, {n, std::exp(log_tau)});
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  };
  constexpr double kStep = (kLogHigh - kLogLow) / (kGridPoints - 1);
  int best = 0;
  double best_value = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < kGridPoints; ++i) {
    if (const double value = evidence(kLogLow + kStep * i); value > best_value) {
      best = i;
      best_value = value;
    }
  }
  if (best == 0 || best == kGridPoints - 1) {
    const double tau = std::exp(kLogLow + kStep * best);
    return {tau,
            {fmt::format("The evidence is largest at the end of the range, tau = {:.3g}; set tau "
                         "if that is implausible",
                         tau)}};
  }
  double low = kLogLow + kStep * (best - 1);
  double high = kLogLow + kStep * (best + 1);
  constexpr double kGolden = 1.0 / std::numbers::phi;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = evidence(left);
  double at_right = evidence(right);
  while (high - low > kTolerance) {
    if (at_left >= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = evidence(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = evidence(right);
    }
  }
  return {std::exp(0.5 * (low + high)), {}};
}

}  // namespace dubito
