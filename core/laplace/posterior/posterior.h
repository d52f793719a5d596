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

/// The curvature of one layer in its eigenbasis, where a prior only adds a number to each
/// eigenvalue. Eigenvectors are columns; eigenvalues ascend, and those that rounding made negative
/// are set to 0.
struct LayerPosterior {
  std::string name;
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;  ///< including, last, the constant 1 for the bias
  bool has_bias = false;
  double squared_norm = 0.0;         ///< of weights and biases
  Array<double> input_basis = {};    ///< Ua [D, D] of A = Ua da Ua^T
  Array<double> input_values = {};   ///< da [D]
  Array<double> output_basis = {};   ///< Ug [O, O] of G = Ug dg Ug^T
  Array<double> output_values = {};  ///< dg [O]
  Array<double> diagonal = {};       ///< diagonal of the Gauss-Newton matrix [O, D]

  [[nodiscard]] std::int64_t parameters() const { return outputs * inputs; }
};

/// A Laplace posterior without its prior: changing the prior or the number of items needs neither a
/// new fit nor a new factorisation.
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
  double log_likelihood = 0.0;  ///< of the labelled items, summed

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] double squaredNorm() const;
};

/// How much the data and the prior count: the posterior precision is n F + tau I (or its damped
/// form).
struct LaplaceScale {
  double n = 1.0;    ///< effective number of items, >= 0
  double tau = 1.0;  ///< prior precision, > 0
};

/// What a posterior was fitted to. With another network, other inputs or other items it would be
/// silently wrong.
struct PosteriorOrigin {
  std::string network_hash;   ///< of program and weights, hexadecimal
  std::string preprocessing;  ///< Preprocessing::describe
  std::string dataset_name;
  std::string dataset_spec;
  std::string dataset_hash;             ///< ContentHash of the items fitted on
  Array<std::int64_t> ids = {};         ///< of those items
  std::vector<std::string> notes = {};  ///< of the fit
};

/// A posterior with its prior.
struct FittedLaplace {
  LaplacePosterior posterior;
  LaplaceScale scale;
  PosteriorOrigin origin = {};
};

/// Factorises the curvature. kMalformed if it is not finite.
[[nodiscard]] Expected<LaplacePosterior> makePosterior(const LaplaceFactors& factors,
                                                       LaplaceStructure structure);

/// log det of the posterior precision.
[[nodiscard]] double logDetPrecision(const LaplacePosterior& posterior, const LaplaceScale& scale);

/// log p(D | theta) - tau/2 |theta|^2 + P/2 log tau - 1/2 log det precision (docs/theory.md,
/// section 5). Meaningful only if all items are labelled.
[[nodiscard]] double logEvidence(const LaplacePosterior& posterior, const LaplaceScale& scale);

}  // namespace dubito
