// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/rank_group.h"

namespace dubito {

/// Curvature factors of one linear or convolutional layer (theory, section 5). O outputs, D inputs,
/// of which the constant 1 of a bias is the last. The weights are [O, D], row-major. Arrays that
/// the structure does not need are empty.
struct LayerFactors {
  std::string name;
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  bool has_bias = false;
  /// A = E[a~ a~^T] [D, D], summed over the positions of a convolution.
  Array<double> input_products = {};
  /// G = E[g g^T] [O, O], the exact expectation over labels, averaged over the positions of a
  /// convolution.
  Array<double> output_products = {};
  /// Diagonal of the generalised Gauss-Newton matrix [O, D].
  Array<double> diagonal = {};
  /// Sum of the squared weights and biases.
  double squared_norm = 0.0;

  [[nodiscard]] std::int64_t parameters() const { return outputs * inputs; }
};

/// The generalised Gauss-Newton matrix of a network, averaged over the items of a dataset.
struct LaplaceFactors {
  std::vector<LayerFactors> layers;
  /// F = E[(diag p - p p^T) (x) phi~ phi~^T] [P, P] of a last layer, output index slowest; or
  /// empty.
  Array<double> full = {};
  std::int64_t items = 0;
  std::int64_t labelled_items = 0;
  /// log p(labels | weights), summed over the labelled items.
  double log_likelihood = 0.0;
};

/// Turns each rank's averages into averages over the items of all ranks; every rank gets the same
/// bits. A rank without items takes part with arrays of zeros.
void averageOverRanks(LaplaceFactors& factors, RankGroup& ranks);

}  // namespace dubito
