// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/dataset.h"

namespace dubito {

/// How one of our own small networks is trained. The seed comes from the RunContext.
struct TrainOptions {
  /// "lenet" or "mlp".
  std::string architecture = "lenet";
  std::int64_t epochs = 12;
  std::int64_t batch = 128;
  /// "sgd" (Nesterov momentum 0.9) or "adam".
  std::string optimiser = "sgd";
  /// Rate of the first step; it falls to 0 along a half cosine.
  double learning_rate = 0.05;
  double weight_decay = 5e-4;
  double drop_rate = 0.5;
  /// Largest random shift of the training images, in pixels.
  std::int64_t shift = 2;
  /// Units of the hidden layers of an mlp, filters and units of a lenet come from `width`: 1 is the
  /// demo's size.
  double width = 1.0;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// What happened in one epoch.
struct EpochReport {
  std::int64_t epoch = 0;  ///< from 1
  double train_loss = 0.0;
  double train_accuracy = 0.0;
  double seconds = 0.0;
};

struct TrainReport {
  std::vector<EpochReport> epochs;
  std::int64_t parameter_count = 0;
  double seconds = 0.0;
};

/// Trains on `dataset` and writes a TorchScript file with metadata.json inside the archive to
/// `output_path` (beside, then renamed). With stop-early the weights so far are written. `on_epoch`
/// may be empty.
[[nodiscard]] Expected<TrainReport> train(const Dataset& dataset, const TrainOptions& options,
                                          const std::string& output_path, RunContext& context,
                                          const std::function<void(const EpochReport&)>& on_epoch);

}  // namespace dubito
