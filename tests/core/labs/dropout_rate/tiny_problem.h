// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/labs/dropout_rate/rate_elbo.h"

namespace dubito::test {

/// A network so small that all of its masks can be listed.
inline RateProblem tinyProblem() {
  RateProblem problem;
  problem.x = {-1.3, -0.4, 0.2, 0.9, 1.7};
  problem.y = {-0.8, -0.5, 0.3, 0.7, 0.4};
  problem.shape.hidden = {6};
  problem.noise_std = 0.7;
  problem.prior_std = 1.3;
  return problem;
}

/// All 2^k masks.
inline std::vector<std::vector<double>> allMasks(std::int64_t units) {
  std::vector<std::vector<double>> masks;
  for (std::uint32_t bits = 0; bits < (1U << units); ++bits) {
    std::vector<double> mask;
    for (std::int64_t j = 0; j < units; ++j) {
      mask.push_back((bits >> j) & 1U);
    }
    masks.push_back(mask);
  }
  return masks;
}

}  // namespace dubito::test
