// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// Results of a link for N Gaussians. Entropies in nats.
struct LinkedPredictions {
  Array<double> probs;    ///< [N, K]
  Array<double> entropy;  ///< [N], entropy of probs
  /// [N], log(1 - largest probability) to full precision.
  Array<double> log_rest;
  /// [N]; absent for links without a distribution over probabilities (probit).
  std::optional<Array<double>> expected_entropy = {};
  std::optional<Array<double>> mutual_information = {};
  /// [N, K], parameters of the Dirichlets (see alphaFromLog); only for the Laplace bridges.
  std::optional<Array<double>> alpha = {};
};

/// Inputs of a link.
struct LinkTask {
  const LogitGaussians& gaussians;    ///< of N items
  std::span<const std::int64_t> ids;  ///< [N], item ids, which key the noise
  std::int64_t samples;               ///< draws per item, for links that sample
  std::uint64_t seed;
  const RunContext& context;
};

/// A link: a method that computes probabilities from a Gaussian over logits. No member has a
/// default, so that a new link cannot omit one. allLinks() is the only list of links.
struct LinkInfo {
  std::string name;  ///< as in options and run files: "bridge-centred"
  std::string help;  ///< a few words, without a full stop
  /// Whether the probabilities of two classes depend on the variance; if not, "auto" skips the link
  /// for two classes.
  bool uses_variance_for_two_classes;
  bool splits_entropy;  ///< computes expected entropies and mutual information
  bool gives_alpha;     ///< computes the parameters of Dirichlets
  /// Depends on covariances between logits, not on variances alone: for three classes or more, and
  /// for two.
  bool reads_covariance;
  bool reads_covariance_of_two_classes;
  LinkedPredictions (*apply)(const LinkTask& task);
};

/// All links, in display order.
[[nodiscard]] const std::vector<LinkInfo>& allLinks();
/// The link called `name`; null if unknown ("auto" is not a link).
[[nodiscard]] const LinkInfo* findLink(std::string_view name);

/// Name of the link that averages over draws of logits; the honesty gauge compares with this
/// average.
inline constexpr const char* kSamplingLink = "mc";

/// The names of allLinks().
[[nodiscard]] const std::vector<std::string>& linkNames();
/// The names of allLinks(), preceded by "auto".
[[nodiscard]] const std::vector<std::string>& linkChoices();
/// The name of the link that `choice` stands for with this number of classes. "auto" stands for the
/// first of allLinks(); for two classes, for the first whose probabilities depend on the variance.
/// (For two classes, both variances of the centred logits are equal and the first term of the
/// bridge vanishes, so the mean of the Dirichlet is the softmax of the mean logits for any
/// variance.)
[[nodiscard]] std::string resolveLink(const std::string& choice, std::int64_t classes);

/// Applies the link called `link` to the Gaussians of the items `ids`. `samples` and `seed` are
/// used only by "mc", whose noise is keyed by id. Throws std::invalid_argument for an unknown link.
/// If the context is cancelled, the results are meaningless.
[[nodiscard]] LinkedPredictions applyLink(const std::string& link, const LogitGaussians& gaussians,
                                          std::span<const std::int64_t> ids, std::int64_t samples,
                                          std::uint64_t seed, const RunContext& context);

/// LinkInfo::reads_covariance, or that of two classes.
[[nodiscard]] bool readsCovariance(const LinkInfo& link, std::int64_t classes);

/// LinkInfo::splits_entropy and gives_alpha of the link called `link`; false if unknown.
[[nodiscard]] bool linkSplitsEntropy(const std::string& link);
[[nodiscard]] bool linkGivesAlpha(const std::string& link);

}  // namespace dubito
