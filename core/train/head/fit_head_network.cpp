// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/fit_head_network.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/metrics/reliability_diagram.h"
#include "core/train/augment.h"
#include "core/train/head/feature_frame.h"
#include "core/train/head/fit_head_network_torch.h"
#include "core/train/head/fused_adam_torch.h"
#include "core/train/head/head_network_torch.h"
#include "core/train/head/head_pass_torch.h"
#include "core/train/head/head_step_torch.h"
#include "core/train/learned_dropout_torch.h"
#include "core/train/module_state_torch.h"
#include "core/train/parameter_groups_torch.h"
#include "core/train/schedule_options.h"
#include "core/train/torch_state_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr double kUsualLearningRate = 0.001;
constexpr std::int64_t kReliabilityBins = 15;
/// Items per pass when a head is judged.
constexpr std::int64_t kJudgedTogether = 4096;

/// Features and labels as tensors; the features are not copied, so that they may be mapped from a
/// file that is larger than memory.
HeadTensors tensorsOf(const LabelledFeatures& items) {
  return {
      at::from_blob(const_cast<float*>(items.features.data()), items.features.shape(), at::kFloat),
      at::tensor(items.labels, at::kLong)};
}

HeadFrame frameOf(const LabelledFeatures& items) {
  const FeatureFrame of_items(items, /*may_move=*/true);
  HeadFrame frame;
  for (const double mean : of_items.mean()) {
    frame.mean.push_back(static_cast<float>(mean));
  }
  // Mean square 1 per feature, as the initial weights expect, rather than per item.
  frame.scale =
      static_cast<float>(of_items.scale() / std::sqrt(static_cast<double>(of_items.mean().size())));
  return frame;
}

struct Judged {
  HeadQuality quality;
  ReliabilityDiagram reliability;
};

/// Quality without dropout.
Judged judge(Module& network, const HeadTensors& items, at::Device device) {
  const at::NoGradGuard no_gradients;
  network.eval();
  double loss = 0.0;
  std::vector<float> confidence;
  std::vector<std::uint8_t> is_right;
  const std::int64_t count = items.labels.size(0);
  for (std::int64_t begin = 0; begin < count; begin += kJudgedTogether) {
    const std::int64_t end = std::min(count, begin + kJudgedTogether);
    const at::Tensor labels = items.labels.slice(0, begin, end);
    const at::Tensor features = items.features.slice(0, begin, end).to(device);
    const at::Tensor logits = network.forward({features}).toTensor().cpu();
    loss += at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum).item<double>();
    const auto [largest, predicted] = at::softmax(logits, 1).max(1);
    const at::Tensor right = predicted.eq(labels).to(at::kByte).contiguous();
    const at::Tensor values = largest.contiguous();
    confidence.insert(confidence.end(), values.const_data_ptr<float>(),
                      values.const_data_ptr<float>() + values.numel());
    is_right.insert(is_right.end(), right.const_data_ptr<std::uint8_t>(),
                    right.const_data_ptr<std::uint8_t>() + right.numel());
  }
  network.train();
  const auto n = static_cast<double>(count);
  return {{loss / n, static_cast<double>(std::ranges::count(is_right, 1)) / n},
          equalWidthReliability(std::span<const float>(confidence), is_right, kReliabilityBins)};
}

/// Moves a network to a device and returns it.
torch::jit::Module& onDevice(torch::jit::Module& network, const at::Device& device) {
  network.to(device);
  return network;
}

/// The training of one head.
class HeadTraining {
 public:
  HeadTraining(const HeadItems& items, const HeadOptions& options, RunContext& context)
      : options_(options),
        context_(context),
        device_(torchDevice(context.device)),
        torch_state_(context.threads, context.seed, device_),
        train_(tensorsOf(items.train)),
        validation_(tensorsOf(items.validation)),
        frame_(frameOf(items.train)),
        classes_(items.classes),
        design_(dropoutKindOf(options.dropout), effectiveDropRate(options)),
        network_(buildHeadNetwork(options, frame_, classes_, torch_state_.generator(), design_)),
        learned_(onDevice(network_, device_), design_.places(), options.length_scale,
                 items.train.size()),
        batches_((items.train.size() + options.minibatch - 1) / options.minibatch),
        adam_(groupsOf(network_, learned_, options)),
        pass_(network_, design_.places()),
        step_(train_, pass_, learned_, adam_, context.seed, device_) {}

  Expected<FittedHeadNetwork> run(const HeadEpochEvent& on_epoch) {
    FittedHeadNetwork fitted;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
      HeadEpoch report{.epoch = epoch + 1};
      const auto step = runEpoch(epoch, report);
      if (!step) {
        return failWith(step);
      }
      if (*step == Step::kCancel) {
        return cancelled();
      }
      fitted.stopped_early = *step == Step::kStopEarly;
      if (fitted.stopped_early && fitted.best_epoch > 0) {
        break;
      }
      finishEpoch(report);
      // Without validation items, each epoch is better than the one before, so the last is kept.
      const double judged =
          report.validation ? report.validation->loss : -static_cast<double>(epoch);
      report.is_best = judged < lowest;
      if (report.is_best) {
        lowest = judged;
        fitted.best_epoch = epoch + 1;
        fitted.validation = report.validation;
        keep();
      }
      fitted.epochs.push_back(report);
      if (on_epoch) {
        on_epoch(report);
      }
      if (fitted.stopped_early || epoch + 1 - fitted.best_epoch >= options_.patience) {
        break;
      }
    }
    fitted.impl = std::make_shared<FittedHeadNetwork::Impl>(finished(fitted.train));
    return fitted;
  }

 private:
  [[nodiscard]] double learningRate() const {
    return options_.learning_rate.value_or(kUsualLearningRate);
  }

  static double effectiveDropRate(const HeadOptions& options) {
    return options.drop_rate.value_or(learnsRates(dropoutKindOf(options.dropout)) ? 0.1 : 0.5);
  }

  static std::vector<torch::optim::OptimizerParamGroup> groupsOf(const Module& network,
                                                                 const LearnedDropout& learned,
                                                                 const HeadOptions& options) {
    std::vector<at::Tensor> parameters;
    for (const at::Tensor& parameter : network.parameters()) {
      parameters.push_back(parameter);
    }
    return parameterGroups(parameters, learned,
                           torch::optim::AdamOptions().weight_decay(options.weight_decay));
  }

  Expected<Step> runEpoch(std::int64_t epoch, HeadEpoch& report) {
    const std::int64_t items = train_.labels.size(0);
    const std::vector<std::int64_t> order = epochOrder(items, context_.seed, epoch);
    const at::Tensor rows = at::tensor(order, at::kLong);
    double loss_sum = 0.0;
    std::int64_t seen = 0;
    for (std::int64_t batch = 0; batch < batches_; ++batch) {
      const std::int64_t done = epoch * batches_ + batch;
      if (const Step step = context_.step(kTrainingHeadStage, done, options_.epochs * batches_);
          step != Step::kContinue) {
        return step;
      }
      const double share = cosineFactor(done, options_.epochs * batches_);
      const at::Tensor chosen = rows.slice(0, batch * options_.minibatch,
                                           std::min(items, (batch + 1) * options_.minibatch));
      loss_sum += step_.run(chosen, epoch, learningRate() * share, share);
      seen += chosen.size(0);
      report.train_loss = loss_sum / static_cast<double>(seen);
    }
    if (!std::isfinite(report.train_loss)) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("training the head diverged in epoch {} (the loss is {}); use a "
                              "learning rate below {}",
                              epoch + 1, report.train_loss, learningRate()),
                  {setting("learning_rate")});
    }
    return Step::kContinue;
  }

  void finishEpoch(HeadEpoch& report) {
    report.drop_rates = learned_.trace();
    if (validation_.labels.size(0) > 0) {
      Judged judged = judge(network_, validation_, device_);
      report.validation = judged.quality;
      report.reliability = std::move(judged.reliability);
    }
  }

  void keep() {
    kept_ = stateOf(network_);
    kept_rates_ = learnedRates(network_, design_.places());
  }

  /// The kept head with ordinary dropout layers; measures it on the training items.
  FittedHeadNetwork::Impl finished(HeadQuality& train) {
    DropoutDesign design = learned_.empty()
                               ? DropoutDesign(design_.kind(), effectiveDropRate(options_))
                               : DropoutDesign(kept_rates_);
    Module head = buildHeadNetwork(options_, frame_, classes_, torch_state_.generator(), design);
    loadState(kept_, head);
    head.to(device_);
    train = judge(head, train_, device_).quality;
    head.to(at::kCPU);
    head.eval();
    return {head};
  }

  const HeadOptions& options_;
  RunContext& context_;
  at::Device device_;
  TorchState torch_state_;
  HeadTensors train_;
  HeadTensors validation_;
  HeadFrame frame_;
  std::int64_t classes_;
  DropoutDesign design_;
  Module network_;
  LearnedDropout learned_;
  std::int64_t batches_;
  FusedAdam adam_;
  HeadPass pass_;
  HeadStep step_;
  ModuleState kept_;
  DropRates kept_rates_;
};

}  // namespace

Expected<FittedHeadNetwork> fitHeadNetwork(const HeadItems& items, const HeadOptions& options,
                                           RunContext& context, const HeadEpochEvent& on_epoch) {
  // The program of a head runs only when it is judged: too seldom for an executor that optimises.
  const torch::jit::GraphOptimizerEnabledGuard plain_execution(false);
  return HeadTraining(items, options, context).run(on_epoch);
}

}  // namespace dubito
