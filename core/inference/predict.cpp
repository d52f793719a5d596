// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/predict.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/data/content_hash.h"
#include "core/inference/labels.h"
#include "core/inference/predictor_torch.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
// Draws of one batch that are held while they are summed up.
constexpr std::int64_t kBatchSampleBytes = 256 * kMegabyte;

class Stopwatch {
 public:
  /// Adds the time since the last call to `total`.
  void addTo(double& total) {
    const auto now = std::chrono::steady_clock::now();
    total += std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

/// One call of predict.
class Prediction {
 public:
  Prediction(const Model& model, const Dataset& dataset, MethodOptions method,
             const PredictOptions& options, RunContext& context)
      : model_(model),
        dataset_(dataset),
        method_(std::move(method)),
        options_(options),
        context_(context) {}

  Expected<Run> run();

 private:
  [[nodiscard]] std::int64_t draws() const {
    const auto* const dropout = std::get_if<McDropoutOptions>(&method_);
    return dropout == nullptr ? 0 : dropout->draws;
  }
  Status chooseSizes();
  Status describe();
  Expected<std::unique_ptr<Predictor>> makePredictor(const NetworkOnDevice& network);
  Expected<BatchOutcome> runBatch(std::int64_t begin, Predictor& predictor, RunBuilder& builder);
  Status runAll(Predictor& predictor, RunBuilder& builder);

  const Model& model_;
  const Dataset& dataset_;
  MethodOptions method_;
  PredictOptions options_;
  RunContext& context_;
  std::vector<std::int64_t> labels_;
  ContentHash content_;
  RunMeta meta_;
  std::int64_t batch_ = 1;
  bool keep_samples_ = false;
};

Status Prediction::chooseSizes() {
  batch_ = std::min(options_.batch, dataset_.size());
  const std::int64_t classes = model_.audit().classes;
  if (draws() == 0) {
    return {};
  }
  const std::int64_t item_bytes = draws() * classes * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t most = std::max<std::int64_t>(1, kBatchSampleBytes / item_bytes);
  if (batch_ > most && !model_.audit().batch.depends_on_batch) {
    meta_.notes.push_back(
        fmt::format("Batches of {} items instead of {}, so that {} draws of them "
                    "fit into {} MB",
                    most, batch_, draws(), kBatchSampleBytes / kMegabyte));
    batch_ = most;
  }
  const std::int64_t limit =
      context_.memory_budget_bytes > 0
          ? std::min(options_.keep_samples_mb * kMegabyte, context_.memory_budget_bytes / 2)
          : options_.keep_samples_mb * kMegabyte;
  keep_samples_ = dataset_.size() <= limit / item_bytes;
  if (!keep_samples_) {
    meta_.notes.push_back(fmt::format(
        "The draws ({} MB) were not kept (limit {} MB); they are recomputed by key when asked for",
        (dataset_.size() * item_bytes) / kMegabyte, limit / kMegabyte));
  }
  return {};
}

Status Prediction::describe() {
  const ModelMetadata& metadata = model_.metadata();
  const DatasetInfo& info = dataset_.info();
  auto labels = labelsForModel(model_, dataset_);
  if (!labels) {
    return failWith(labels);
  }
  labels_ = *std::move(labels);
  meta_.method = methodName(method_);
  meta_.method_options = fieldsToJson(methodFields(method_)).dump();
  meta_.model_name = metadata.name;
  meta_.model_path = model_.path();
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
  meta_.notes.insert(meta_.notes.end(), info.notes.begin(), info.notes.end());
  if (metadata.source == ModelMetadata().source) {
    meta_.notes.push_back(fmt::format(
        "{} comes without metadata, so that its input is guessed: {}; where it was trained "
        "with other values, results are wrong until a metadata file lies beside it",
        model_.path(), metadata.preprocessing.describe()));
  }
  const BatchBehaviour& behaviour = model_.audit().batch;
  if (behaviour.depends_on_batch && batch_ > 1) {
    meta_.notes.push_back(
        fmt::format("The model's results depend on the items that share a batch "
                    "({}); this run used batches of {}",
                    behaviour.reason, batch_));
  }
  return {};
}

Expected<std::unique_ptr<Predictor>> Prediction::makePredictor(const NetworkOnDevice& network) {
  if (const auto* const dropout = std::get_if<McDropoutOptions>(&method_)) {
    return makeDropoutPredictor(model_, dataset_, network, *dropout, context_);
  }
  return makeMapPredictor(model_, dataset_, network, context_);
}

Expected<BatchOutcome> Prediction::runBatch(std::int64_t begin, Predictor& predictor,
                                            RunBuilder& builder) {
  Stopwatch watch;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = begin; i < std::min(begin + batch_, dataset_.size()); ++i) {
    indices.push_back(i);
  }
  const auto batch = loadBatch(dataset_, indices, model_.metadata().preprocessing, context_);
  if (!batch) {
    return failWith(batch);
  }
  watch.addTo(meta_.timings["load"]);
  for (std::size_t i = 0; i < batch->unreadable.size(); ++i) {
    meta_.skipped.push_back(
        {dataset_.itemName(batch->unreadable[i]), batch->unreadable_reasons[i]});
  }
  if (batch->indices.empty()) {
    return BatchOutcome::kDone;
  }
  std::vector<std::int64_t> ids;
  for (const std::int64_t index : batch->indices) {
    ids.push_back(dataset_.ids()[static_cast<std::size_t>(index)]);
  }
  const std::int64_t passes = std::max<std::int64_t>(1, draws());
  const auto items = static_cast<std::int64_t>(indices.size());
  const PredictedBatch work{&*batch, ids, [&](std::int64_t done) {
                              return context_.step("predicting", begin + items * done / passes,
                                                   dataset_.size());
                            }};
  const auto outcome = predictor.addBatch(work, builder);
  watch.addTo(meta_.timings["network"]);
  if (!outcome || *outcome == BatchOutcome::kStopped) {
    return outcome;
  }
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::int64_t label = labels_[static_cast<std::size_t>(batch->indices[row])];
    builder.addItem(ids[row], label);
    content_.add(ids[row], label, batch->inputs.row(static_cast<std::int64_t>(row)));
  }
  watch.addTo(meta_.timings["hash"]);
  return BatchOutcome::kDone;
}

Status Prediction::runAll(Predictor& predictor, RunBuilder& builder) {
  for (std::int64_t begin = 0; begin < dataset_.size(); begin += batch_) {
    const auto outcome = runBatch(begin, predictor, builder);
    if (!outcome) {
      return failWith(outcome);
    }
    if (context_.cancelRequested()) {
      return cancelled();
    }
    if (*outcome == BatchOutcome::kStopped || context_.control()->stopEarlyRequested()) {
      meta_.stopped_early = true;
      break;
    }
  }
  if (builder.itemCount() > 0) {
    return {};
  }
  if (meta_.stopped_early) {
    return cancelled();
  }
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: none of its {} items could be read ({}); check the files",
                          dataset_.info().name, dataset_.size(),
                          meta_.skipped.empty() ? "it is empty" : meta_.skipped.front().reason));
}

Expected<Run> Prediction::run() {
  Stopwatch watch;
  double total = 0.0;
  torch::jit::getProfilingMode() = false;
  at::set_num_threads(context_.threads);
  if (Status sized = chooseSizes(); !sized) {
    return failWith(sized);
  }
  if (Status described = describe(); !described) {
    return failWith(described);
  }
  const auto network = placeNetwork(model_, context_.device);
  if (!network) {
    return failWith(network);
  }
  const std::uint64_t state = hashOfState(network->module);
  auto predictor = makePredictor(*network);
  if (!predictor) {
    return failWith(predictor);
  }
  const bool keep_logits = draws() == 0 && model_.audit().output == OutputKind::kLogits;
  RunBuilder builder(dataset_.size(), model_.audit().classes, draws(), keep_samples_, keep_logits);
  if (Status done = runAll(**predictor, builder); !done) {
    return failWith(done);
  }
  if (Status finished = (*predictor)->finish(meta_); !finished) {
    return failWith(finished);
  }
  if (hashOfState(network->module) != state) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the network changed its own weights or buffers while predicting; "
                            "script it again after model.eval()",
                            model_.path()));
  }
  Run run = std::move(builder).finish();
  meta_.dataset_hash = content_.hex();
  watch.addTo(total);
  meta_.timings["total"] = total;
  run.meta = std::move(meta_);
  return run;
}

}  // namespace

Expected<Run> predict(const Model& model, const Dataset& dataset, const MethodOptions& method,
                      const PredictOptions& options, RunContext& context) {
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  return Prediction(model, dataset, method, options, context).run();
}

}  // namespace dubito
