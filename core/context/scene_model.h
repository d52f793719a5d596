// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/context/context_options.h"
#include "core/context/pair_scores.h"

namespace dubito {

/// Scenes with at most so many labellings K^n are enumerated.
inline constexpr double kMaxLabellings = 1e6;

/// Pairs of objects of one scene that influence each other, by their positions; the first is the
/// smaller.
using ScenePairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Every two of n objects.
[[nodiscard]] ScenePairs everyPair(std::int64_t objects);
/// Each object and the next.
[[nodiscard]] ScenePairs neighbourPairs(std::int64_t objects);

/// A conditional random field over the classes y of n objects (theory, section 10):
/// log p(y) = sum_i log p_i(y_i) + w sum_pairs C[y_i, y_j] - log Z.
struct SceneModel {
  const Array<double>& log_probs;  ///< [n, K] of the objects alone; -infinity: masked
  const ScenePairs& pairs;
  const PairFactors& factors;
};

/// How the marginals of a scene were computed.
enum class SceneSolution : std::uint8_t {
  kEnumerated,    ///< exact: all labellings
  kTree,          ///< exact: belief propagation without loops
  kSearched,      ///< the labellings that count, within SceneMarginals::left_out
  kConverged,     ///< loopy belief propagation
  kNotConverged,  ///< the last state of loopy belief propagation
};

/// Marginals of the classes of each object of a scene.
struct SceneMarginals {
  Array<double> log_probs;  ///< [n, K], normalised
  SceneSolution solution = SceneSolution::kEnumerated;
  /// Largest change of a log message in the last step, in nats; 0 without loopy propagation.
  double residual = 0.0;
  double left_out = 0.0;  ///< after a search: no marginal is off by more
};

/// Computes the marginals: by enumeration while K^n <= kMaxLabellings; else by belief propagation,
/// or, where that is likely to be rough, by a search for the labellings that count, if it succeeds
/// (theory, section 10). A scene of one object keeps its probabilities.
[[nodiscard]] SceneMarginals sceneMarginals(const SceneModel& model, const ContextOptions& options);

/// All labellings of a scene.
struct SceneEnumeration {
  Array<double> log_probs;                ///< [n, K], logarithms of the marginals
  double log_partition = 0.0;             ///< log Z
  std::vector<std::int64_t> most_likely;  ///< the most probable labelling; ties: the first
};
/// Requires K^n to be small; n >= 1.
[[nodiscard]] SceneEnumeration enumerateScene(const SceneModel& model);

/// When a search for the labellings that count gives up.
struct SearchLimits {
  double steps = 1e7;       ///< products of two scores; 1e7 take about 10 ms
  double tolerance = 1e-3;  ///< largest share of the probability that may be left out
};
/// The labellings of a scene that count.
struct SceneSearch {
  Array<double> log_probs;  ///< [n, K], logarithms of the marginals
  double left_out = 0.0;    ///< no marginal is off by more
};
/// Sums only the labellings that a bound does not show to be negligible: many in scenes whose
/// objects say little, few where most are sure or context is strong. nullopt if the limits are
/// reached, if not all pairs are linked, or if products of factors leave the range of doubles.
[[nodiscard]] std::optional<SceneSearch> searchScene(const SceneModel& model,
                                                     const SearchLimits& limits);

/// A message of belief propagation: what object `from` says about the classes of object `to`.
struct SceneMessage {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// The result of belief propagation.
struct ScenePropagation {
  Array<double> log_probs;             ///< [n, K], normalised
  std::vector<SceneMessage> messages;  ///< [2 E]
  Array<double> log_messages;          ///< [2 E, K], up to a constant per row
  bool is_tree = false;
  bool converged = true;
  std::int64_t iterations = 0;
  double residual = 0.0;  ///< in nats, of the last step
};
/// Sum-product belief propagation, one object after the other, the surest first, so that the result
/// does not depend on their order in the scene. Exact if the pairs form no loop; else until no log
/// message changes by more than options.tolerance, options.iterations are used up, or more damping
/// does not help either.
[[nodiscard]] ScenePropagation propagateBeliefs(const SceneModel& model,
                                                const ContextOptions& options);

/// Whether belief propagation is likely to be accurate: it needed few steps, and the factors of
/// pairs differ little. Always true for trees.
[[nodiscard]] bool isLikelyAccurate(const ScenePropagation& beliefs, const PairFactors& factors);

/// Bytes that belief propagation over all pairs of `objects` objects needs.
[[nodiscard]] double propagationBytes(std::int64_t objects, std::int64_t classes);

}  // namespace dubito
