// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Features of a dataset's items: the inputs of a network's last layer.
struct FeatureTable {
  Array<float> features;              ///< [N, Q]
  std::vector<double> norms;          ///< [N] Euclidean norms of the rows
  std::vector<std::int64_t> indices;  ///< [N] positions in the dataset
  std::vector<std::int64_t> ids;      ///< [N]
};

/// Computed in double precision.
[[nodiscard]] double euclideanNorm(std::span<const float> row);

/// An item similar to another one.
struct Neighbour {
  std::int64_t index = 0;  ///< position in its dataset
  std::int64_t id = 0;
  /// Cosine similarity of the features, in [-1, 1]; 0 if either is all zeros.
  double similarity = 0.0;

  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

/// The `count` rows of `table` most similar to `query` [Q], most similar first, ties ordered by id;
/// fewer if the table is smaller. Skips the row of the item at position `left_out` of the dataset,
/// and those whose element of `candidates` [N] is 0; empty: all rows are candidates.
/// Takes one pass over the features, with sums in double, on the context's threads; the result does
/// not depend on the number of threads. Throws std::invalid_argument if `query` does not have Q
/// elements, `candidates` not N, or `count` is negative; kCancelled.
[[nodiscard]] Expected<std::vector<Neighbour>> nearestRows(
    const FeatureTable& table, std::span<const float> query, std::int64_t count,
    std::optional<std::int64_t> left_out, const RunContext& context,
    std::span<const std::uint8_t> candidates = {});

}  // namespace dubito
