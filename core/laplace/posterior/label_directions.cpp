// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "core/kernels/philox.h"
#include "core/laplace/posterior/label_directions_torch.h"

namespace dubito {
namespace {

std::int64_t labelAt(double position, std::span<const double> probs) {
  double cumulative = 0.0;
  for (std::size_t k = 0; k + 1 < probs.size(); ++k) {
    cumulative += probs[k];
    if (position < cumulative) {
      return static_cast<std::int64_t>(k);
    }
  }
  return static_cast<std::int64_t>(probs.size()) - 1;
}

}  // namespace

at::Tensor labelDirections(const at::Tensor& probs) {
  // q_j = sum of p_i over i >= j, summed from the end so that nothing cancels.
  const at::Tensor rest = probs.flip(1).cumsum(1).flip(1);  // [B, K]
  const std::int64_t classes = probs.size(1);
  at::Tensor directions = at::zeros({classes - 1, probs.size(0), classes}, probs.options());
  for (std::int64_t j = 0; j + 1 < classes; ++j) {
    const at::Tensor p = probs.select(1, j);
    const at::Tensor with = rest.select(1, j);
    const at::Tensor after = rest.select(1, j + 1);
    // If no probability remains, there is nothing to distinguish.
    const at::Tensor own = at::nan_to_num(at::sqrt(p * (after / with)), 0.0, 0.0, 0.0);
    const at::Tensor others = at::nan_to_num(at::sqrt(p / with / after), 0.0, 0.0, 0.0);
    at::Tensor direction = directions.select(0, j);
    direction.select(1, j).copy_(own);
    direction.slice(1, j + 1).copy_(-probs.slice(1, j + 1) * others.unsqueeze(1));
  }
  return directions;
}

at::Tensor sampledLabelDirections(const at::Tensor& probs, std::span<const std::int64_t> item_ids,
                                  std::int64_t samples, std::uint64_t seed) {
  const std::int64_t items = probs.size(0);
  const std::int64_t classes = probs.size(1);
  if (items != static_cast<std::int64_t>(item_ids.size())) {
    throw std::invalid_argument(
        "sampledLabelDirections: the number of ids differs from the number of items");
  }
  const at::Tensor rows = probs.contiguous();
  at::Tensor directions = -rows.unsqueeze(0).repeat({samples, 1, 1});
  auto elements = directions.accessor<double, 3>();
  const std::array<std::uint32_t, 2> key = siteKey(seed, kLabelSite);
  for (std::int64_t i = 0; i < items; ++i) {
    const auto id = static_cast<std::uint64_t>(item_ids[static_cast<std::size_t>(i)]);
    const std::span<const double> row(rows.const_data_ptr<double>() + i * classes,
                                      static_cast<std::size_t>(classes));
    std::array<std::uint32_t, 4> words{};
    for (std::int64_t s = 0; s < samples; ++s) {
      if (s % 4 == 0) {
        words = philox4x32({static_cast<std::uint32_t>(s / 4), 0, static_cast<std::uint32_t>(id),
                            static_cast<std::uint32_t>(id >> 32)},
                           key);
      }
      const double position =
          (static_cast<double>(words[static_cast<std::size_t>(s % 4)]) + 0.5) * 0x1p-32;
      elements[s][i][labelAt(position, row)] += 1.0;
    }
  }
  return directions.mul_(1.0 / std::sqrt(static_cast<double>(samples)));
}

}  // namespace dubito
