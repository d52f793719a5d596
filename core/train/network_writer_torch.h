// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/train/train.h"
#include "core/train/training_loop_torch.h"

namespace dubito {

/// Writes the networks of a training: the last weights or their average, samples, snapshots. The
/// training continues unchanged, so that it can still be cancelled and resumed.
class NetworkWriter {
 public:
  /// Writes a network, which it may change, to a file; the object is added to the metadata of the
  /// training.
  using Write = std::function<Status(torch::jit::Module& network, const std::string& path,
                                     const nlohmann::json& further)>;

  /// All but `write` must outlive the writer.
  NetworkWriter(const TrainingSet& set, const TrainOptions& options,
                const torch::jit::Module& network, std::string output_path, Write write);

  /// Call after each epoch: writes the snapshot, if one is due after `epochs` epochs.
  [[nodiscard]] Status afterEpoch(std::int64_t epochs) const;
  /// Call after the last epoch: writes the other networks. kCancelled.
  [[nodiscard]] Status finish(const TrainingLoop& loop, TrainReport& report,
                              RunContext& context) const;

 private:
  [[nodiscard]] torch::jit::Module copy() const;
  Status writeSnapshot(std::int64_t cycle) const;
  Status finishSnapshots(TrainReport& report) const;
  Status writeAverage(const WeightAverage& average, TrainReport& report, RunContext& context) const;

  const TrainingSet& set_;
  const TrainOptions& options_;
  const torch::jit::Module& network_;
  std::string output_path_;
  Write write_;
};

}  // namespace dubito
