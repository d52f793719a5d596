// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/rank_group.h"
#include "core/data/items/dataset.h"
#include "core/inference/networks/network_on_device_torch.h"
#include "core/inference/options/method_options.h"

namespace dubito {

/// Memory that one item needs on its way through a network, as the first readable one shows.
struct ItemBytes {
  std::int64_t input = 0;
  std::int64_t pass = 0;            ///< tensors of a deterministic pass, at their largest
  std::int64_t pass_on_device = 0;  ///< the same on a GPU; then `pass` is what stays on the host
  std::int64_t draws = 0;           ///< probabilities of all draws

  /// With the batches that are loaded ahead.
  [[nodiscard]] std::int64_t inBatch() const;
  /// The least with which an item can be computed.
  [[nodiscard]] std::int64_t alone() const { return input + pass + draws; }
};

/// Passes the first readable item through the network and measures. What the network refuses is
/// left for the prediction to report; state that it writes stays unchanged. kOutOfMemory if the
/// item does not fit into the context's budget or into memory; kCancelled.
[[nodiscard]] Expected<ItemBytes> itemBytes(const Model& model, const Dataset& dataset,
                                            const NetworkOnDevice& network,
                                            const MethodOptions& method, const RunContext& context);

/// How many items share a batch.
struct BatchSize {
  std::int64_t items = 1;
  std::string note = {};  ///< why they are fewer than asked for; empty: they are not
};

/// As many of `wanted` items as fit into the context's budget and into the free memory of its GPU.
/// kOutOfMemory, with the remedy, if not even one does, or if fewer do than `wanted` and the
/// network's results depend on the batch.
[[nodiscard]] Expected<BatchSize> batchThatFits(const Model& model, const ItemBytes& bytes,
                                                std::int64_t wanted, const RunContext& context);

/// The smallest of what the ranks found, with its note: all of them cut datasets into the same
/// batches. `mine` without ranks; the failure of any rank, if one failed.
[[nodiscard]] Expected<BatchSize> smallestOfRanks(const Expected<BatchSize>& mine,
                                                  RankGroup* ranks);

/// Bytes of tensors that a pass may take which several draws share: a fixed amount, or less if the
/// context's budget, or the free memory of its GPU, is less.
[[nodiscard]] std::int64_t bytesOfSharedPass(const RunContext& context);

/// Both, for passes whose results do not depend on the size of the batch. No budget: `wanted`,
/// without a measurement.
[[nodiscard]] Expected<BatchSize> batchForFit(const Model& model, const Dataset& dataset,
                                              const NetworkOnDevice& network, std::int64_t wanted,
                                              const RunContext& context);

}  // namespace dubito
