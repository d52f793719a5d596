// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// Approximation of the curvature (theory, section 5).
enum class LaplaceStructure {
  kFull,        ///< the full matrix; last layer only
  kKron,        ///< N G (x) A + tau I, exactly
  kKronDamped,  ///< (sqrt(N) G + sqrt(tau) I) (x) (sqrt(N) A + sqrt(tau) I)
  kDiagonal,    ///< the diagonal
};
[[nodiscard]] std::string toString(LaplaceStructure structure);
/// Parses "full", "kron", "kron-damped" or "diag"; throws std::invalid_argument for anything else.
[[nodiscard]] LaplaceStructure parseLaplaceStructure(const std::string& name);

/// How the prior precision tau is chosen.
struct PriorRule {
  enum class Kind {
    kEvidence,  ///< maximise the Laplace evidence
    kNll,       ///< minimise the NLL of calibration data
    kMmcDrop,   ///< lower the mean confidence of the average over draws by a share
    kValue,     ///< use a given value
  };
  Kind kind = Kind::kEvidence;
  /// The share in (0, 1) for kMmcDrop, or tau > 0 for kValue; unused otherwise.
  double value = 0.0;
};
/// Parses "auto-evidence", "auto-nll", "mmc-drop=SHARE" or a number > 0.
[[nodiscard]] Expected<PriorRule> parsePriorRule(const std::string& text);

/// Options of a Gaussian posterior over weights, centred on the trained weights (theory, section
/// 5).
struct LaplaceSettings {
  /// "last", or "all": all linear and convolutional layers.
  std::string layers = "last";
  /// "full", "kron", "kron-damped" or "diag".
  std::string structure = "kron";
  /// See parsePriorRule.
  std::string prior = "auto-evidence";
  /// Fixed prior precision; overrides `prior`.
  std::optional<double> tau = std::nullopt;
  /// Effective number of items; nullopt: the number of items in the fit.
  std::optional<double> n = std::nullopt;
  /// Whether the weights and the bias of a layer are independent a priori and a posteriori; only
  /// for all layers with "kron" or "kron-damped".
  bool separate_bias = false;
  /// How a posterior of all layers predicts: "linearised" (a Gaussian over logits from the
  /// Jacobian) or "sampled" (weights are drawn, with one pass per draw).
  std::string predictive = "linearised";
  /// Number of weight draws if `predictive` is "sampled".
  std::int64_t weight_draws = 30;
  /// How probabilities are computed from the Gaussian over logits: the name of one of allLinks(),
  /// or "auto" (see resolveLink).
  std::string link = "auto";
  /// Number of logit draws for the link "mc" and for mmc-drop.
  std::int64_t samples = 1000;
  /// Logit draws per item for the honesty gauge, which compares the bridge and the probit with the
  /// average over these draws. 0: no gauge. nullopt: gaugePlan decides.
  std::optional<std::int64_t> gauge = std::nullopt;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool ofAllLayers() const { return layers == "all"; }
  [[nodiscard]] bool drawsWeights() const { return predictive == "sampled"; }
  /// The rule set by `prior` and `tau`; call only after a successful check().
  [[nodiscard]] PriorRule priorRule() const;
};

}  // namespace dubito
