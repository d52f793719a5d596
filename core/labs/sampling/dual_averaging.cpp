// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/dual_averaging.h"

#include <cmath>

namespace dubito {
namespace {

// Constants of Hoffman and Gelman 2014, section 3.2.1, except gamma, 0.05 there: the larger it is,
// the less the steps scatter, and the closer the acceptance of their mean is to the target.
constexpr double kGamma = 0.2;
constexpr double kFirstUpdates = 10.0;
constexpr double kKappa = 0.75;

}  // namespace

DualAveraging::DualAveraging(double step, double target)
    : target_(target), shrink_to_(std::log(10.0 * step)), step_(step), averaged_(step) {}

void DualAveraging::update(double acceptance) {
  const auto t = static_cast<double>(++updates_);
  const double weight = 1.0 / (t + kFirstUpdates);
  error_ += weight * (target_ - acceptance - error_);
  const double log_step = shrink_to_ - std::sqrt(t) / kGamma * error_;
  step_ = std::exp(log_step);
  // The first update has weight 1, so the initial guess does not count.
  const double share = std::pow(t, -kKappa);
  averaged_ = std::exp(share * log_step + (1.0 - share) * std::log(averaged_));
}

}  // namespace dubito
