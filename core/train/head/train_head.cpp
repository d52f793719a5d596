// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/train_head.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/data/items/item_random.h"
#include "core/inference/networks/head_network_torch.h"
#include "core/io/atomic_file.h"
#include "core/kernels/cuda_library.h"
#include "core/models/network_hash.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/feature_cache.h"
#include "core/train/head/fit_head.h"
#include "core/train/head/head_classes.h"
#include "core/train/head/replaced_head_torch.h"

namespace dubito {
namespace {

/// Items on which the saved network is compared with features times weights.
constexpr std::size_t kCheckedItems = 8;
/// Relative difference that rounding of the network's own product can explain, by number type.
constexpr double kFloatDifference = 1e-3;
constexpr double kHalfDifference = 0.05;

HeadItems split(const BackboneFeatures& all, const HeadClasses& classes, const Dataset& dataset,
                double validation_share, std::uint64_t seed) {
  HeadItems parts{.classes = classes.count};
  std::vector<float> train;
  std::vector<float> validation;
  for (std::size_t row = 0; row < all.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(all.items[row]);
    const std::int64_t id = dataset.ids()[item];
    const bool is_held_out =
        validation_share > 0.0 && ItemRandom(seed, id).uniform() < validation_share;
    const auto values = all.features.row(static_cast<std::int64_t>(row));
    std::vector<float>& to = is_held_out ? validation : train;
    to.insert(to.end(), values.begin(), values.end());
    (is_held_out ? parts.validation : parts.train).labels.push_back(classes.labels[item]);
    if (!is_held_out) {
      parts.ids.push_back(id);
    }
  }
  const std::int64_t width = all.features.extent(1);
  parts.train.features = Array<float>::fromVector({parts.train.size(), width}, std::move(train));
  parts.validation.features =
      Array<float>::fromVector({parts.validation.size(), width}, std::move(validation));
  return parts;
}

Status checkRoleOf(const Dataset& dataset) {
  const Role role = dataset.info().role;
  if (role == Role::kOod || role == Role::kUnlabelled) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its role is {}, but training needs items whose class is known; "
                            "append role=train if that is intended",
                            dataset.info().spec, toString(role)));
  }
  return {};
}

/// kUnsupported unless at least two classes are left to train on.
Status checkSplit(const HeadItems& parts, const Dataset& dataset) {
  const std::set<std::int64_t> classes(parts.train.labels.begin(), parts.train.labels.end());
  if (classes.size() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} items of {} classes are left to train on, at least two classes "
                            "are needed; label more, or hold out fewer (--validation-share)",
                            dataset.info().spec, parts.train.size(), classes.size()));
  }
  return {};
}

nlohmann::json metadataOfHead(const Model& backbone, const Dataset& dataset,
                              const HeadClasses& classes, HeadOptions options,
                              const HeadReport& report, const RunContext& context,
                              const std::string& output_path) {
  const ModelMetadata& of_backbone = backbone.metadata();
  nlohmann::json metadata = toJson(of_backbone.preprocessing);
  metadata["name"] = std::filesystem::path(output_path).stem().string();
  if (!classes.names.empty()) {
    metadata["classes"] = classes.names;
  }
  metadata["output"] = backbone.audit().output == OutputKind::kLogits ? "logits" : "probabilities";
  if (!of_backbone.output_key.empty()) {
    metadata["output_key"] = of_backbone.output_key;
  }
  // Where the features are kept does not affect the network.
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
  training["l2"] = report.l2;
  training["iterations"] = report.iterations;
  training["loss"] = report.train.loss;
  training["accuracy"] = report.train.accuracy;
  if (report.held_out) {
    training["held_out"] = {{"items", report.held_out->items}, {"right", report.held_out->right}};
  }
  return metadata;
}

/// Compares the logits of the saved network with the features times the new weights.
Status checkSaved(const Model& saved, const Model& backbone, const Dataset& dataset,
                  const BackboneFeatures& features, const LinearHead& head,
                  const RunContext& context) {
  const auto network = placeNetwork(saved, Device());
  if (!network) {
    return failWith(network);
  }
  auto with_head = HeadNetwork::of(saved, *network);
  if (!with_head) {
    return failWith(with_head);
  }
  const std::vector<std::int64_t> items(
      features.items.begin(), features.items.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           kCheckedItems, features.items.size())));
  const auto batch = loadBatch(dataset, items, saved.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto outputs = with_head->run(*batch, dataset);
  if (!outputs) {
    return failWith(outputs);
  }
  double difference = 0.0;
  double scale = 1.0;
  for (std::int64_t row = 0; row < outputs->logits.size(0); ++row) {
    const auto inputs = features.features.row(row);
    for (std::int64_t k = 0; k < head.weight.extent(0); ++k) {
      double expected = head.bias.empty() ? 0.0 : head.bias[static_cast<std::size_t>(k)];
      const auto weights = head.weight.row(k);
      double size = std::abs(expected);
      for (std::size_t q = 0; q < inputs.size(); ++q) {
        expected += weights[q] * double{inputs[q]};
        size += std::abs(weights[q] * double{inputs[q]});
      }
      scale = std::max(scale, size);
      difference =
          std::max(difference, std::abs(expected - outputs->logits[row][k].item<double>()));
    }
  }
  const double allowed =
      backbone.audit().number_type == "Float" || backbone.audit().number_type == "Double"
          ? kFloatDifference
          : kHalfDifference;
  if (!(difference <= allowed * scale)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its last layer cannot be replaced (the outputs of the new network "
                            "differ from features times weights by {:.2g}); train the whole "
                            "network in another program",
                            backbone.path(), difference));
  }
  return {};
}

/// Writes the new network, opens it again and compares.
Status saveHead(AtomicFile file, const Model& backbone, const HeadPlace& place,
                const Dataset& dataset, const BackboneFeatures& features, const LinearHead& head,
                const nlohmann::json& metadata, RunContext& context) {
  const auto archive = archiveWithHead(backbone, place, head, metadata.dump(2));
  if (!archive) {
    return failWith(archive);
  }
  if (Status written = file.write(std::string_view(*archive)); !written) {
    return written;
  }
  const auto saved = loadModel(file.tempPath(), {}, context);
  if (!saved) {
    return failWith(saved);
  }
  if (Status same = checkSaved(**saved, backbone, dataset, features, head, context); !same) {
    return same;
  }
  return context.cancelRequested() ? Status(cancelled()) : file.commit();
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

}  // namespace

Expected<HeadReport> trainHead(const Model& backbone, const Dataset& dataset,
                               const HeadOptions& options, std::int64_t batch,
                               const std::string& output_path, RunContext& context) {
  for (const Status& status :
       {options.check(), checkRoleOf(dataset), prepareCuda(context.device)}) {
    if (!status) {
      return failWith(status);
    }
  }
  const auto place = headPlace(backbone);
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
  HeadItems parts = split(*features, *classes, dataset, options.validation_share, context.seed);
  parts.has_bias = !place->bias.empty();
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
  const auto fitted = fitHead(parts, options, context);
  if (!fitted) {
    return failWith(fitted);
  }
  report.l2 = fitted->l2;
  report.held_out = fitted->held_out;
  report.iterations = fitted->regression.iterations;
  report.converged = fitted->regression.converged;
  report.train = fitted->regression.train;
  report.validation = fitted->regression.validation;
  report.training_seconds = watch.seconds() - report.feature_seconds;
  const nlohmann::json metadata =
      metadataOfHead(backbone, dataset, *classes, options, report, context, output_path);
  if (Status saved = saveHead(*std::move(file), backbone, *place, dataset, *features,
                              fitted->regression.head, metadata, context);
      !saved) {
    return failWith(saved);
  }
  report.saving_seconds = watch.seconds() - report.feature_seconds - report.training_seconds;
  return report;
}

}  // namespace dubito
