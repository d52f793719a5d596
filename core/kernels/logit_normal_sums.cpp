// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_normal_sums.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/kernels/logit_noise.h"

namespace dubito {
namespace {

/// A eps [K].
void moveNoise(const LogitMap& map, std::span<const double> noise, std::span<double> moved) {
  for (std::size_t k = 0; k < moved.size(); ++k) {
    if (map.factor == nullptr) {
      moved[k] = double{map.deviation[k]} * noise[k];
      continue;
    }
    const float* const row = map.factor + k * noise.size();
    moved[k] = 0.0;
    for (std::size_t r = 0; r < noise.size(); ++r) {
      moved[k] += double{row[r]} * double{map.stretch[r]} * noise[r];
    }
  }
}

/// Replaces logits by their softmax and returns its entropy. The largest class is left out of the
/// sum, so that the remainder keeps its precision.
double softmaxInPlace(std::span<double> row) {
  const auto winner =
      static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
  const double top = row[winner];
  double rest = 0.0;
  double weighted = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double below_top = row[k] - top;
    row[k] = std::exp(below_top);
    rest += k == winner ? 0.0 : row[k];
    weighted -= row[k] * below_top;
  }
  for (double& p : row) {
    p /= 1.0 + rest;
  }
  return std::log1p(rest) + weighted / (1.0 + rest);
}

}  // namespace

void sumLogitNormalScalar(const LogitMap& map, std::array<std::uint32_t, 2> key,
                          std::int64_t item_id, std::int64_t samples, LogitNormalSums& sums,
                          float* draws) {
  const auto classes = static_cast<std::size_t>(map.classes);
  std::vector<double> noise(static_cast<std::size_t>(map.noise));
  std::vector<double> moved(classes);
  std::vector<double> probs(classes);
  for (std::int64_t draw = 0; draw < samples; ++draw) {
    const bool mirrored = draw % 2 == 1;
    if (!mirrored) {
      logitNoise(key, item_id, static_cast<std::uint32_t>(draw / 2), noise);
      moveNoise(map, noise, moved);
    }
    for (std::size_t k = 0; k < classes; ++k) {
      probs[k] = double{map.mean[k]} + (mirrored ? -moved[k] : moved[k]);
    }
    sums.entropies += softmaxInPlace(probs);
    for (std::size_t k = 0; k < classes; ++k) {
      sums.probs[k] += probs[k];
      if (draws != nullptr) {
        draws[static_cast<std::size_t>(draw) * classes + k] = static_cast<float>(probs[k]);
      }
    }
  }
}

}  // namespace dubito
