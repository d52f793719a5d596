// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/train/learned_dropout_torch.h"
#include "core/train/learning_rate.h"
#include "core/train/train.h"
#include "core/train/training_set_torch.h"
#include "core/train/weight_average_torch.h"

namespace dubito {

/// Progress of a training run.
struct TrainingPosition {
  std::int64_t epoch = 0;    ///< from 0
  std::int64_t batch = 0;    ///< next batch of this epoch
  double loss_sum = 0.0;     ///< of this epoch so far
  std::int64_t correct = 0;  ///< correct predictions of this epoch so far
  double seconds = 0.0;      ///< of this epoch so far
};

/// The loop over epochs and batches. Moves the network to the context's device.
class TrainingLoop {
 public:
  /// `places` are those of the network's dropout.
  TrainingLoop(const TrainingSet& set, const TrainOptions& options, torch::jit::Module& network,
               const std::vector<DropoutPlace>& places, RunContext& context);

  /// Of the finished network, without the logits of learned drop rates.
  [[nodiscard]] std::int64_t parameterCount() const;
  [[nodiscard]] std::int64_t batchesPerEpoch() const { return batches_; }
  /// Runs the epoch from `position` to its end. Returns kContinue if the epoch was finished;
  /// `position` is then the start of the next epoch, and `report` describes the finished one.
  [[nodiscard]] Expected<Step> runEpoch(TrainingPosition& position, EpochReport& report);

  /// The average over the epochs so far that are to be averaged; none without averaging.
  [[nodiscard]] const std::optional<WeightAverage>& average() const { return average_; }
  /// Everything that later steps depend on: weights, buffers, optimiser, the device's random number
  /// state and the average.
  [[nodiscard]] c10::IValue state() const;
  /// Restores a state returned by state(). Throws if it belongs to a different network.
  void restore(const c10::IValue& state);

 private:
  void setRate(std::int64_t step);
  /// Share of the initial learning rate in a step.
  [[nodiscard]] double rateShare(std::int64_t step) const;
  void chooseLayers(std::int64_t epoch);
  std::pair<double, std::int64_t> runBatch(const at::Tensor& inputs,
                                           std::span<const std::int64_t> rows,
                                           const TrainingPosition& position);
  [[nodiscard]] std::vector<at::Tensor> tensors() const;

  const TrainingSet& set_;
  const TrainOptions& options_;
  torch::jit::Module& network_;
  RunContext& context_;
  c10::Device device_;
  std::vector<at::Tensor> parameters_;  ///< of the network and of learned dropout
  LearnedDropout learned_dropout_;
  std::unique_ptr<torch::optim::Optimizer> optimiser_;
  std::optional<WeightAverage> average_;
  std::int64_t items_ = 0;
  std::int64_t batches_ = 0;
};

}  // namespace dubito
