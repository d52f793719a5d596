// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_covariance.h"

#include <algorithm>
#include <stdexcept>
#include <variant>
#include <vector>

#include "core/base/overloaded.h"
#include "core/kernels/factor_variance.h"

namespace dubito {
namespace {

using Shape = std::vector<std::int64_t>;

bool fits(const LogitCovariance& covariance, std::int64_t items, std::int64_t classes) {
  return std::visit(Overloaded{[&](const DiagonalCovariance& diagonal) {
                                 return diagonal.variance.shape() == Shape{items, classes};
                               },
                               [&](const FullCovariance& full) {
                                 return full.covariance.shape() == Shape{items, classes, classes};
                               },
                               [&](const FactoredCovariance& factored) {
                                 const Array<float>& factor = factored.factor;
                                 const Array<float>& scale = factored.scale;
                                 return factor.rank() == 2 && factor.extent(0) == classes &&
                                        factor.extent(1) >= 1 &&
                                        (scale.shape() == Shape{items, factor.extent(1)} ||
                                         scale.shape() == Shape{items, 1});
                               }},
                    covariance);
}

}  // namespace

GaussiansShape checkedShape(const LogitGaussians& gaussians) {
  if (gaussians.mean.rank() != 2 || gaussians.mean.extent(1) < 2) {
    throw std::invalid_argument("Gaussians over logits: the mean must be [N, K] with K >= 2");
  }
  const GaussiansShape shape{gaussians.mean.extent(0), gaussians.mean.extent(1)};
  if (!fits(gaussians.covariance, shape.items, shape.classes)) {
    throw std::invalid_argument("Gaussians over logits: the covariance does not match the mean");
  }
  return shape;
}

Array<float> logitVariance(const LogitGaussians& gaussians, const RunContext& context) {
  const auto [items, classes] = checkedShape(gaussians);
  if (const auto* const diagonal = std::get_if<DiagonalCovariance>(&gaussians.covariance)) {
    return diagonal->variance;
  }
  Array<float> variance = Array<float>::zeros({items, classes});
  if (const auto* const factored = std::get_if<FactoredCovariance>(&gaussians.covariance)) {
    const FactorVariance reader(*factored, false);
    context.parallelFor(items, factorRowsPerTask(classes * factored->scale.extent(1)),
                        [&](std::int64_t begin, std::int64_t end) {
                          if (!context.cancelRequested()) {
                            reader.read(begin, end, variance.mutableRow(begin).data());
                          }
                        });
    return variance;
  }
  const Array<float>& full = std::get<FullCovariance>(gaussians.covariance).covariance;
  for (std::int64_t row = 0; row < items; ++row) {
    for (std::int64_t k = 0; k < classes; ++k) {
      variance.mutableRow(row)[static_cast<std::size_t>(k)] =
          full.row(row)[static_cast<std::size_t>(k * (classes + 1))];
    }
  }
  return variance;
}

}  // namespace dubito
