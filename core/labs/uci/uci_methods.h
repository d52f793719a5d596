// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/uci/mixture_score.h"
#include "core/labs/uci/uci_data.h"

namespace dubito {

/// Values that are chosen on validation items, by name ("drop_rate", "tau", "epochs").
using UciChoice = std::vector<std::pair<std::string, double>>;
/// The value `name`. Throws std::out_of_range if there is none.
[[nodiscard]] double chosenValue(const UciChoice& choice, std::string_view name);

/// One training and its test.
struct UciFit {
  const UciSetInfo& set;
  const UciProblem& problem;
  UciChoice choice;
  std::int64_t epochs = 0;  ///< passes over the training items, unless `choice` has its own
  std::int64_t draws = 0;   ///< of methods that sample
  std::uint64_t seed = 0;
  const RunContext& context;  ///< looked at for cancellation, at least once an epoch
};

/// A method of the table.
struct UciMethodInfo {
  const char* key = nullptr;          ///< "mc-dropout-1x"
  const char* name = nullptr;         ///< "MC dropout, 1x"
  const char* explanation = nullptr;  ///< one sentence
  std::int64_t epoch_factor = 1;      ///< times UciSetInfo::epochs
  /// What validation chooses from.
  std::vector<UciChoice> (*candidates)(const UciSetInfo& set) = nullptr;
  /// Trains and scores. kCancelled, or the reason of a divergence with its remedy.
  Expected<UciScore> (*evaluate)(const UciFit& fit) = nullptr;
  /// Keys of the published columns (uciPublished) that were measured in the same way.
  std::vector<const char*> comparable;
};

/// All methods, in the order of the table.
[[nodiscard]] const std::vector<UciMethodInfo>& uciMethods();
/// The method `key`; null if there is none.
[[nodiscard]] const UciMethodInfo* findUciMethod(std::string_view key);

// The methods. Each network has one hidden layer of ReLU and starts from glorotParameters().

/// The published MC dropout: inputs and hidden units are dropped, the loss is the mean squared
/// error with weight decay l^2 (1 - p) / (2 N tau), l = 0.01, on the weights.
[[nodiscard]] Expected<UciScore> evaluateMcDropout(const UciFit& fit);
/// Drop rate of the hidden units trained, noise precision chosen.
[[nodiscard]] Expected<UciScore> evaluateConcreteDropout(const UciFit& fit);
/// Five networks with two outputs, mean and log variance of the noise (Lakshminarayanan et al.
/// 2017, without adversarial examples), scored as a mixture; epochs chosen.
[[nodiscard]] Expected<UciScore> evaluateEnsemble(const UciFit& fit);
/// Independent Gaussian weights (Blundell et al. 2015) by minibatches, noise precision chosen.
[[nodiscard]] Expected<UciScore> evaluateBayesByBackprop(const UciFit& fit);
/// A Gaussian over the weights of the last layer, prior precision by the evidence, noise precision
/// chosen.
[[nodiscard]] Expected<UciScore> evaluateLastLayerLaplace(const UciFit& fit);

}  // namespace dubito
