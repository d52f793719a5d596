// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// What is kept of the curvature (theory, section 5).
enum class LaplaceStructure {
  kFull,        ///< all of it; last layer only
  kKron,        ///< N G (x) A + tau I, exactly
  kKronDamped,  ///< (sqrt(N) G + sqrt(tau) I) (x) (sqrt(N) A + sqrt(tau) I)
  kDiagonal,    ///< its diagonal
};
[[nodiscard]] std::string toString(LaplaceStructure structure);
/// Of "full", "kron", "kron-damped", "diag"; throws std::invalid_argument for others.
[[nodiscard]] LaplaceStructure laplaceStructure(const std::string& name);

/// How the prior precision tau is chosen.
struct PriorRule {
  enum class Kind {
    kEvidence,  ///< by the largest Laplace evidence
    kNll,       ///< by the smallest NLL of calibration data
    kMmcDrop,   ///< so that the mean confidence of the sampled average drops by a share
    kValue,     ///< given
  };
  Kind kind = Kind::kEvidence;
  /// The share of kMmcDrop in (0, 1), or the tau of kValue, > 0.
  double value = 0.0;
};
/// Of "auto-evidence", "auto-nll", "mmc-drop=SHARE" or a number > 0.
[[nodiscard]] Expected<PriorRule> parsePriorRule(const std::string& text);

/// A Gaussian posterior over weights around the trained ones (theory, section 5).
struct LaplaceSettings {
  /// "last", or "all": the linear and convolutional layers.
  std::string layers = "last";
  /// "full", "kron", "kron-damped" or "diag".
  std::string structure = "kron";
  /// parsePriorRule.
  std::string prior = "auto-evidence";
  /// Prior precision by hand; takes the place of `prior`.
  std::optional<double> tau = std::nullopt;
  /// How many items the data count for; empty: as many as were fitted on.
  std::optional<double> n = std::nullopt;
  /// Whether the weights and the bias of a layer are independent a priori and a posteriori; of all
  /// layers, structures "kron" and "kron-damped".
  bool separate_bias = false;
  /// How a posterior of all layers predicts: "linearised" (a Gaussian over logits from the
  /// Jacobian) or "sampled" (weights drawn, a pass for each draw).
  std::string predictive = "linearised";
  /// Draws of weights of the predictive "sampled".
  std::int64_t weight_draws = 30;
  /// How probabilities are computed from the Gaussian over logits: the name of one of allLinks(),
  /// or "auto" (linkFor).
  std::string link = "auto";
  /// Draws of the link "mc" (and of mmc-drop).
  std::int64_t samples = 1000;
  /// Draws behind the honesty gauge of every item: how far the bridge and probit lie from their
  /// average. 0: no gauge. Empty: what gaugePlan chooses.
  std::optional<std::int64_t> gauge = std::nullopt;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool ofAllLayers() const { return layers == "all"; }
  [[nodiscard]] bool drawsWeights() const { return predictive == "sampled"; }
  /// The rule that `prior` and `tau` come to; only after a successful check().
  [[nodiscard]] PriorRule priorRule() const;
};

}  // namespace dubito
