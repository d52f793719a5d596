// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>
#include <torch/serialize/input-archive.h>
#include <torch/serialize/output-archive.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "core/base/stopwatch.h"
#include "core/data/device/device_batches_torch.h"
#include "core/models/torchscript/checked_import_torch.h"
#include "core/train/augment.h"
#include "core/train/augmented_inputs_torch.h"
#include "core/train/batch_norm_torch.h"
#include "core/train/parameter_groups_torch.h"
#include "core/train/torch_state_torch.h"
#include "core/train/training_batch_torch.h"
#include "core/train/training_loop_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

std::unique_ptr<torch::optim::Optimizer> makeOptimiser(const TrainOptions& options,
                                                       const std::vector<at::Tensor>& parameters,
                                                       const LearnedDropout& dropout) {
  const double rate = initialLearningRate(options);
  if (options.optimiser == "adam") {
    const auto adam = torch::optim::AdamOptions(rate).weight_decay(options.weight_decay);
    return std::make_unique<torch::optim::Adam>(parameterGroups(parameters, dropout, adam), adam);
  }
  const auto sgd = torch::optim::SGDOptions(rate).momentum(0.9).nesterov(true).weight_decay(
      options.weight_decay);
  return std::make_unique<torch::optim::SGD>(parameterGroups(parameters, dropout, sgd), sgd);
}

/// The layer that gives the logits: the last child with a weight.
Module lastLayer(const Module& network) {
  Module last = network;
  for (const Module& child : network.children()) {
    if (child.hasattr("weight")) {
      last = child;
    }
  }
  return last;
}

at::Tensor bytesOf(const std::string& text) {
  at::Tensor bytes = at::empty({static_cast<std::int64_t>(text.size())}, at::kByte);
  std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
  return bytes;
}

std::vector<at::Tensor> parametersOn(Module& network, c10::Device device) {
  network.to(device);
  std::vector<at::Tensor> parameters;
  for (const at::Tensor& parameter : network.parameters()) {
    parameters.push_back(parameter);
  }
  return parameters;
}

}  // namespace

TrainingLoop::TrainingLoop(const TrainingSet& set, const TrainOptions& options, Module& network,
                           const std::vector<DropoutPlace>& places, RunContext& context)
    : set_(set),
      options_(options),
      network_(network),
      context_(context),
      device_(torchDevice(context.device)),
      parameters_(parametersOn(network, device_)),
      learned_dropout_(network, places, options.length_scale, set.size()),
      optimiser_(makeOptimiser(options, parameters_, learned_dropout_)) {
  if (options.averaging.averages()) {
    average_.emplace(options.averaging.swag > 0 ? options.averaging.swag_rank : 0);
  }
  items_ = set.size();
  batches_ = (items_ + options.batch - 1) / options.batch;
}

std::int64_t TrainingLoop::parameterCount() const {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : parameters_) {
    count += parameter.numel();
  }
  for (const at::Tensor& logits : learned_dropout_.logits()) {
    count -= logits.numel();
  }
  return count;
}

Expected<Step> TrainingLoop::runEpoch(TrainingPosition& position, EpochReport& report) {
  const Stopwatch watch;
  const double seconds_before = position.seconds;
  const std::int64_t epoch = position.epoch;
  chooseLayers(epoch);
  const std::vector<std::int64_t> order = epochOrder(items_, context_.seed, epoch);
  const std::string stage = fmt::format("epoch {} of {}", epoch + 1, options_.epochs);
  // Loaded while the network trains on the previous batch.
  std::vector<std::int64_t> items;
  for (auto row = order.begin() + position.batch * options_.batch; row != order.end(); ++row) {
    items.push_back(set_.items[static_cast<std::size_t>(*row)]);
  }
  const std::int64_t first_batch = position.batch;
  const auto rowsOfBatch = [&](std::int64_t number) {
    const std::int64_t begin = number * options_.batch;
    return std::span(order).subspan(
        static_cast<std::size_t>(begin),
        static_cast<std::size_t>(std::min(options_.batch, items_ - begin)));
  };
  DeviceBatches inputs(
      *set_.dataset, BatchPlan::ofItems(std::move(items), options_.batch), set_.preprocessing,
      context_, makeDeviceCopier(device_), [&](const Batch& batch, std::int64_t number) {
        // Without some of its items, the batch is refused below.
        return batch.unreadable.empty() ? augmentedInputs(batch, rowsOfBatch(first_batch + number),
                                                          options_, epoch, context_)
                                        : tensorOf(batch);
      });
  for (; position.batch < batches_; ++position.batch) {
    const std::int64_t begin = position.batch * options_.batch;
    const Step step = context_.step(stage, epoch * items_ + begin, options_.epochs * items_);
    position.seconds = seconds_before + watch.seconds();
    if (step != Step::kContinue) {
      return step;
    }
    setRate(epoch * batches_ + position.batch);
    const auto batch = inputs.next();
    if (!batch) {
      if (batch.error().code == ErrorCode::kCancelled) {
        return Step::kCancel;
      }
      return failWith(batch);
    }
    if (Status same = requireReadable(batch->batch); !same) {
      return failWith(same);
    }
    const std::span<const std::int64_t> rows = rowsOfBatch(position.batch);
    const auto [loss, hits] = runBatch(batch->inputs, rows, position);
    if (!std::isfinite(loss)) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format(
              "training diverged in epoch {} (the loss is {}); use a learning rate below {}",
              epoch + 1, loss, initialLearningRate(options_)),
          {setting("learning_rate")});
    }
    position.loss_sum += loss * static_cast<double>(rows.size());
    position.correct += hits;
  }
  if (average_ && epoch >= options_.epochs - options_.averaging.averagedEpochs(options_.epochs)) {
    average_->add(parameters_);
  }
  report.epoch = epoch + 1;
  report.train_loss = position.loss_sum / static_cast<double>(items_);
  report.train_accuracy = static_cast<double>(position.correct) / static_cast<double>(items_);
  report.seconds = seconds_before + watch.seconds();
  report.drop_rates = learned_dropout_.trace();
  position = {.epoch = epoch + 1};
  return Step::kContinue;
}

double TrainingLoop::rateShare(std::int64_t step) const {
  return learningRateAt(options_, step, batches_) / initialLearningRate(options_);
}

void TrainingLoop::setRate(std::int64_t step) {
  const double rate = learningRateAt(options_, step, batches_);
  for (auto& group : optimiser_->param_groups()) {
    group.options().set_lr(rate);
  }
}

// After the first snapshot, only the last layer may be trained: the features stay the same.
void TrainingLoop::chooseLayers(std::int64_t epoch) {
  const AveragingOptions& averaging = options_.averaging;
  if (averaging.snapshots == 0 || averaging.snapshot_layers == "all" ||
      averaging.cycleOf(epoch, options_.epochs) == 0) {
    return;
  }
  for (at::Tensor& parameter : parameters_) {
    parameter.set_requires_grad(false);
  }
  for (at::Tensor parameter : lastLayer(network_).parameters()) {
    parameter.set_requires_grad(true);
  }
  for (Module& layer : batchNormLayers(network_)) {
    layer.eval();
  }
}

// Mean loss and number of correct predictions, both with dropout on.
std::pair<double, std::int64_t> TrainingLoop::runBatch(const at::Tensor& inputs,
                                                       std::span<const std::int64_t> rows,
                                                       const TrainingPosition& position) {
  const auto count = static_cast<std::int64_t>(rows.size());
  TrainingBatch step{
      .inputs = inputs.to(device_),
      .labels = set_.labels
                    .index_select(0, at::tensor(std::vector<std::int64_t>(rows.begin(), rows.end()),
                                                at::kLong))
                    .to(device_),
      .partner_labels = {}};
  if (options_.augmentation.mixup > 0.0) {
    mix(step, randomMixup(context_.seed, position.epoch, position.batch,
                          options_.augmentation.mixup, count));
  }
  optimiser_->zero_grad();
  learned_dropout_.zeroGradients();
  const at::Tensor logits = network_.forward({step.inputs}).toTensor();
  const at::Tensor loss = targetLoss(logits, step, options_.augmentation.label_smoothing);
  (learned_dropout_.empty() ? loss : loss + learned_dropout_.penalty()).backward();
  optimiser_->step();
  learned_dropout_.step(rateShare(position.epoch * batches_ + position.batch));
  return {loss.item<double>(), logits.argmax(1).eq(mainLabels(step)).sum().item<std::int64_t>()};
}

std::vector<at::Tensor> TrainingLoop::tensors() const {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : parameters_) {
    all.push_back(parameter.detach());
  }
  for (const at::Tensor& buffer : network_.buffers()) {
    all.push_back(buffer);
  }
  return all;
}

c10::IValue TrainingLoop::state() const {
  torch::serialize::OutputArchive archive;
  optimiser_->save(archive);
  std::ostringstream optimiser;
  archive.save_to(optimiser);
  std::vector<at::Tensor> on_cpu;
  for (const at::Tensor& tensor : tensors()) {
    on_cpu.push_back(tensor.cpu());
  }
  at::Generator generator = generatorOf(device_);
  const std::scoped_lock lock(generator.mutex());
  return c10::ivalue::Tuple::create({on_cpu, bytesOf(optimiser.str()), generator.get_state(),
                                     average_ ? average_->state() : c10::IValue(),
                                     bytesOf(learned_dropout_.optimiserState())});
}

void TrainingLoop::restore(const c10::IValue& state) {
  const std::vector<c10::IValue> parts = state.toTupleRef().elements().vec();
  TORCH_CHECK(parts.size() == 5, "expected five parts");
  const std::vector<at::Tensor> saved = parts[0].toTensorVector();
  const std::vector<at::Tensor> own = tensors();
  TORCH_CHECK(saved.size() == own.size(), "it belongs to a different network");
  const at::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < own.size(); ++i) {
    TORCH_CHECK(saved[i].sizes() == own[i].sizes() && saved[i].dtype() == own[i].dtype(),
                "it belongs to a different network");
    own[i].copy_(saved[i]);
  }
  if (average_) {
    average_->restore(parts[3], parameters_);
  }
  const at::Tensor optimiser = parts[1].toTensor().contiguous();
  checkArchive({static_cast<const char*>(optimiser.const_data_ptr()), optimiser.nbytes()});
  torch::serialize::InputArchive archive;
  archive.load_from(static_cast<const char*>(optimiser.const_data_ptr()), optimiser.nbytes(),
                    device_);
  optimiser_->load(archive);
  const at::Tensor of_rates = parts[4].toTensor().contiguous();
  learned_dropout_.restoreOptimiser(
      {static_cast<const char*>(of_rates.const_data_ptr()), of_rates.nbytes()});
  at::Generator generator = generatorOf(device_);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(parts[2].toTensor());
}

}  // namespace dubito
