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

/// Features of items of a dataset: what goes into the last layer of a network.
struct FeatureTable {
  Array<float> features;              ///< [N, Q]
  std::vector<double> norms;          ///< [N] Euclidean lengths of the rows
  std::vector<std::int64_t> indices;  ///< [N] positions in the dataset
  std::vector<std::int64_t> ids;      ///< [N]
};

/// Euclidean length of a row.
[[nodiscard]] double lengthOf(std::span<const float> row);

/// An item that resembles another one.
struct Neighbour {
  std::int64_t index = 0;  ///< position in its dataset
  std::int64_t id = 0;
  /// Cosine of the angle between the features of both, in [-1, 1]; 0 if one of them is all zeros.
  double similarity = 0.0;

  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

/// The `count` rows of `table` most similar to `query` [Q], the most similar first, equal ones in
/// the order of their ids; fewer if the table has fewer. The row of `left_out` (a position in the
/// dataset) is passed over. One pass over the features with sums in double, on the context's
/// threads; the result does not depend on their number. Throws std::invalid_argument for a query of
/// another size; kCancelled.
[[nodiscard]] Expected<std::vector<Neighbour>> nearestRows(const FeatureTable& table,
                                                           std::span<const float> query,
                                                           std::int64_t count,
                                                           std::optional<std::int64_t> left_out,
                                                           const RunContext& context);

}  // namespace dubito
