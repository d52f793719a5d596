// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// Names of the links: "bridge-centred", "mc", "probit", "bridge", "bridge-norm", "bridge-raw".
[[nodiscard]] const std::vector<std::string>& linkNames();
/// Those, after "auto".
[[nodiscard]] const std::vector<std::string>& linkChoices();
/// The link that `choice` comes to over so many classes: "auto" is "bridge-centred", but "mc" for
/// two classes. There both variances of the centred logits are equal and the first term of the
/// bridge vanishes, so that the mean of the Dirichlet is the softmax of the mean logits whatever
/// the variance.
[[nodiscard]] std::string linkFor(const std::string& choice, std::int64_t classes);

/// What a link makes of the Gaussians of N items. Entropies in nats.
struct LinkedPredictions {
  Array<double> probs;    ///< [N, K]
  Array<double> entropy;  ///< [N], of probs
  /// [N], log(1 - largest of probs) with all its digits.
  Array<double> log_rest;
  /// [N]; absent for probit, which knows no distribution over probabilities.
  std::optional<Array<double>> expected_entropy = {};
  std::optional<Array<double>> mutual_information = {};
  /// [N, K], of the Dirichlets of the bridges (see alphaFromLog); absent for the others.
  std::optional<Array<double>> alpha = {};
};

/// Applies the link called `link` to the Gaussians of the items `ids`. `samples` and `seed` are for
/// "mc", whose noise is keyed by id. Throws std::invalid_argument for another name. A cancelled
/// context leaves results without meaning.
[[nodiscard]] LinkedPredictions applyLink(const std::string& link, const LogitGaussians& gaussians,
                                          std::span<const std::int64_t> ids, std::int64_t samples,
                                          std::uint64_t seed, const RunContext& context);

/// Whether the link gives expected entropies and mutual information.
[[nodiscard]] bool linkSplitsEntropy(const std::string& link);
/// Whether the link gives Dirichlets.
[[nodiscard]] bool linkGivesAlpha(const std::string& link);

}  // namespace dubito
