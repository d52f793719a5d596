// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/base/simplex_values.h"
#include "core/kernels/simplex_histogram.h"
#include "core/labs/simplex/gaussian_check.h"
#include "core/labs/simplex/logit_approximations.h"
#include "core/labs/simplex/logit_normal_integrals.h"
#include "core/labs/simplex/zero_sum_plane.h"

namespace dubito {

/// Options of the laboratory "The simplex".
struct SimplexOptions {
  std::int64_t samples = 2000;  ///< keyed samples of softmax(z)
  std::int64_t cells = 160;     ///< width of the images of densities; points of a line
  std::int64_t bins = 24;       ///< divisions per side of the histogram of the samples
  std::int64_t nodes = 20;      ///< nodes per standard deviation of the integrals

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const { return checkFieldsOf(*this); }
  /// Options that answer fast enough while a slider is dragged: fewer cells, nodes and samples.
  [[nodiscard]] SimplexOptions whileDragging() const;
};

/// Proposition 1 for one class (theory, section 6).
struct ClassInProposition1 {
  double alpha = 0.0;
  double bound = 0.0;         ///< proposition1Threshold of the sum of the other alphas
  bool is_in_region = false;  ///< alpha > bound
  /// dVar(p_k)/dSigma_kk under this bridge. The proposition claims that it is positive inside the
  /// region for bridge-raw alone; NaN if logit k does not vary.
  double slope = 0.0;
};

/// A closed form compared with the exact distribution p.
struct SimplexApproximation {
  LogitApproximation form;
  double mean_error = 0.0;  ///< largest difference of a class's mean probability
  // The rest is present only for Dirichlets.
  std::vector<double> alpha;              ///< [K]
  std::vector<double> variance;           ///< [K] of the probabilities
  double entropy = 0.0;                   ///< differential entropy, nats
  std::optional<SimplexDensity> density;  ///< K = 3
  std::optional<Curve> line;              ///< K = 2: density against p_0
  /// Divergence KL(p || Dirichlet) and total variation by quadrature; absent if p has no density.
  std::optional<DensityComparison> comparison;
  /// KL(Dirichlet || p), exact; absent if p has no density, or above the range of double (for an
  /// alpha near 0).
  std::optional<double> reverse_divergence;
  /// KL(p || Dirichlet) estimated from the samples, with its standard error; absent if p has no
  /// density.
  std::optional<double> sampled_divergence;
  double sampled_divergence_error = 0.0;
  std::vector<ClassInProposition1> proposition1;  ///< [K]; only for bridges
};

/// What the transformation of the Gaussian that a bridge starts from does to softmax(z).
struct TransformEffect {
  BridgeVariant variant = BridgeVariant::kCentred;
  std::string name;                      ///< "Centred"
  LogitGaussian gaussian;                ///< after the transformation
  std::vector<double> mean = {};         ///< [K] of softmax(z) after it
  std::vector<double> variance = {};     ///< [K] of softmax(z) after it
  double largest_mean_change = 0.0;      ///< over the classes
  double largest_variance_change = 0.0;  ///< over the classes
  /// Total variation distance between softmax(z) before and after; absent if one has no density.
  std::optional<double> total_variation = {};
};

/// Everything about one Gaussian over K = 2 or 3 logits.
struct SimplexResult {
  CheckedGaussian input;  ///< the Gaussian as computed with
  PlaneGaussian plane;    ///< its ellipse in the zero-sum plane
  /// Whether the distribution of softmax(z) has no density; then `density` shows the histogram, and
  /// there are no divergences.
  bool is_singular = false;
  LogitNormalMoments moments;                 ///< of softmax(z), by quadrature
  Array<double> samples;                      ///< [M, K] of softmax(z)
  std::optional<SimplexHistogram> histogram;  ///< K = 3, of the samples
  std::optional<Histogram> line_histogram;    ///< K = 2, of p_0 in the samples
  std::optional<SimplexDensity> density;      ///< K = 3
  std::optional<Curve> line;                  ///< K = 2; absent if singular
  std::vector<SimplexApproximation> approximations;
  std::vector<TransformEffect> transforms;  ///< centred, conditioned, normalised
  std::vector<std::string> warnings;        ///< sentences for the user

  [[nodiscard]] std::int64_t classes() const {
    return static_cast<std::int64_t>(input.gaussian.mean.size());
  }
};

/// Compares the exact distribution of softmax(z), z ~ N(mean, covariance) over 2 or 3 logits, with
/// all closed forms. Samples are keyed by the context's seed; the result does not depend on the
/// number of threads. kInvalidArgument for options or a Gaussian that cannot be used (see
/// checkGaussian), kCancelled if cancelled.
[[nodiscard]] Expected<SimplexResult> analyseSimplex(const LogitGaussian& gaussian,
                                                     const SimplexOptions& options,
                                                     RunContext& context);

}  // namespace dubito
