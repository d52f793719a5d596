// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/round.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/splitmix64.h"
#include "core/predict/predict.h"
#include "core/review/queue.h"
#include "core/train/train.h"

namespace dubito::study {
namespace {

/// Removes the model file and an interrupted training on every way out.
class ScratchModel {
 public:
  explicit ScratchModel(std::string path) : path_(std::move(path)) {}
  ScratchModel(const ScratchModel&) = delete;
  ScratchModel& operator=(const ScratchModel&) = delete;
  ~ScratchModel() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(checkpointPath(path_), ignored);
  }

 private:
  std::string path_;
};

/// Draws are kept only for queues that read them; measures are stored anyway.
bool readsDraws(const QueueKind& kind) {
  return kind.needs.draws && !kind.measure;
}

}  // namespace

std::uint64_t roundSeed(std::uint64_t seed, std::int64_t labels) {
  return splitmix64(splitmix64(seed) + static_cast<std::uint64_t>(labels));
}

Expected<ModelPtr> trainOn(const Dataset& labelled, const ActiveLearningOptions& options,
                           const std::string& scratch_path, RunContext& context) {
  const ScratchModel scratch(scratch_path);
  const auto report = train(labelled, options.trainingOn(labelled.size()), scratch_path, context);
  if (!report) {
    return failWith(report);
  }
  return loadModel(scratch_path, {}, context);
}

Expected<double> accuracyOn(const Dataset& test, const Model& model,
                            const ActiveLearningOptions& options, RunContext& context) {
  const MethodOptions method = options.test_method == "map"
                                   ? MethodOptions(MapOptions{})
                                   : MethodOptions(McDropoutOptions{.draws = options.draws});
  const auto run = predict(model, test, method, {.keep_samples_mb = 0}, context);
  if (!run) {
    return failWith(run);
  }
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < run->itemCount(); ++i) {
    correct += run->predictions.data()[i] == run->labels.data()[i] ? 1 : 0;
  }
  return static_cast<double>(correct) / static_cast<double>(run->itemCount());
}

Expected<Run> runForQueue(const Dataset& unlabelled, const Model& model, const std::string& by,
                          const ActiveLearningOptions& options, RunContext& context) {
  const QueueKind& kind = describe(queueOfKey(by).value());
  if (!kind.measure && !kind.needs.draws) {
    Run run;
    run.ids = Array<std::int64_t>::fromVector({unlabelled.ids().begin(), unlabelled.ids().end()});
    return run;
  }
  PredictOptions kept;
  kept.keep_samples_mb = readsDraws(kind) ? kept.keep_samples_mb : 0;
  return predict(model, unlabelled, McDropoutOptions{.draws = options.draws}, kept, context);
}

Expected<std::vector<std::int64_t>> acquire(const Run& run, const std::string& by,
                                            std::int64_t count, RunContext& context) {
  auto queue = buildQueue(run, {.by = by, .limit = count}, {.name = "pool"}, context);
  if (!queue) {
    return failWith(queue);
  }
  if (queue->length() < count) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the queue has only {} of {} items; choose a smaller --per-round",
                            by, queue->length(), count));
  }
  return std::move(queue->ids);
}

Status checkAcquisition(const std::string& by) {
  const auto id = queueOfKey(by);
  if (!id) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: is not a queue; choose from {}", by,
                                                         fmt::join(queueKeys(), ", ")));
  }
  const QueueNeeds& needs = describe(*id).needs;
  if (needs.given_labels || needs.other_run || needs.features || needs.images) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: needs {}, which unlabelled items do not have; choose another queue", by,
                    describe(*id).needs_text));
  }
  return {};
}

}  // namespace dubito::study
