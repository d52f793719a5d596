// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/prepared_prediction_torch.h"

#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/memory_budget.h"
#include "core/data/images/input_range.h"
#include "core/data/items/content_hash.h"
#include "core/kernels/number_hash.h"
#include "core/methods/kept_draws.h"
#include "core/models/model_torch.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

// Bytes of draws of one batch held while they are summed.
constexpr std::int64_t kBatchSampleBytes = 256 * kMebibyte;

}  // namespace

PreparedPrediction::PreparedPrediction(const Model& model, const Dataset& dataset,
                                       MethodOptions method, const PredictOptions& options,
                                       RunContext& context, ModelLabels labels,
                                       NetworkOnDevice network)
    : model_(model),
      dataset_(dataset),
      method_(std::move(method)),
      options_(options),
      context_(context),
      labels_(std::move(labels)),
      network_(std::move(network)),
      // The placed network is a copy of it, perhaps on a GPU.
      state_hash_(stateHash(model.impl().module)) {}

std::int64_t PreparedPrediction::draws() const {
  return drawsOf(method_);
}

RunShape PreparedPrediction::shape() const {
  return runShape(method_, model_, keep_samples_);
}

bool PreparedPrediction::withDropout() const {
  return dropoutOf(method_) != nullptr;
}

bool PreparedPrediction::dependsOnBatch() const {
  return model_.audit().batch.affects(withDropout());
}

std::int64_t PreparedPrediction::bytesPerItem() const {
  return shape().bytesPerItem();
}

Expected<BatchSize> PreparedPrediction::batchInMemory(std::int64_t wanted) const {
  const auto ofThisRank = [&]() -> Expected<BatchSize> {
    if (context_.memory_budget_bytes <= 0) {
      return BatchSize{wanted};
    }
    const auto bytes = itemBytes(model_, dataset_, network_, method_, context_);
    if (!bytes) {
      return failWith(bytes);
    }
    return largestFittingBatch(model_, *bytes, wanted, context_, withDropout());
  };
  return minOverRanks(ofThisRank(), context_.ranks.get());
}

Status PreparedPrediction::chooseBatch(const std::optional<RunSizes>& earlier_sizes) {
  const std::int64_t wanted = wantedBatch();
  auto size = batchInMemory(wanted);
  if (!size) {
    return failWith(size);
  }
  const std::int64_t in_memory = size->items;
  if (draws() > 0 && !dependsOnBatch()) {
    const std::int64_t item_bytes =
        draws() * model_.audit().classes * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t max_items = std::max<std::int64_t>(1, kBatchSampleBytes / item_bytes);
    if (size->items > max_items) {
      *size = {
          max_items,
          fmt::format("Batches of {} items instead of {}, so that their {} draws fit into {} MB",
                      max_items, wanted, draws(), kBatchSampleBytes / kMebibyte)};
    }
  }
  // The identity rejects parts for which another batch size was requested.
  const std::int64_t earlier = earlier_sizes ? earlier_sizes->batch : size->items;
  if (earlier != size->items && earlier <= wanted) {
    if (earlier > in_memory) {
      return fail(ErrorCode::kOutOfMemory,
                  fmt::format("the stored parts have batches of {} items, but only {} items fit "
                              "into memory now; free some, or allow more",
                              earlier, in_memory),
                  {setting("memory")});
    }
    *size = {earlier, earlier == wanted
                          ? std::string()
                          : fmt::format("Batches of {} items instead of {}, as in the stored parts",
                                        earlier, wanted)};
  }
  batch_ = size->items;
  if (!size->note.empty()) {
    meta_.notes.push_back(size->note);
  }
  return {};
}

void PreparedPrediction::chooseKeptDraws(const std::optional<RunSizes>& earlier) {
  const KeptDraws kept = keptDraws(method_, model_, dataset_.size(), options_, context_);
  keep_samples_ = earlier ? earlier->keeps_draws : kept.kept;
  if (keep_samples_) {
    return;
  }
  meta_.notes.push_back(
      fmt::format("The draws ({} MB) were not stored ({}); {}", kept.bytes / kMebibyte,
                  kept.kept ? std::string("as in the stored parts")
                            : fmt::format("limit {} MB", kept.limit_bytes / kMebibyte),
                  !canRecomputeDraws(method_) ? "raise the limit of stored draws to keep them"
                  : dependsOnBatch()
                      ? "recomputed, each item alone, they differ from those of this run, because "
                        "results depend on the batch: raise the limit of stored draws to keep them"
                      : "they are recomputed by key on demand"));
}

Status PreparedPrediction::chooseSizes(const std::optional<RunSizes>& earlier) {
  if (Status chosen = chooseBatch(earlier); !chosen) {
    return chosen;
  }
  pass_bytes_ = earlier ? earlier->pass_bytes : maxSharedPassBytes(context_);
  if (draws() > 0) {
    chooseKeptDraws(earlier);
  }
  return {};
}

void PreparedPrediction::describe() {
  const ModelMetadata& metadata = model_.metadata();
  const DatasetInfo& info = dataset_.info();
  meta_.task = metadata.task;
  meta_.method = methodName(method_);
  meta_.method_options = methodJson(method_);
  meta_.model_name = metadata.name;
  meta_.model_path = model_.path();
  meta_.network_hash = networkHash(model_);
  meta_.dataset_name = info.name;
  meta_.dataset_spec = info.spec;
  meta_.role = toString(info.role);
  meta_.class_names = metadata.class_names.empty() ? info.class_names : metadata.class_names;
  if (static_cast<std::int64_t>(meta_.class_names.size()) != model_.audit().classes ||
      info.role == Role::kOod) {
    meta_.class_names = metadata.class_names;
  }
  meta_.seed = context_.seed;
  meta_.device = toString(context_.device);
  meta_.batch = batch_;
  meta_.threads = context_.threads;
  meta_.preprocessing = metadata.preprocessing.describe();
  meta_.versions["torch"] = TORCH_VERSION;
  meta_.versions["dubito"] = DUBITO_VERSION;
  if (const MethodFit* const fit = fitOf(method_)) {
    meta_.notes.insert(meta_.notes.end(), fit->notes.begin(), fit->notes.end());
  }
  meta_.notes.insert(meta_.notes.end(), info.notes.begin(), info.notes.end());
  std::ranges::copy_if(model_.audit().notes, std::back_inserter(meta_.notes), [](const Note& note) {
    return note.kind == NoteKind::kGuessedPreprocessing;
  });
  meta_.notes.insert(meta_.notes.end(), metadata.notes.begin(), metadata.notes.end());
  const std::vector<std::string>& of_results = model_.audit().run_notes;
  meta_.notes.insert(meta_.notes.end(), of_results.begin(), of_results.end());
  if (!model_.audit().unrepeatable.empty()) {
    meta_.notes.push_back(model_.audit().unrepeatable);
  }
  const BatchBehaviour& behaviour = model_.audit().batch;
  if (dependsOnBatch() && batch_ > 1) {
    meta_.notes.push_back(fmt::format(
        "The model's results {}depend on the items that share a batch ({}); this run used batches "
        "of {}{}",
        behaviour.depends_on_batch ? "" : "with dropout on ", behaviour.reason, batch_,
        withDropout() ? ", so the same seed gives other draws with another batch size" : ""));
  }
}

Status PreparedPrediction::noteInputs() {
  const Preprocessing& preprocessing = model_.metadata().preprocessing;
  auto warning = inputRangeWarning(dataset_, preprocessing, context_);
  if (!warning) {
    return failWith(warning);
  }
  std::vector<std::string> notes{*std::move(warning), changedScaleNote(dataset_, preprocessing)};
  notes.insert(notes.end(), labels_.notes().begin(), labels_.notes().end());
  std::ranges::copy_if(notes, std::back_inserter(meta_.notes),
                       [](const std::string& note) { return !note.empty(); });
  return {};
}

Status PreparedPrediction::makePredictor() {
  const PredictorInputs inputs{model_, dataset_, network_, pass_bytes_, context_};
  auto predictor = std::visit(
      [&]<class M>(const M& chosen) { return MethodTraits<M>::makePredictor(chosen, inputs); },
      method_);
  if (!predictor) {
    return failWith(predictor);
  }
  predictor_ = *std::move(predictor);
  return {};
}

Expected<std::unique_ptr<PreparedPrediction>> PreparedPrediction::of(
    const Model& model, const Dataset& dataset, MethodOptions method, const PredictOptions& options,
    RunContext& context, const std::optional<RunSizes>& earlier) {
  method = resolveMethod(method, model.audit().classes);
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  setUpTorch(context);
  auto labels = ModelLabels::of(model, dataset);
  if (!labels) {
    return failWith(labels);
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  // On the heap, because the predictor refers to the network.
  std::unique_ptr<PreparedPrediction> prepared(
      new PreparedPrediction(model, dataset, std::move(method), options, context,
                             *std::move(labels), *std::move(network)));
  if (Status chosen = prepared->chooseSizes(earlier); !chosen) {
    return failWith(chosen);
  }
  prepared->describe();
  if (Status noted = prepared->noteInputs(); !noted) {
    return failWith(noted);
  }
  if (Status made = prepared->makePredictor(); !made) {
    return failWith(made);
  }
  return prepared;
}

std::vector<std::pair<std::string, std::string>> PreparedPrediction::identity() const {
  std::vector<std::pair<std::string, std::string>> identity{{"dubito", meta_.versions.at("dubito")},
                                                            {"torch", meta_.versions.at("torch")},
                                                            {"method", meta_.method}};
  const nlohmann::json method_options = nlohmann::json::parse(meta_.method_options);
  for (const auto& [name, value] : method_options.items()) {
    identity.emplace_back("option " + name, value.dump());
  }
  NumberHash items;
  for (const auto& numbers : {dataset_.ids(), dataset_.labels()}) {
    for (const std::int64_t number : numbers) {
      items.add(static_cast<std::uint64_t>(number));
    }
  }
  identity.insert(identity.end(), {{"seed", std::to_string(meta_.seed)},
                                   {"device", meta_.device},
                                   {"batch size", std::to_string(wantedBatch())},
                                   {"kept draws", keep_samples_ ? "all" : "none"},
                                   {"network (hash)", meta_.network_hash},
                                   {"preprocessing", meta_.preprocessing},
                                   {"dataset", meta_.dataset_spec},
                                   {"items and labels (hash)", items.hex()},
                                   {"run schema", std::to_string(RunMeta::kSchemaVersion)}});
  return identity;
}

Expected<ContentProbe> PreparedPrediction::probeAgain(const ContentProbe& probe) const {
  if (probe.index < 0 || probe.index >= dataset_.size()) {
    return ContentProbe();
  }
  const std::array<std::int64_t, 1> indices{probe.index};
  const auto batch = loadBatch(dataset_, indices, model_.metadata().preprocessing, context_);
  if (!batch) {
    return failWith(batch);
  }
  if (batch->indices.empty()) {
    return ContentProbe();
  }
  ContentHash hash;
  hash.add(dataset_.ids()[static_cast<std::size_t>(probe.index)], labels_.at(probe.index),
           batch->inputs.row(0));
  return ContentProbe{probe.index, hash.hex()};
}

}  // namespace dubito
