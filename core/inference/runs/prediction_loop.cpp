// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/memory_budget.h"
#include "core/base/stopwatch.h"
#include "core/data/images/input_range.h"
#include "core/data/items/content_hash.h"
#include "core/inference/networks/batch_size_torch.h"
#include "core/inference/networks/network_batches_torch.h"
#include "core/inference/options/kept_draws.h"
#include "core/inference/runs/prediction_loop_torch.h"
#include "core/io/mapped_file.h"
#include "core/kernels/number_hash.h"
#include "core/models/guessed_preprocessing.h"
#include "core/models/model_torch.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

using Clock = std::chrono::steady_clock;

// Bytes of draws of one batch held while they are summed.
constexpr std::int64_t kBatchSampleBytes = 256 * kMebibyte;

}  // namespace

/// Results computed since the last part was handed over.
class PredictionLoop::Pending {
 public:
  Pending(const PredictionLoop& prediction, std::int64_t first, std::int64_t capacity)
      : part{.begin = first, .end = first}, prediction_(prediction), capacity_(capacity) {}

  /// Allocates memory for a part only when there is something to store.
  RunBuilder& builder() {
    if (!builder_) {
      builder_.emplace(capacity_, prediction_.shape());
    }
    return *builder_;
  }
  [[nodiscard]] std::int64_t itemCount() const { return builder_ ? builder_->itemCount() : 0; }

  /// Completes and returns the part; later results go into another one.
  ComputedPart finish() {
    part.findings.items = itemCount();
    part.findings.timings["total"] +=
        std::chrono::duration<double>(Clock::now() - start_time).count();
    part.run = std::move(builder()).finish();
    part.findings.label_fit.add(part.run);
    builder_.reset();
    start_time = Clock::now();
    return std::exchange(part, ComputedPart{.begin = part.end, .end = part.end});
  }

  ComputedPart part;
  Clock::time_point start_time = Clock::now();

 private:
  const PredictionLoop& prediction_;
  std::int64_t capacity_;
  std::optional<RunBuilder> builder_;
};

PredictionLoop::PredictionLoop(const Model& model, const Dataset& dataset, MethodOptions method,
                               const PredictOptions& options, RunContext& context)
    : model_(model),
      dataset_(dataset),
      method_(resolveMethod(std::move(method), model.audit().classes)),
      options_(options),
      context_(context),
      total_(dataset.size()) {}

PredictionLoop::~PredictionLoop() = default;

std::int64_t PredictionLoop::draws() const {
  return drawsOf(method_);
}

RunShape PredictionLoop::shape() const {
  return runShape(method_, model_, keep_samples_);
}

bool PredictionLoop::withDropout() const {
  return dropoutOf(method_) != nullptr;
}

bool PredictionLoop::dependsOnBatch() const {
  return model_.audit().batch.affects(withDropout());
}

std::int64_t PredictionLoop::bytesPerItem() const {
  return shape().bytesPerItem();
}

Expected<BatchSize> PredictionLoop::batchInMemory(std::int64_t wanted) const {
  const auto ofThisRank = [&]() -> Expected<BatchSize> {
    if (context_.memory_budget_bytes <= 0) {
      return BatchSize{wanted};
    }
    const auto bytes = itemBytes(model_, dataset_, *network_, method_, context_);
    if (!bytes) {
      return failWith(bytes);
    }
    return largestFittingBatch(model_, *bytes, wanted, context_, withDropout());
  };
  return minOverRanks(ofThisRank(), context_.ranks.get());
}

Status PredictionLoop::chooseBatch() {
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
  const std::int64_t earlier = earlier_sizes_ ? earlier_sizes_->batch : size->items;
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

void PredictionLoop::chooseKeptDraws() {
  const KeptDraws kept = keptDraws(method_, model_, dataset_.size(), options_, context_);
  keep_samples_ = earlier_sizes_ ? earlier_sizes_->keeps_draws : kept.kept;
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

Status PredictionLoop::chooseSizes() {
  if (Status chosen = chooseBatch(); !chosen) {
    return chosen;
  }
  pass_bytes_ = earlier_sizes_ ? earlier_sizes_->pass_bytes : maxSharedPassBytes(context_);
  if (draws() > 0) {
    chooseKeptDraws();
  }
  return {};
}

void PredictionLoop::describe() {
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
  const std::vector<std::string>& findings = model_.audit().notes;
  std::ranges::copy_if(findings, std::back_inserter(meta_.notes), [](const std::string& note) {
    return !guessedPreprocessing({&note, 1}).empty();
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

Status PredictionLoop::noteInputs() {
  const Preprocessing& preprocessing = model_.metadata().preprocessing;
  auto warning = inputRangeWarning(dataset_, preprocessing, context_);
  if (!warning) {
    return failWith(warning);
  }
  std::vector<std::string> notes{*std::move(warning), changedScaleNote(dataset_, preprocessing)};
  notes.insert(notes.end(), labels_->notes().begin(), labels_->notes().end());
  std::ranges::copy_if(notes, std::back_inserter(meta_.notes),
                       [](const std::string& note) { return !note.empty(); });
  return {};
}

Status PredictionLoop::makePredictor() {
  const PredictorInputs inputs{model_, dataset_, *network_, pass_bytes_, context_};
  auto predictor = std::visit(
      [&]<class M>(const M& chosen) { return MethodTraits<M>::makePredictor(chosen, inputs); },
      method_);
  if (!predictor) {
    return failWith(predictor);
  }
  predictor_ = *std::move(predictor);
  return {};
}

Status PredictionLoop::prepare() {
  if (Status checked = checkMethod(method_); !checked) {
    return checked;
  }
  if (Status checked = options_.check(); !checked) {
    return checked;
  }
  torch::jit::getProfilingMode() = false;
  at::set_num_threads(context_.threads);
  auto labels = ModelLabels::of(model_, dataset_);
  if (!labels) {
    return failWith(labels);
  }
  labels_ = *std::move(labels);
  if (context_.cancelRequested()) {
    return cancelled();
  }
  auto network = placeNetwork(model_, context_.device);
  if (!network) {
    return failWith(network);
  }
  network_ = *std::move(network);
  // The placed network is a copy of it, perhaps on a GPU.
  state_hash_ = stateHash(model_.impl().module);
  if (Status chosen = chooseSizes(); !chosen) {
    return chosen;
  }
  describe();
  if (Status noted = noteInputs(); !noted) {
    return noted;
  }
  return makePredictor();
}

std::vector<std::pair<std::string, std::string>> PredictionLoop::identity() const {
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

Expected<ContentProbe> PredictionLoop::probeAgain(const ContentProbe& probe) const {
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
  hash.add(dataset_.ids()[static_cast<std::size_t>(probe.index)], labels_->at(probe.index),
           batch->inputs.row(0));
  return ContentProbe{probe.index, hash.hex()};
}

void PredictionLoop::resumeFrom(const RunFindings& earlier, std::int64_t items_done) {
  predictor_->resumeFrom(earlier);
  items_done_ = items_done;
}

std::vector<ContentHash> PredictionLoop::contentHashes(const Batch& batch,
                                                       std::span<const std::int64_t> ids) const {
  // As long as a network on a GPU takes for them, on one thread.
  constexpr std::int64_t kElementsPerTask = 65'536;
  std::vector<ContentHash> hashes(ids.size());
  const std::int64_t grain = std::max<std::int64_t>(
      1, kElementsPerTask / std::max<std::int64_t>(1, batch.inputs.rowSize()));
  context_.parallelFor(std::ssize(ids), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      hashes[at].add(ids[at], labels_->at(batch.indices[at]), batch.inputs.row(row));
    }
  });
  return hashes;
}

Expected<BatchOutcome> PredictionLoop::addBatch(const DeviceBatch& loaded, std::int64_t items,
                                                Pending& pending) {
  Stopwatch watch;
  const Batch& batch = loaded.batch;
  std::vector<std::int64_t> ids;
  for (const std::int64_t index : batch.indices) {
    ids.push_back(dataset_.ids()[static_cast<std::size_t>(index)]);
  }
  if (!ids.empty()) {
    const std::int64_t passes = std::max<std::int64_t>(1, draws());
    const PredictionBatch work{&batch, loaded.inputs, ids, [&](std::int64_t done) {
                                 return context_.step(stage_, items_done_ + items * done / passes,
                                                      total_);
                               }};
    auto outcome = predictor_->addBatch(work, pending.builder());
    pending.part.findings.timings["network"] += watch.lap();
    if (!outcome || *outcome == BatchOutcome::kStopped) {
      return outcome;
    }
  }
  const std::vector<ContentHash> hashes = contentHashes(batch, ids);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::int64_t index = batch.indices[row];
    pending.part.findings.content.merge(hashes[row]);
    pending.builder().addItem(ids[row], labels_->at(index));
    if (pending.part.probe.index < 0) {
      pending.part.probe = {index, hashes[row].hex()};
    }
  }
  for (std::size_t i = 0; i < batch.unreadable.size(); ++i) {
    pending.part.findings.skipped.push_back(
        {dataset_.itemName(batch.unreadable[i]), batch.unreadable_reasons[i]});
  }
  pending.part.findings.timings["hash"] += watch.lap();
  pending.part.end += items;
  items_done_ += items;
  return BatchOutcome::kDone;
}

Status PredictionLoop::handOver(Pending& pending, PartSink& sink) {
  // Results from a file that changed during the run are not kept.
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  predictor_->takeFindings(pending.part.findings);
  return sink.take(pending.finish());
}

Expected<bool> PredictionLoop::runBatches(std::int64_t end, PartSink& sink, Pending& pending) {
  DeviceBatches batches =
      networkBatches(model_, dataset_, BatchPlan::ofRange(pending.part.begin, end, batch_),
                     network_->device, context_);
  while (batches.remaining() > 0) {
    Stopwatch watch;
    const auto batch = batches.next();
    pending.part.findings.timings["waiting for data"] += watch.lap();
    if (!batch) {
      return failWith(batch);
    }
    const auto items =
        static_cast<std::int64_t>(batch->batch.indices.size() + batch->batch.unreadable.size());
    const auto outcome = addBatch(*batch, items, pending);
    if (!outcome) {
      return failWith(outcome);
    }
    if (context_.cancelRequested()) {
      return cancelled();
    }
    if (*outcome == BatchOutcome::kStopped || context_.control()->stopEarlyRequested()) {
      return false;
    }
    const std::int64_t done = pending.itemCount();
    if (done > 0 && sink.isDue(done, pending.start_time)) {
      if (Status taken = handOver(pending, sink); !taken) {
        return failWith(taken);
      }
    }
  }
  return true;
}

Expected<bool> PredictionLoop::run(std::int64_t begin, std::int64_t end, std::int64_t max_items,
                                   PartSink& sink) {
  Pending pending(*this, begin, std::min(end - begin, max_items));
  auto completed = runBatches(end, sink, pending);
  const bool was_cancelled = !completed && completed.error().code == ErrorCode::kCancelled;
  const bool worth_keeping =
      completed ? pending.part.end > pending.part.begin : was_cancelled && pending.itemCount() > 0;
  if (worth_keeping) {
    if (Status taken = handOver(pending, sink); !taken) {
      return failWith(taken);
    }
  }
  return completed;
}

Expected<RunMeta> PredictionLoop::finish(const RunFindings& all, bool stopped_early) {
  if (all.items == 0 && stopped_early) {
    return cancelled();
  }
  if (all.items == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read ({}); check the files",
                            dataset_.info().name, dataset_.size(),
                            all.skipped.empty() ? "it is empty" : all.skipped.front().reason));
  }
  RunMeta meta = meta_;
  if (Status judged = predictor_->finish(all, meta); !judged) {
    return failWith(judged);
  }
  const bool may_write = !model_.impl().network.written_state.empty();
  if (!may_write && stateHash(network_->module) != state_hash_) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the network changed its own weights or buffers while predicting; "
                            "script it again after model.eval()",
                            model_.path()));
  }
  all.writeTo(meta);
  if (std::string warning = labelFitWarning(meta, all.label_fit); !warning.empty()) {
    meta.notes.push_back(std::move(warning));
  }
  meta.stopped_early = stopped_early;
  return meta;
}

}  // namespace dubito
