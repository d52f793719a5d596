// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "core/data/images/input_bytes.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/methods/batch_predictor_torch.h"
#include "core/methods/mc_dropout/mc_dropout_options.h"
#include "core/network/network_batch_torch.h"
#include "core/predict/drawn_rows_torch.h"

namespace dubito {
namespace {

// An invalid cut or shared pass already shows on a handful of items.
constexpr std::int64_t kItemsToVerify = 4;
// A single dead item may look the same in all draws; this many do not.
constexpr std::int64_t kItemsThatMustVary = 64;

class DropoutPredictor : public BatchPredictor {
 public:
  DropoutPredictor(const PredictorInputs& inputs, const McDropoutOptions& options, DropoutPlan plan)
      : BatchPredictor(inputs.model, /*with_dropout=*/true),
        model_(inputs.model),
        dataset_(inputs.dataset),
        context_(inputs.context),
        options_(options),
        plan_(std::move(plan)),
        network_(inputs.network, plan_, context_.seed, canSharePass(model_.audit())) {
    network_.limitPass(inputs.pass_bytes);
    if (!model_.audit().unrepeatable.empty()) {
      network_.disableCut();
    }
  }

  Expected<BatchOutcome> addBatch(const PredictionBatch& work, RunBuilder& builder) override;
  void takeFindings(RunFindings& findings) override;
  void resumeFrom(const RunFindings& earlier) override { draws_differ_ = earlier.draws_differ; }
  Status finish(const RunFindings& all, RunMeta& meta) override;

 private:
  /// Indexed by site and draw.
  using MaskHashes = std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t>;

  /// Verifies cut and shared passes once, on the first of these items.
  void verifyOn(const at::Tensor& x, std::span<const std::int64_t> ids);
  /// Computes all draws of the items [begin, end) of a batch. kCancelled if the batch is to be
  /// abandoned.
  [[nodiscard]] Expected<MaskHashes> draw(const PredictionBatch& work, const at::Tensor& x,
                                          std::int64_t begin, std::int64_t end, DrawnRows& drawn);
  [[nodiscard]] Status allIdentical() const;

  const Model& model_;
  const Dataset& dataset_;
  const RunContext& context_;
  McDropoutOptions options_;
  DropoutPlan plan_;
  StochasticNetwork network_;
  bool verified_ = false;
  bool draws_differ_ = false;
  std::int64_t items_done_ = 0;
  MaskHashes mask_hashes_;
};

void DropoutPredictor::verifyOn(const at::Tensor& x, std::span<const std::int64_t> ids) {
  if (verified_) {
    return;
  }
  const std::int64_t items = std::min(kItemsToVerify, x.size(0));
  network_.setBatch(x.slice(0, 0, items), {ids.begin(), ids.begin() + items});
  network_.verify();
  verified_ = true;
}

Status DropoutPredictor::allIdentical() const {
  return fail(
      ErrorCode::kUnsupported,
      fmt::format(
          "{}: all {} draws are identical although {} dropout sites are on, because the dropped "
          "units do not reach the output; choose other sites or a higher drop rate",
          model_.path(), options_.draws, plan_.sites.size() + (plan_.inserted ? 1U : 0U)),
      {setting("sites"), setting("drop_rate")});
}

Expected<DropoutPredictor::MaskHashes> DropoutPredictor::draw(const PredictionBatch& work,
                                                              const at::Tensor& x,
                                                              std::int64_t begin, std::int64_t end,
                                                              DrawnRows& drawn) {
  const std::int64_t items = end - begin;
  std::optional<MaskHashRecorder> recorder;
  try {
    const auto ids = work.idsOf(begin, end);
    verifyOn(x.slice(0, begin, end), ids);
    recorder.emplace();
    network_.setBatch(x.slice(0, begin, end), {ids.begin(), ids.end()});
    const std::int64_t together = network_.drawsPerPass();
    for (std::int64_t first = 0; first < options_.draws; first += together) {
      const std::int64_t count = std::min(together, options_.draws - first);
      if (Status put = drawn.put(network_.draw(first, count), first, begin, items); !put) {
        return failWith(put);
      }
      const std::int64_t passes = (begin * options_.draws + items * (first + count)) /
                                  static_cast<std::int64_t>(work.batch->indices.size());
      if (work.step(passes) != Step::kContinue) {
        return cancelled();
      }
    }
  } catch (const std::exception& exception) {
    return networkFailure(model_, x.slice(0, begin, end), exception);
  }
  MaskHashes hashes;
  for (const MaskHashRecorder::Entry& entry : recorder->entries()) {
    hashes[{entry.site, entry.draw}] += entry.hash;
  }
  return hashes;
}

Expected<BatchOutcome> DropoutPredictor::addBatch(const PredictionBatch& work,
                                                  RunBuilder& builder) {
  const at::Tensor& x = work.inputs;
  const std::int64_t items = x.size(0);
  DrawnRows rows_of_draws(model_, dataset_, work.batch->indices, options_.draws);
  // Local to this batch, so that stopping midway leaves no trace of it.
  MaskHashes hashes;
  const Status drawn = rows().walk(items, [&](std::int64_t begin, std::int64_t end) -> Status {
    const auto found = draw(work, x, begin, end, rows_of_draws);
    if (!found) {
      return failWith(found);
    }
    for (const auto& [place, hash] : *found) {
      hashes[place] += hash;
    }
    return {};
  });
  if (!drawn && drawn.error().code == ErrorCode::kCancelled) {
    return BatchOutcome::kStopped;
  }
  if (!drawn) {
    return failWith(drawn);
  }
  draws_differ_ = draws_differ_ || rows_of_draws.differ();
  items_done_ += items;
  if (options_.draws > 1 && !draws_differ_ && items_done_ >= kItemsThatMustVary) {
    return failWith(Expected<BatchOutcome>(tl::unexpected<Error>(allIdentical().error())));
  }
  const Status added = rows_of_draws.addTo(builder, context_);
  if (!added) {
    return added.error().code == ErrorCode::kCancelled ? BatchOutcome::kStopped
                                                       : Expected<BatchOutcome>(failWith(added));
  }
  for (const auto& [place, hash] : hashes) {
    mask_hashes_[place] += hash;
  }
  return BatchOutcome::kDone;
}

void DropoutPredictor::takeFindings(RunFindings& findings) {
  findings.mask_hashes = std::exchange(mask_hashes_, {});
  findings.draws_differ = draws_differ_;
}

Status DropoutPredictor::finish(const RunFindings& all, RunMeta& meta) {
  if (options_.draws > 1 && !all.draws_differ) {
    return allIdentical();
  }
  if (options_.draws == 1) {
    meta.notes.push_back("A single draw has no spread: its mutual information is 0 by definition");
  }
  addNotes(plan_.notes, meta);
  addNotes(network_.notes(), meta);
  return BatchPredictor::finish(all, meta);
}

/// Bytes of a pass shared by several draws; 0 if none are.
std::int64_t sharedPassBytes(const McDropoutOptions& options, const PredictorInputs& inputs,
                             std::int64_t batch) {
  const Model& model = inputs.model;
  const Dataset& dataset = inputs.dataset;
  const RunContext& context = inputs.context;
  if (!canSharePass(model.audit())) {
    return 0;
  }
  const auto plan = planDropout(model, options);
  const auto first = firstReadable(dataset, context);
  if (!plan || !first || *first == dataset.size()) {
    return 0;
  }
  const std::array<std::int64_t, 1> indices{*first};
  const auto one = loadBatch(dataset, indices, model.metadata().preprocessing, context);
  if (!one || one->indices.empty()) {
    return 0;
  }
  try {
    const NetworkOnDevice measured = withCopiedState(model, inputs.network);
    StochasticNetwork drawn(measured, *plan, context.seed, /*may_share_pass=*/true);
    drawn.limitPass(inputs.pass_bytes);
    drawn.setBatch(networkInput(*one, model), {0});
    drawn.verify();
    return drawn.bytesOfPass(std::min(drawn.drawsPerPass(), batch * options.draws));
  } catch (const std::exception&) {
    return 0;  // left for the prediction to report
  }
}

}  // namespace

Expected<MethodWork> MethodTraits<McDropoutOptions>::work(const McDropoutOptions& chosen,
                                                          const PredictorInputs& inputs,
                                                          std::int64_t batch) {
  const auto bytes = static_cast<double>(sharedPassBytes(chosen, inputs, batch));
  return MethodWork{.predict_bytes = bytes};
}

Expected<std::unique_ptr<BatchPredictor>> MethodTraits<McDropoutOptions>::makePredictor(
    const McDropoutOptions& chosen, const PredictorInputs& inputs) {
  auto plan = planDropout(inputs.model, chosen);
  if (!plan) {
    return failWith(plan);
  }
  return std::make_unique<DropoutPredictor>(inputs, chosen, *std::move(plan));
}

}  // namespace dubito
