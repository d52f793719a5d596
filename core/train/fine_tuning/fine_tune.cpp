// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fine_tuning/fine_tune.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/data/device/device_batches_torch.h"
#include "core/data/images/input_bytes.h"
#include "core/data/items/sample_cache.h"
#include "core/kernels/cuda_library.h"
#include "core/models/graph_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/torch_reason.h"
#include "core/train/torch_state_torch.h"
#include "core/train/training_loop_torch.h"
#include "core/train/training_set_torch.h"

namespace dubito {

using torch::jit::Module;

struct FineTunedNetwork::Impl {
  Module module;  ///< in eval mode, on the device
  Preprocessing preprocessing;
};

namespace {

constexpr std::int64_t kItemsPerPass = 500;

tl::unexpected<Error> notTrainable(const Model& model, const std::string& reason) {
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: its layers cannot be trained further ({}); train its last layer "
                          "only (\"layers\": \"last\")",
                          model.path(), reason));
}

bool hasQuantisedLayers(const Model& model) {
  bool has = false;
  forEachNode(model.impl().network.graph->block(), [&has](const torch::jit::Node* node) {
    has = has || opName(node).starts_with("quantized::");
  });
  return has;
}

bool hasWeights(const Module& network) {
  bool has = false;
  for (const at::Tensor& parameter : network.parameters()) {
    has = has || parameter.is_floating_point();
  }
  return has;
}

Status checkTrainable(const Model& model) {
  const ModelAudit& audit = model.audit();
  if (hasQuantisedLayers(model)) {
    return notTrainable(model, "they are quantised");
  }
  if (!hasWeights(model.impl().module)) {
    return notTrainable(model, "its weights are part of the program, as after torch.jit.freeze");
  }
  if (audit.output != OutputKind::kLogits || audit.one_output) {
    return notTrainable(model, "it does not return the logits of its classes");
  }
  if (audit.outputs.size() != 1 || !audit.outputs.front().name.empty()) {
    return notTrainable(model, "it does not return a single tensor");
  }
  return {};
}

/// A deep copy, of which all weights are trained.
Module copyOf(const Model& model) {
  const at::NoGradGuard no_gradients;
  Module network = model.impl().module.deepcopy();
  for (at::Tensor parameter : network.parameters()) {
    if (parameter.is_floating_point()) {
      parameter.set_requires_grad(true);
    }
  }
  return network;
}

TrainingSet trainingSet(const Model& model, const ChosenItems& items, const RunContext& context) {
  TrainingSet set;
  // As in readTrainingSet: the other half is for batches and the training itself.
  const std::int64_t kept_bytes = context.memory_budget_bytes > 0
                                      ? context.memory_budget_bytes / 2
                                      : std::numeric_limits<std::int64_t>::max();
  set.dataset = std::make_shared<const SampleCache>(items, kept_bytes);
  set.items.resize(static_cast<std::size_t>(items.size()));
  std::iota(set.items.begin(), set.items.end(), 0);
  set.labels = at::tensor(std::vector<std::int64_t>(items.labels().begin(), items.labels().end()),
                          at::kLong);
  set.classes = model.audit().classes;
  set.preprocessing = model.metadata().preprocessing;
  return set;
}

TrainOptions trainOptions(const FineTuningOptions& options) {
  TrainOptions all;
  all.epochs = options.epochs;
  all.batch = options.batch;
  all.learning_rate = options.learning_rate;
  all.shift = 0;
  return all;
}

Status trainFurther(Module& network, const TrainingSet& set, const TrainOptions& options,
                    RunContext& context) {
  network.train();
  // As in trainOn: the executor's own differentiation gains nothing here.
  const torch::jit::GraphOptimizerEnabledGuard plain_execution(false);
  TrainingLoop loop(set, options, network, {}, context);
  TrainingPosition position;
  while (position.epoch < options.epochs) {
    EpochReport report;
    const auto step = loop.runEpoch(position, report);
    if (!step) {
      return failWith(step);
    }
    if (*step == Step::kCancel) {
      return cancelled();
    }
    if (*step == Step::kStopEarly) {
      break;
    }
  }
  network.eval();
  return {};
}

}  // namespace

Expected<std::vector<std::int64_t>> FineTunedNetwork::classesOf(
    const Dataset& dataset, const std::vector<std::int64_t>& positions, RunContext& context) const {
  const auto together = itemsPerLoad(dataset, impl_->preprocessing, kItemsPerPass, context);
  if (!together) {
    return failWith(together);
  }
  const at::Device device = torchDevice(context.device);
  const TorchState torch_state(context.threads, context.seed, device);
  const at::NoGradGuard no_gradients;
  const torch::jit::GraphOptimizerEnabledGuard plain_execution(false);
  Module network = impl_->module;
  std::vector<std::int64_t> classes;
  DeviceBatches batches(dataset, BatchPlan::ofItems(positions, *together), impl_->preprocessing,
                        context, makeDeviceCopier(device));
  while (batches.remaining() > 0) {
    if (context.step("predicting", std::ssize(classes), std::ssize(positions)) == Step::kCancel) {
      return cancelled();
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    if (Status readable = requireReadable(batch->batch); !readable) {
      return failWith(readable);
    }
    const at::Tensor inputs = batch->inputs.to(device);
    const at::Tensor logits = network.forward({inputs}).toTensor().cpu();
    if (!logits.isfinite().all().item<bool>()) {
      return fail(ErrorCode::kUnsupported,
                  "training all layers further diverged (logits are not finite); use a lower "
                  "\"learning_rate\"");
    }
    const at::Tensor largest = logits.argmax(1).contiguous();
    classes.insert(classes.end(), largest.const_data_ptr<std::int64_t>(),
                   largest.const_data_ptr<std::int64_t>() + largest.numel());
  }
  return classes;
}

Expected<FineTunedNetwork> fineTune(const Model& model, std::vector<LabelledItems> items,
                                    const FineTuningOptions& options, RunContext& context) {
  for (const Status& status :
       {options.check(), checkTrainable(model), prepareCuda(context.device)}) {
    if (!status) {
      return failWith(status);
    }
  }
  const ChosenItems chosen(std::move(items));
  if (std::ranges::any_of(chosen.labels(), [&](std::int64_t label) {
        return label < 0 || label >= model.audit().classes;
      })) {
    throw std::invalid_argument("fineTune: the network has no class for a label");
  }
  const TrainingSet set = trainingSet(model, chosen, context);
  const TorchState torch_state(context.threads, context.seed, torchDevice(context.device));
  Module network = copyOf(model);
  try {
    if (Status trained = trainFurther(network, set, trainOptions(options), context); !trained) {
      return failWith(trained);
    }
  } catch (const std::exception& exception) {
    return notTrainable(model, torchReason(exception));
  }
  return FineTunedNetwork(std::make_shared<const FineTunedNetwork::Impl>(
      FineTunedNetwork::Impl{network, set.preprocessing}));
}

}  // namespace dubito
