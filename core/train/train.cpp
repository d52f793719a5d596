// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/io/atomic_file.h"
#include "core/kernels/cuda_library.h"
#include "core/train/augment.h"
#include "core/train/network_file_torch.h"
#include "core/train/network_torch.h"
#include "core/train/torch_state_torch.h"
#include "core/train/training_set_torch.h"

namespace dubito {
namespace {

using Clock = std::chrono::steady_clock;
using torch::jit::Module;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double firstRate(const TrainOptions& options) {
  return options.learning_rate.value_or(options.optimiser == "adam" ? 0.001 : 0.05);
}

std::unique_ptr<torch::optim::Optimizer> makeOptimiser(const TrainOptions& options,
                                                       const std::vector<at::Tensor>& parameters) {
  if (options.optimiser == "adam") {
    return std::make_unique<torch::optim::Adam>(
        parameters,
        torch::optim::AdamOptions(firstRate(options)).weight_decay(options.weight_decay));
  }
  return std::make_unique<torch::optim::SGD>(parameters,
                                             torch::optim::SGDOptions(firstRate(options))
                                                 .momentum(0.9)
                                                 .nesterov(true)
                                                 .weight_decay(options.weight_decay));
}

// The rows of one batch, images shifted.
at::Tensor gatherInputs(const TrainingSet& set, const at::Tensor& rows, const TrainOptions& options,
                        std::uint64_t seed, std::int64_t epoch) {
  if (set.inputs.dim() != 4 || options.shift == 0) {
    return set.inputs.index_select(0, rows);
  }
  std::vector<std::int64_t> shape = set.inputs.sizes().vec();
  shape[0] = rows.numel();
  const at::Tensor inputs = at::empty(shape, at::kFloat);
  const std::int64_t image_size = set.inputs.stride(0);
  const float* const from = set.inputs.const_data_ptr<float>();
  float* const to = inputs.mutable_data_ptr<float>();
  const auto* const row = rows.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < rows.numel(); ++i) {
    shiftImage(from + row[i] * image_size, to + i * image_size, shape[1], shape[2], shape[3],
               randomShift(seed, epoch, row[i], options.shift));
  }
  return inputs;
}

/// The loop over epochs and batches.
class Training {
 public:
  Training(const TrainingSet& set, const TrainOptions& options, Module& network,
           RunContext& context)
      : set_(set),
        options_(options),
        network_(network),
        context_(context),
        device_(context.device.isCuda()
                    ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(context.device.index))
                    : at::Device(at::kCPU)) {
    network_.to(device_);
    for (const at::Tensor& parameter : network_.parameters()) {
      parameters_.push_back(parameter);
    }
    optimiser_ = makeOptimiser(options, parameters_);
    items_ = set.labels.numel();
    batches_ = (items_ + options.batch - 1) / options.batch;
  }

  [[nodiscard]] std::int64_t parameterCount() const {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters_) {
      count += parameter.numel();
    }
    return count;
  }

  /// kContinue where the epoch was finished. `report` covers what was done of it.
  Expected<Step> runEpoch(std::int64_t epoch, EpochReport& report) {
    const Clock::time_point start = Clock::now();
    report.epoch = epoch + 1;
    const std::vector<std::int64_t> order = epochOrder(items_, context_.seed, epoch);
    const at::Tensor rows = at::tensor(order, at::kLong);
    const std::string stage = fmt::format("epoch {} of {}", epoch + 1, options_.epochs);
    double loss_sum = 0.0;
    std::int64_t correct = 0;
    for (std::int64_t batch = 0; batch < batches_; ++batch) {
      const std::int64_t begin = batch * options_.batch;
      const Step step = context_.step(stage, epoch * items_ + begin, options_.epochs * items_);
      if (step != Step::kContinue) {
        return step;
      }
      setRate(epoch * batches_ + batch);
      const std::int64_t count = std::min(options_.batch, items_ - begin);
      const auto [loss, hits] = runBatch(rows.narrow(0, begin, count), epoch);
      if (!std::isfinite(loss)) {
        return fail(ErrorCode::kUnsupported,
                    fmt::format("training diverged in epoch {} (the loss is {}); use a smaller "
                                "--learning-rate than {}",
                                epoch + 1, loss, firstRate(options_)));
      }
      loss_sum += loss * static_cast<double>(count);
      correct += hits;
    }
    report.train_loss = loss_sum / static_cast<double>(items_);
    report.train_accuracy = static_cast<double>(correct) / static_cast<double>(items_);
    report.seconds = secondsSince(start);
    return Step::kContinue;
  }

 private:
  void setRate(std::int64_t step) {
    const double part = static_cast<double>(step) / static_cast<double>(batches_ * options_.epochs);
    const double rate = firstRate(options_) * 0.5 * (1.0 + std::cos(std::numbers::pi * part));
    for (auto& group : optimiser_->param_groups()) {
      group.options().set_lr(rate);
    }
  }

  // Mean loss and number of right answers, both with dropout on.
  std::pair<double, std::int64_t> runBatch(const at::Tensor& rows, std::int64_t epoch) {
    const at::Tensor inputs = gatherInputs(set_, rows, options_, context_.seed, epoch).to(device_);
    const at::Tensor labels = set_.labels.index_select(0, rows).to(device_);
    optimiser_->zero_grad();
    const at::Tensor logits = network_.forward({inputs}).toTensor();
    const at::Tensor loss = at::cross_entropy_loss(logits, labels);
    loss.backward();
    optimiser_->step();
    return {loss.item<double>(), logits.argmax(1).eq(labels).sum().item<std::int64_t>()};
  }

  const TrainingSet& set_;
  const TrainOptions& options_;
  Module& network_;
  RunContext& context_;
  at::Device device_;
  std::vector<at::Tensor> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimiser_;
  std::int64_t items_ = 0;
  std::int64_t batches_ = 0;
};

std::vector<std::string> classNames(const Dataset& dataset, std::int64_t classes) {
  std::vector<std::string> names = dataset.info().class_names;
  for (auto c = static_cast<std::int64_t>(names.size()); c < classes; ++c) {
    names.push_back(std::to_string(c));
  }
  return names;
}

nlohmann::json metadataOf(const Dataset& dataset, const TrainingSet& set, TrainOptions options,
                          const TrainReport& report, const RunContext& context,
                          const std::string& output_path) {
  options.learning_rate = firstRate(options);
  nlohmann::json metadata = toJson(set.preprocessing);
  metadata["name"] = std::filesystem::path(output_path).stem().string();
  metadata["classes"] = classNames(dataset, set.classes);
  metadata["output"] = "logits";
  nlohmann::json& training = metadata["training"];
  training["dataset"] = dataset.info().name;
  training["role"] = toString(dataset.info().role);
  training["items"] = report.items;
  training["options"] = fieldsToJson(options.fields());
  training["seed"] = context.seed;
  training["threads"] = context.threads;
  training["device"] = toString(context.device);
  training["epochs_finished"] = report.epochs.size();
  if (!report.epochs.empty()) {
    training["loss"] = report.epochs.back().train_loss;
    training["accuracy"] = report.epochs.back().train_accuracy;
  }
  return metadata;
}

Status checkRole(const Dataset& dataset) {
  const Role role = dataset.info().role;
  if (role == Role::kOod || role == Role::kUnlabelled) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its role is {}, and a network is trained on items whose class is "
                            "known; append role=train where that is meant",
                            dataset.info().spec, toString(role)));
  }
  return {};
}

}  // namespace

Expected<TrainReport> train(const Dataset& dataset, const TrainOptions& options,
                            const std::string& output_path, RunContext& context,
                            const std::function<void(const EpochReport&)>& on_epoch) {
  const Clock::time_point start = Clock::now();
  for (const Status& status : {options.check(), checkRole(dataset), prepareCuda(context.device)}) {
    if (!status) {
      return failWith(status);
    }
  }
  // Now rather than after minutes of work; the file goes away again at once.
  if (const auto writable = AtomicFile::create(output_path); !writable) {
    return failWith(writable);
  }
  const TorchState torch_state(context.threads, context.seed);
  const Expected<TrainingSet> set = readTrainingSet(dataset, context);
  if (!set) {
    return failWith(set);
  }
  const std::vector<std::int64_t> input_shape = set->inputs.sizes().slice(1).vec();
  Expected<Module> network =
      buildNetwork(options, input_shape, set->classes, torch_state.generator());
  if (!network) {
    return fail(network.error().code,
                fmt::format("{}: {}", dataset.info().spec, network.error().message));
  }
  // Autograd follows the operators one by one; the executor's own differentiation gains nothing
  // here.
  const torch::jit::GraphOptimizerEnabledGuard plain_execution(false);
  Training training(*set, options, *network, context);
  TrainReport report;
  report.parameter_count = training.parameterCount();
  report.items = set->labels.numel();
  report.unlabelled = set->unlabelled;
  report.unreadable = set->unreadable;
  for (std::int64_t epoch = 0; epoch < options.epochs && !report.stopped_early; ++epoch) {
    EpochReport epoch_report;
    const Expected<Step> step = training.runEpoch(epoch, epoch_report);
    if (!step) {
      return failWith(step);
    }
    if (*step == Step::kCancel) {
      return cancelled();
    }
    report.stopped_early = *step == Step::kStopEarly;
    if (!report.stopped_early) {
      report.epochs.push_back(epoch_report);
      if (on_epoch) {
        on_epoch(epoch_report);
      }
    }
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  const nlohmann::json metadata = metadataOf(dataset, *set, options, report, context, output_path);
  if (Status written = writeNetwork(*network, metadata, output_path); !written) {
    return failWith(written);
  }
  report.seconds = secondsSince(start);
  return report;
}

}  // namespace dubito
