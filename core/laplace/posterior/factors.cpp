// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/factors.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <vector>

#include "core/laplace/posterior/factors_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {
namespace {

double squaredNorm(const at::Tensor& values) {
  return values.defined() ? values.to(at::kDouble).square().sum().item().toDouble() : 0.0;
}

/// Scales a rank's average by its `share` of all items and sums over ranks.
void mergeAverages(Array<double>& average, double share, RankGroup& ranks) {
  if (average.empty()) {
    return;
  }
  std::vector<double> values(average.values().begin(), average.values().end());
  std::ranges::transform(values, values.begin(), [share](double value) { return value * share; });
  ranks.sum(values);
  average = Array<double>::fromVector(average.shape(), std::move(values));
}

}  // namespace

LayerFactors emptyLayer(const std::string& name, const at::Tensor& weight, const at::Tensor& bias) {
  LayerFactors layer;
  layer.name = name;
  layer.has_bias = bias.defined();
  layer.outputs = weight.size(0);
  layer.inputs = weight.numel() / weight.size(0) + (layer.has_bias ? 1 : 0);
  layer.squared_norm = squaredNorm(weight) + squaredNorm(bias);
  return layer;
}

void countItems(const at::Tensor& log_probs, std::span<const std::int64_t> labels,
                LaplaceFactors& factors) {
  const auto rows = log_probs.accessor<double, 2>();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) {
      factors.log_likelihood += rows[static_cast<std::int64_t>(i)][labels[i]];
      ++factors.labelled_items;
    }
  }
  factors.items += log_probs.size(0);
}

void averageOverRanks(LaplaceFactors& factors, RankGroup& ranks) {
  std::vector<double> counts = {static_cast<double>(factors.items),
                                static_cast<double>(factors.labelled_items),
                                factors.log_likelihood};
  ranks.sum(counts);
  const double share = counts[0] > 0.0 ? static_cast<double>(factors.items) / counts[0] : 0.0;
  factors.items = static_cast<std::int64_t>(counts[0]);
  factors.labelled_items = static_cast<std::int64_t>(counts[1]);
  factors.log_likelihood = counts[2];
  for (LayerFactors& layer : factors.layers) {
    mergeAverages(layer.input_products, share, ranks);
    mergeAverages(layer.output_products, share, ranks);
    mergeAverages(layer.diagonal, share, ranks);
  }
  mergeAverages(factors.full, share, ranks);
}

}  // namespace dubito
