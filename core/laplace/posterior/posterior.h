// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"

namespace dubito {

/// The curvature of one layer in its eigenbasis, in which a prior only adds a number to each
/// eigenvalue. Eigenvectors are columns. Eigenvalues ascend; negative ones, due to rounding, are
/// set to 0.
struct LayerPosterior {
  std::string name;
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;  ///< including the constant 1 for the bias, which comes last
  bool has_bias = false;
  double squared_norm = 0.0;         ///< sum of the squared weights and biases
  Array<double> input_basis = {};    ///< Ua [D, D] of A = Ua da Ua^T
  Array<double> input_values = {};   ///< da [D]
  Array<double> output_basis = {};   ///< Ug [O, O] of G = Ug dg Ug^T
  Array<double> output_values = {};  ///< dg [O]
  Array<double> diagonal = {};       ///< diagonal of the Gauss-Newton matrix [O, D]

  [[nodiscard]] std::int64_t parameters() const { return outputs * inputs; }
};

/// A Laplace posterior without a prior, so that the prior or the number of items can change without
/// a new fit or factorisation.
struct LaplacePosterior {
  LaplaceStructure structure = LaplaceStructure::kKron;
  bool all_layers = false;     ///< all layers of a network, not just the last one
  bool separate_bias = false;  ///< weights and bias of a layer are treated as independent
  std::vector<LayerPosterior> layers;
  /// Eigenvectors [P, P] and eigenvalues [P] of the structure "full".
  Array<double> full_basis = {};
  Array<double> full_values = {};
  std::int64_t items = 0;
  std::int64_t labelled_items = 0;
  double log_likelihood = 0.0;  ///< sum over the labelled items

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] double squaredNorm() const;
};

/// Weights of the data and the prior: the posterior precision is n F + tau I (or its damped form).
struct LaplaceScale {
  double n = 1.0;    ///< effective number of items, >= 0
  double tau = 1.0;  ///< prior precision, > 0
};

/// The network, preprocessing and items that a posterior was fitted to. For any others, its results
/// would be wrong without an error; checkOrigin() prevents such use.
struct PosteriorOrigin {
  std::string network_hash;   ///< networkHash: of program and weights, hexadecimal
  std::string preprocessing;  ///< Preprocessing::describe
  std::string dataset_name;
  std::string dataset_spec;
  std::string dataset_hash;             ///< ContentHash of the items in the fit
  Array<std::int64_t> ids = {};         ///< ids of these items
  std::vector<std::string> notes = {};  ///< notes on the fit
};

/// A posterior with its prior and origin.
struct FittedLaplace {
  LaplacePosterior posterior;
  LaplaceScale scale;
  PosteriorOrigin origin = {};
};

/// Factorises the curvature. Fails with kMalformed if it is not finite.
[[nodiscard]] Expected<LaplacePosterior> makePosterior(const LaplaceFactors& factors,
                                                       LaplaceStructure structure);

/// log det of the posterior precision matrix.
[[nodiscard]] double logDetPrecision(const LaplacePosterior& posterior, const LaplaceScale& scale);

/// log p(D | theta) - tau/2 |theta|^2 + P/2 log tau - 1/2 log det precision (docs/theory.md,
/// section 5). Meaningful only if all items are labelled.
[[nodiscard]] double logEvidence(const LaplacePosterior& posterior, const LaplaceScale& scale);

}  // namespace dubito
