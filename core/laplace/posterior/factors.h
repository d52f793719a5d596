// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/rank_group.h"

namespace dubito {

/// Curvature factors of one linear or convolutional layer (theory, section 5) with O outputs and D
/// inputs. If there is a bias, the last input is its constant 1. The weights are [O, D], row-major.
/// Arrays that the structure does not need are empty.
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
  /// F = E[(diag p - p p^T) (x) phi~ phi~^T] [P, P] of a last layer, output index slowest. Empty
  /// unless the structure is "full".
  Array<double> full = {};
  std::int64_t items = 0;
  std::int64_t labelled_items = 0;
  /// log p(labels | weights), summed over the labelled items.
  double log_likelihood = 0.0;
};

/// Replaces the averages of each rank with the averages over the items of all ranks, and sums the
/// counts. All ranks get bit-identical results. A rank without items must also call this, with
/// arrays of zeros.
void averageOverRanks(LaplaceFactors& factors, RankGroup& ranks);

}  // namespace dubito
