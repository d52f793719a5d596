// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/train/drop_rate_trace.h"
#include "core/train/head/fit_head.h"
#include "core/train/head/head_options.h"

namespace dubito {

/// A head after an epoch, judged without dropout.
struct HeadEpoch {
  std::int64_t epoch = 0;   ///< from 1
  double train_loss = 0.0;  ///< mean cross entropy over the epoch, with dropout
  std::optional<HeadQuality> validation = {};
  std::optional<ReliabilityDiagram> reliability = {};  ///< of the validation items, 15 bins
  std::vector<LayerDropRates> drop_rates = {};         ///< if they are learned
  bool is_best = false;                                ///< no epoch before was better
};

/// Called after each epoch, on the computing thread.
using HeadEpochEvent = std::function<void(const HeadEpoch&)>;

/// A head of several layers or with dropout.
struct FittedHeadNetwork {
  struct Impl;  ///< the TorchScript module, in fit_head_network_torch.h
  std::shared_ptr<const Impl> impl = nullptr;
  std::vector<HeadEpoch> epochs = {};
  std::int64_t best_epoch = 0;  ///< the one that is kept
  HeadQuality train = {};       ///< of the kept one, without dropout
  std::optional<HeadQuality> validation = {};
  bool stopped_early = false;
};

/// Trains with Adam on minibatches in an order that depends on the seed and the epoch, with a rate
/// that decays along a half cosine. With validation items, the head of the epoch with the lowest
/// validation loss is kept, and training stops after options.patience epochs without a lower one.
/// If stopped early, the best head so far is kept; kCancelled. On the CPU, the same seed
/// and options give the same weights in an epoch for any number of threads; the masks of dropout
/// are the same on all devices (theory, section 4). kUnsupported if the loss is no longer finite.
[[nodiscard]] Expected<FittedHeadNetwork> fitHeadNetwork(const HeadItems& items,
                                                         const HeadOptions& options,
                                                         RunContext& context,
                                                         const HeadEpochEvent& on_epoch = {});

}  // namespace dubito
