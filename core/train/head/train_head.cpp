// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/train_head.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/data/images/input_range.h"
#include "core/io/atomic_file.h"
#include "core/kernels/cuda_library.h"
#include "core/models/network_hash.h"
#include "core/train/drop_rate_course.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/feature_cache.h"
#include "core/train/head/fit_head.h"
#include "core/train/head/fit_head_network_torch.h"
#include "core/train/head/head_classes.h"
#include "core/train/head/head_split.h"
#include "core/train/head/network_with_head_torch.h"
#include "core/train/head/replaced_head_torch.h"
#include "core/train/head/saved_head_torch.h"
#include "core/train/training_role.h"

namespace dubito {
namespace {

nlohmann::json metadataOfHead(const Model& backbone, const Dataset& dataset,
                              const HeadClasses& classes, HeadOptions options,
                              const HeadReport& report, const RunContext& context,
                              const std::string& output_path) {
  const ModelMetadata& of_backbone = backbone.metadata();
  // With the scale that the features were computed with.
  nlohmann::json metadata = toJson(preprocessingFor(dataset, of_backbone.preprocessing));
  metadata["name"] = std::filesystem::path(output_path).stem().string();
  if (!classes.names.empty()) {
    metadata["classes"] = classes.names;
  }
  metadata["output"] = backbone.audit().output == OutputKind::kLogits ? "logits" : "probabilities";
  // A head of several layers follows a backbone that returns nothing else.
  if (!of_backbone.output_key.empty() && !options.isNetwork()) {
    metadata["output_key"] = of_backbone.output_key;
  }
  // The cache of features does not affect the network.
  nlohmann::json of_options = fieldsToJson(options.fields());
  of_options.erase("feature_cache");
  of_options.erase("feature_cache_mb");
  nlohmann::json& training = metadata["training"];
  training["head_of"] = of_backbone.name;
  training["backbone_hash"] = networkHash(backbone);
  training["dataset"] = dataset.info().name;
  training["role"] = toString(dataset.info().role);
  training["items"] = report.items;
  training["options"] = std::move(of_options);
  training["seed"] = context.seed;
  training["threads"] = context.threads;
  training["device"] = toString(context.device);
  if (report.epochs.empty()) {
    training["l2"] = report.l2;
    training["iterations"] = report.iterations;
  } else {
    training["epochs_finished"] = report.epochs.size();
    training["best_epoch"] = report.best_epoch;
    addDropRateCourse(dropRateCourse(report.epochs), training);
  }
  if (report.validation) {
    training["validation_loss"] = report.validation->loss;
    training["validation_accuracy"] = report.validation->accuracy;
  }
  training["loss"] = report.train.loss;
  training["accuracy"] = report.train.accuracy;
  if (report.held_out) {
    training["held_out"] = {{"items", report.held_out->items}, {"right", report.held_out->right}};
  }
  return metadata;
}

void noteClasses(const HeadClasses& classes, const LabelledFeatures& train, HeadReport& report) {
  std::vector<bool> has_items(static_cast<std::size_t>(classes.count));
  for (const std::int64_t label : train.labels) {
    has_items[static_cast<std::size_t>(label)] = true;
  }
  const auto without = std::ranges::count(has_items, false);
  if (without > 0) {
    report.notes.push_back(
        fmt::format("{} of the {} classes have no items to train on", without, classes.count));
  }
}

/// Data and output file of the training of a head.
struct HeadTask {
  const Model& backbone;
  const Dataset& dataset;
  const HeadOptions& options;
  const HeadClasses& classes;
  const BackboneFeatures& features;
  const HeadItems& items;
  const std::string& output_path;
};

nlohmann::json metadataOf(const HeadTask& task, const HeadReport& report,
                          const RunContext& context) {
  return metadataOfHead(task.backbone, task.dataset, task.classes, task.options, report, context,
                        task.output_path);
}

/// The logits of a linear layer, in double.
HeadFunction functionOf(const LinearHead& head) {
  const at::Tensor weight =
      at::from_blob(const_cast<double*>(head.weight.data()), head.weight.shape(), at::kDouble)
          .clone();
  const at::Tensor bias = head.bias.empty() ? at::zeros({weight.size(0)}, at::kDouble)
                                            : at::tensor(head.bias, at::kDouble);
  return [weight, bias](const at::Tensor& features) {
    const at::Tensor wide = features.to(at::kDouble);
    const at::Tensor size = wide.abs().matmul(weight.abs().t()) + bias.abs();
    return ExpectedLogits{wide.matmul(weight.t()) + bias, size.max().item<double>()};
  };
}

HeadFunction functionOf(torch::jit::Module head) {
  return [head](const at::Tensor& features) mutable {
    const at::NoGradGuard no_gradients;
    const at::Tensor logits = head.forward({features}).toTensor().to(at::kDouble);
    return ExpectedLogits{logits, logits.abs().max().item<double>()};
  };
}

Status trainLinearHead(const HeadTask& task, const HeadPlace& place, AtomicFile file,
                       HeadReport& report, RunContext& context) {
  const Stopwatch watch;
  const auto fitted = fitHead(task.items, task.options, context);
  if (!fitted) {
    return failWith(fitted);
  }
  report.l2 = fitted->l2;
  report.held_out = fitted->held_out;
  report.iterations = fitted->regression.iterations;
  report.converged = fitted->regression.converged;
  report.train = fitted->regression.train;
  report.validation = fitted->regression.validation;
  report.training_seconds = watch.seconds();
  const LinearHead& head = fitted->regression.head;
  const auto archive =
      archiveWithHead(task.backbone, place, head, metadataOf(task, report, context).dump(2));
  if (!archive) {
    return failWith(archive);
  }
  return saveCheckedHead(std::move(file), *archive, task.backbone, task.dataset, task.features,
                         functionOf(head), context);
}

Status trainHeadNetwork(const HeadTask& task, AtomicFile file, HeadReport& report,
                        RunContext& context, const HeadEpochEvent& on_epoch) {
  const Stopwatch watch;
  const auto fitted = fitHeadNetwork(task.items, task.options, context, on_epoch);
  if (!fitted) {
    return failWith(fitted);
  }
  report.epochs = fitted->epochs;
  report.best_epoch = fitted->best_epoch;
  report.train = fitted->train;
  report.validation = fitted->validation;
  report.training_seconds = watch.seconds();
  const torch::jit::Module& head = fitted->impl->module;
  const auto archive =
      archiveWithHeadNetwork(task.backbone, head, metadataOf(task, report, context).dump(2));
  if (!archive) {
    return failWith(archive);
  }
  return saveCheckedHead(std::move(file), *archive, task.backbone, task.dataset, task.features,
                         functionOf(head), context);
}

/// Where a linear head goes; an empty one for other heads, which need less of the backbone.
Expected<HeadPlace> placeOfHead(const Model& backbone, const HeadOptions& options) {
  if (!options.isNetwork()) {
    return headPlace(backbone);
  }
  if (Status usable = checkBackbone(backbone); !usable) {
    return failWith(usable);
  }
  return HeadPlace();
}

}  // namespace

Expected<HeadReport> trainHead(const Model& backbone, const Dataset& dataset,
                               const HeadOptions& options, std::int64_t batch,
                               const std::string& output_path, RunContext& context,
                               const HeadEpochEvent& on_epoch) {
  for (const Status& status :
       {options.check(), checkTrainingRole(dataset), prepareCuda(context.device)}) {
    if (!status) {
      return failWith(status);
    }
  }
  const auto place = placeOfHead(backbone, options);
  if (!place) {
    return failWith(place);
  }
  const auto classes = headClasses(dataset, backbone.metadata().class_names,
                                   backbone.audit().classes, options.classes == "dataset");
  if (!classes) {
    return failWith(classes);
  }
  // Now rather than after minutes of work.
  auto file = AtomicFile::create(output_path);
  if (!file) {
    return failWith(file);
  }
  Stopwatch watch;
  HeadReport report;
  std::vector<std::int64_t> labelled;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (classes->labels[static_cast<std::size_t>(i)] >= 0) {
      labelled.push_back(i);
    }
  }
  report.unlabelled = dataset.size() - static_cast<std::int64_t>(labelled.size());
  const BackboneFeatureOptions of_features{
      .batch = batch,
      .folder = options.feature_cache.empty() ? usualFeatureFolder() : options.feature_cache,
      .max_cache_bytes = options.cacheBytes()};
  auto features = backboneFeatures(backbone, dataset, labelled, of_features, context);
  if (!features) {
    return failWith(features);
  }
  report.feature_seconds = watch.seconds();
  report.unreadable = features->unreadable;
  report.from_cache = features->from_cache;
  report.features = features->features.extent(1);
  report.notes = features->notes;
  auto split = splitItems(*features, *classes, dataset, options.validation_share, context.seed,
                          featurePlace(of_features, context));
  if (!split) {
    return failWith(split);
  }
  HeadItems& parts = *split;
  parts.has_bias = options.isNetwork() || !place->bias.empty();
  if (Status usable = checkSplit(parts, dataset); !usable) {
    return failWith(usable);
  }
  report.items = parts.train.size();
  report.validation_items = parts.validation.size();
  report.classes = classes->count;
  report.added_classes = classes->added;
  noteClasses(*classes, parts.train, report);
  if (dataset.info().role == Role::kTest) {
    report.notes.push_back(fmt::format("{} has the role test; evaluate on other items than these",
                                       dataset.info().name));
  }
  const HeadTask task{backbone, dataset, options, *classes, *features, parts, output_path};
  const Status trained = options.isNetwork()
                             ? trainHeadNetwork(task, *std::move(file), report, context, on_epoch)
                             : trainLinearHead(task, *place, *std::move(file), report, context);
  if (!trained) {
    return failWith(trained);
  }
  report.saving_seconds = watch.seconds() - report.feature_seconds - report.training_seconds;
  return report;
}

}  // namespace dubito
