// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How the gradient of the ELBO with respect to p, the probability that a unit is kept, is found.
enum class RateEstimator {
  kCoordinate,  ///< of the error of the mean network, not of the ELBO (Chan 2019, algorithm 3)
  kScore,       ///< score function (Chan 2019, equation 4.8 and algorithm 4)
  kExact,       ///< in closed form
  kConcrete,    ///< through relaxed masks (Gal, Hron and Kendall 2017), on the logit of p
};

/// A RateEstimator for lists.
struct RateEstimatorInfo {
  RateEstimator id{};
  const char* key = nullptr;          ///< "score"
  const char* name = nullptr;         ///< "Score function"
  const char* explanation = nullptr;  ///< one or two sentences for a student
  const char* formula = nullptr;      ///< the step of p, as plain text
};

/// All of them, in the order of lists.
[[nodiscard]] const std::vector<RateEstimatorInfo>& rateEstimators();
[[nodiscard]] const RateEstimatorInfo& infoOf(RateEstimator estimator);

/// Options of the laboratory "Dropout rate".
struct DropoutRateOptions {
  std::string estimator = "score";  ///< key of one of rateEstimators()
  std::int64_t starts = 9;          ///< values of p to start from, evenly spaced in (0, 1)
  double rate_step = 1e-6;          ///< step size of p, > 0
  double margin = 0.0;              ///< p stays in [margin, 1 - margin], in [0, 0.45]
  bool baseline = false;            ///< of "score": subtract the running mean of the ELBO
  std::int64_t draws = 1;           ///< masks per step
  bool concrete = true;             ///< run concrete dropout from p = 1/2 next to the estimator
  std::int64_t steps = 6000;        ///< steps of weights and p
  /// Standard deviation of the noise of the likelihood, in the unit of y, > 0. `target_scale` gives
  /// the half sum of squares of Chan's report.
  double assumed_noise = 100.0;
  double prior_std = 1.0;         ///< of every weight, > 0
  std::int64_t points = 100;      ///< of the data
  std::int64_t hidden = 128;      ///< units of the network
  double target_scale = 100.0;    ///< y is divided by it, > 0
  std::string optimiser = "sgd";  ///< of the weights, "sgd" or "adam"
  double learning_rate = 1e-4;    ///< of the weights, > 0
  double initial_std = 1.0;       ///< of the output weights at the start, > 0; 1: from the prior
  std::int64_t grid_draws = 100;  ///< masks per evaluation of the ELBO on the grid

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const { return checkFieldsOf(*this); }
};

}  // namespace dubito
