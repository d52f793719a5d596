// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/rank_group.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// Memory that one item needs in the network, measured on the first readable item.
struct ItemBytes {
  std::int64_t input = 0;
  /// Page-locked memory that copies the input to a GPU (DeviceCopier).
  std::int64_t staging = 0;
  std::int64_t pass = 0;  ///< peak tensor memory of a deterministic pass
  /// GPU memory of that pass; with a GPU, `pass` is only the host memory.
  std::int64_t pass_on_device = 0;
  std::int64_t draws = 0;  ///< probabilities of all draws

  /// Bytes of host memory per item of a batch, including the batches loaded ahead.
  [[nodiscard]] std::int64_t inBatch() const;
  /// Bytes of GPU memory per item of a batch, including the batch copied ahead.
  [[nodiscard]] std::int64_t inBatchOnDevice() const;
  /// Minimum bytes to compute a single item.
  [[nodiscard]] std::int64_t alone() const { return input + pass + draws; }
};

/// Runs the first readable item through the network and measures it. Errors of the network are
/// ignored here, because the prediction reports them; the model's own state stays unchanged.
/// kOutOfMemory if the item does not fit into the context's budget or into memory; kCancelled.
[[nodiscard]] Expected<ItemBytes> itemBytes(const Model& model, const Dataset& dataset,
                                            const NetworkOnDevice& network,
                                            const MethodOptions& method, const RunContext& context);

/// Number of items per batch.
struct BatchSize {
  std::int64_t items = 1;
  std::string note = {};  ///< the reason if fewer than requested, else empty
};

/// The largest batch of up to `wanted` items that fits into the context's budget and its GPU's free
/// memory. kOutOfMemory, with the remedy, if not even one item fits, or if fewer than `wanted`
/// items fit and the network's results depend on the batch, with dropout on or off.
[[nodiscard]] Expected<BatchSize> largestFittingBatch(const Model& model, const ItemBytes& bytes,
                                                      std::int64_t wanted,
                                                      const RunContext& context,
                                                      bool with_dropout = false);

/// The smallest size of all ranks, with its note, because all ranks must split datasets into the
/// same batches. Returns `mine` without ranks; if any rank failed, that rank's error.
[[nodiscard]] Expected<BatchSize> minOverRanks(const Expected<BatchSize>& mine, RankGroup* ranks);

/// Limit on tensor bytes for a pass shared by several draws: a fixed amount, or less if the
/// context's budget or its GPU's free memory is smaller.
[[nodiscard]] std::int64_t maxSharedPassBytes(const RunContext& context);

/// Measures one item and chooses the batch size for passes whose results do not depend on the batch
/// size. Without a memory budget, returns `wanted` without measuring.
[[nodiscard]] Expected<BatchSize> batchSizeForFit(const Model& model, const Dataset& dataset,
                                                  const NetworkOnDevice& network,
                                                  std::int64_t wanted, const RunContext& context);

}  // namespace dubito
