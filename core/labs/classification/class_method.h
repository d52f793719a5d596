// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/all_finite.h"
#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/methods/lab_method.h"

namespace dubito {

/// Points to learn from, in the units in which methods work: the shown square is [-6, 6]^2.
struct ClassProblem {
  std::vector<double> inputs;         ///< [N, 2] row-major, finite
  std::vector<std::int64_t> classes;  ///< [N], each in [0, class_count)
  std::int64_t class_count = 2;       ///< K, >= 2

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(classes.size()); }
};

/// What a method predicts at M inputs. Entropies in nats.
struct ClassPrediction {
  Array<double> probs;     ///< [M, K]
  Array<double> entropy;   ///< [M], of probs
  Array<double> log_rest;  ///< [M], log(1 - largest probability) to full precision
  /// [M], expected entropy and mutual information; absent if the method gives a single vector of
  /// probabilities rather than a distribution over them.
  std::optional<Array<double>> aleatoric = {};
  std::optional<Array<double>> epistemic = {};
  /// [M, K], parameters of the Dirichlets; only where a Laplace bridge gives them.
  std::optional<Array<double>> alpha = {};

  [[nodiscard]] bool isFinite() const { return allFinite(probs.values()); }
};

/// A method of the classification laboratory at work.
class ClassLearner : public LabLearner {
 public:
  /// Predicts at `inputs` [M, 2]. `max_draws` bounds the number of draws (at least 1). An input's
  /// result does not depend on the other inputs. kInvalidArgument, with a sentence for the user, if
  /// no prediction exists yet.
  [[nodiscard]] virtual Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                          std::int64_t max_draws,
                                                          RunContext& context) const = 0;
  /// Logits [T, M, K] at `inputs` [M, 2] of up to `max_draws` single functions: members, masks,
  /// states, draws of the posterior. T = 0: the method has no single functions but its mean.
  [[nodiscard]] virtual Expected<Array<double>> functions(std::span<const double> inputs,
                                                          std::int64_t max_draws,
                                                          RunContext& context) const = 0;
};

/// A method of the classification laboratory with its options.
class ClassMethod : public LearningMethod<ClassProblem, ClassLearner> {};

using ClassMethodInfo = LabMethodInfo<ClassMethod>;

}  // namespace dubito
