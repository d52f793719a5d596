// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/laplace/posterior/last_layer_gaussians_torch.h"
#include "core/laplace/posterior/last_layer_sums_torch.h"
#include "core/laplace/posterior/tensors_torch.h"
#include "tests/support/matchers.h"

namespace dubito::test {

/// A last layer in double with the items that went through it.
struct MadeLayer {
  at::Tensor features;  ///< [N, Q]
  at::Tensor weight;    ///< [K, Q]
  at::Tensor bias;      ///< [K], or undefined
  std::vector<std::int64_t> labels;

  [[nodiscard]] at::Tensor logitsOf(const at::Tensor& inputs) const {
    const at::Tensor product = at::mm(inputs, weight.t());
    return bias.defined() ? product + bias : product;
  }
};

/// Numbers in (-1, 1) from a simple recurrence.
inline at::Tensor madeNumbers(std::vector<std::int64_t> shape, std::uint64_t seed) {
  at::Tensor values = at::empty(shape, at::kDouble);
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + 1;
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    values.mutable_data_ptr<double>()[i] = static_cast<double>(state >> 11U) * 0x1.0p-52 - 1.0;
  }
  return values;
}

inline MadeLayer madeLayer(std::int64_t items, std::int64_t features, std::int64_t classes,
                           bool with_bias, std::uint64_t seed = 1) {
  MadeLayer layer{madeNumbers({items, features}, seed) * 2.0,
                  madeNumbers({classes, features}, seed + 1),
                  at::Tensor(),
                  {}};
  if (with_bias) {
    layer.bias = madeNumbers({classes}, seed + 2);
  }
  for (std::int64_t i = 0; i < items; ++i) {
    layer.labels.push_back((i * 7 + i / 3) % classes);
  }
  return layer;
}

/// Sums over the items in batches of `batch`.
inline LaplaceFactors factorsOf(const MadeLayer& layer, LaplaceStructure structure,
                                std::int64_t batch) {
  LastLayerSums sums(structure, layer.weight, layer.bias);
  const std::int64_t items = layer.features.size(0);
  const at::Tensor logits = layer.logitsOf(layer.features);
  for (std::int64_t begin = 0; begin < items; begin += batch) {
    const std::int64_t end = std::min(items, begin + batch);
    sums.add(layer.features.slice(0, begin, end), logits.slice(0, begin, end),
             std::span(layer.labels)
                 .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  }
  return std::move(sums).finish();
}

inline LaplacePosterior posteriorOf(const MadeLayer& layer, LaplaceStructure structure,
                                    std::int64_t batch = 64) {
  auto posterior = makePosterior(factorsOf(layer, structure, batch), structure);
  EXPECT_OK(posterior);
  return *std::move(posterior);
}

/// Covariances of the logits [B, K, K] in double.
inline at::Tensor covariancesOf(const LaplacePosterior& posterior, const LaplaceScale& scale,
                                const at::Tensor& features) {
  const LastLayerGaussians gaussians(posterior, scale);
  const at::Tensor spread = gaussians.spread(gaussians.inBasis(features));
  if (posterior.structure == LaplaceStructure::kFull) {
    return spread;
  }
  if (posterior.structure == LaplaceStructure::kDiagonal) {
    return at::diag_embed(spread);
  }
  const at::Tensor factor = gaussians.factor().unsqueeze(0);
  return at::matmul(factor * spread.unsqueeze(1), factor.transpose(1, 2));
}

/// Numbers of a JSON list of any depth.
inline void appendNumbers(const nlohmann::json& values, std::vector<double>& flat) {
  if (values.is_array()) {
    for (const nlohmann::json& value : values) {
      appendNumbers(value, flat);
    }
  } else {
    flat.push_back(values.get<double>());
  }
}

inline at::Tensor tensorOf(const nlohmann::json& values) {
  std::vector<std::int64_t> shape;
  for (const nlohmann::json* level = &values; level->is_array(); level = &level->at(0)) {
    shape.push_back(static_cast<std::int64_t>(level->size()));
  }
  std::vector<double> flat;
  appendNumbers(values, flat);
  return at::tensor(flat, at::kDouble).view(shape);
}

/// |actual - expected| <= relative |expected| + absolute for every element.
inline testing::AssertionResult tensorsClose(const at::Tensor& actual, const at::Tensor& expected,
                                             double relative, double absolute) {
  if (actual.sizes() != expected.sizes()) {
    return testing::AssertionFailure() << "shapes " << actual.sizes() << ", " << expected.sizes();
  }
  const at::Tensor excess = at::abs(actual - expected) - (at::abs(expected) * relative + absolute);
  if (!at::isfinite(actual).all().item().toBool()) {
    return testing::AssertionFailure() << "not finite";
  }
  const double worst = excess.max().item().toDouble();
  return worst <= 0.0 ? testing::AssertionSuccess()
                      : testing::AssertionFailure()
                            << "off by up to "
                            << at::abs(actual - expected).max().item().toDouble();
}

}  // namespace dubito::test
