// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

// Batches of items to label next, chosen together so that they do not repeat each other. Scores of
// single items (entropy, BALD, margin, ...) are measures (core/metrics/measure.h).

/// Largest number of joint label configurations, K^b for b items, that is enumerated.
inline constexpr std::int64_t kMaxConfigurations = std::int64_t{1} << 16;

/// Mutual information in nats between the labels of all `rows` together and the draw of the
/// network, from samples [T, N, K]: H(y_1, ..., y_b) - sum_i E_t H(y_i | draw t), exact, by
/// enumeration of the K^b configurations. 0 for no rows. kUnsupported if K^b exceeds
/// kMaxConfigurations. Throws std::invalid_argument for samples without draws or classes, and
/// std::out_of_range for a row outside of [0, N).
[[nodiscard]] Expected<double> jointMutualInformation(const Array<float>& samples,
                                                      std::span<const std::int64_t> rows);
[[nodiscard]] Expected<double> jointMutualInformation(const Array<double>& samples,
                                                      std::span<const std::int64_t> rows);

/// A batch of BatchBALD.
struct BatchBald {
  std::vector<std::int64_t> rows;  ///< in the order of selection
  /// [rows], joint mutual information in nats of the rows up to and including each.
  std::vector<double> information;
  /// Whether the batch ended early because K^b would exceed kMaxConfigurations.
  bool is_limited = false;
};

/// Greedy BatchBALD (Kirsch, van Amersfoort and Gal 2019): starting from none, repeatedly adds the
/// row with the largest joint mutual information with the rows before it, up to `count` rows; ties:
/// the lowest row. `candidates`: the rows to choose from, without duplicates; empty: all. The joint
/// is exact, so a batch has at most log_K kMaxConfigurations rows: 16 for 2 classes, 4 for 10. The
/// gain of a row only falls as the batch grows, so most rows need no second evaluation. Throws as
/// jointMutualInformation. kCancelled.
[[nodiscard]] Expected<BatchBald> batchBald(const Array<float>& samples,
                                            std::span<const std::int64_t> candidates,
                                            std::int64_t count, RunContext& context);
[[nodiscard]] Expected<BatchBald> batchBald(const Array<double>& samples,
                                            std::span<const std::int64_t> candidates,
                                            std::int64_t count, RunContext& context);

/// An order that covers the feature space.
struct FarthestFirst {
  std::vector<std::int64_t> rows;  ///< `start`, then in the order of selection
  /// [rows], weight times Euclidean distance to the nearest row before it; infinite for the first.
  std::vector<double> distance;
};

/// Farthest-first traversal of features [N, D] (Gonzalez 1985; k-centre greedy): from `start` on,
/// repeatedly adds the row with the largest distance to the nearest row chosen so far, times its
/// weight, up to `count` rows; ties: the lowest row. `weights` [N] >= 0, such as an uncertainty;
/// empty: all 1. Rows with NaN are never chosen. O(count N D) on the context's threads. Throws
/// std::invalid_argument for other shapes, std::out_of_range for `start` outside of [0, N).
/// kCancelled.
[[nodiscard]] Expected<FarthestFirst> farthestFirst(const RealArray& features, std::int64_t start,
                                                    std::int64_t count,
                                                    std::span<const double> weights,
                                                    RunContext& context);

}  // namespace dubito
