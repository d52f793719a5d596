// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/inference/network_batch_torch.h"
#include "core/inference/predictor_torch.h"
#include "core/kernels/keyed_dropout_torch.h"

namespace dubito {
namespace {

// A cut or shared pass that goes wrong does so for a handful of items already.
constexpr std::int64_t kItemsToVerify = 4;
// A single dead item may look the same in all draws; this many do not.
constexpr std::int64_t kItemsThatMustVary = 64;

class DropoutPredictor : public Predictor {
 public:
  DropoutPredictor(const Model& model, const Dataset& dataset, const NetworkOnDevice& network,
                   const McDropoutOptions& options, DropoutPlan plan, const RunContext& context)
      : model_(model),
        dataset_(dataset),
        context_(context),
        options_(options),
        plan_(std::move(plan)),
        network_(network, plan_, context.seed, !model.audit().batch.depends_on_batch) {}

  Expected<BatchOutcome> addBatch(const PredictedBatch& work, RunBuilder& builder) override;
  void takeFindings(RunFindings& findings) override;
  void goOnFrom(const RunFindings& earlier) override { draws_differ_ = earlier.draws_differ; }
  Status finish(const RunFindings& all, RunMeta& meta) override;

 private:
  void verifyOn(const at::Tensor& x, const PredictedBatch& work);
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
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> mask_hashes_;
};

void DropoutPredictor::verifyOn(const at::Tensor& x, const PredictedBatch& work) {
  if (verified_) {
    return;
  }
  const std::int64_t items = std::min(kItemsToVerify, x.size(0));
  network_.setBatch(x.slice(0, 0, items), {work.ids.begin(), work.ids.begin() + items});
  network_.verify();
  verified_ = true;
}

Status DropoutPredictor::allIdentical() const {
  return fail(
      ErrorCode::kUnsupported,
      fmt::format("{}: all {} draws are identical although {} dropout sites are on, because "
                  "what they drop does not reach the output; choose other sites or a "
                  "higher drop rate (--drop-rate)",
                  model_.path(), options_.draws, plan_.sites.size() + (plan_.inserted ? 1U : 0U)));
}

Expected<BatchOutcome> DropoutPredictor::addBatch(const PredictedBatch& work, RunBuilder& builder) {
  const at::Tensor x = networkInput(*work.batch, model_);
  const std::int64_t items = x.size(0);
  const std::int64_t classes = model_.audit().classes;
  auto samples = Array<float>::zeros({options_.draws, items, classes});
  // Of this batch alone, so that a stop in its midst leaves no trace of it.
  std::optional<MaskHashRecorder> recorder;
  try {
    verifyOn(x, work);
    recorder.emplace();
    network_.setBatch(x, {work.ids.begin(), work.ids.end()});
    const std::int64_t together = network_.drawsPerPass();
    for (std::int64_t first = 0; first < options_.draws; first += together) {
      const std::int64_t count = std::min(together, options_.draws - first);
      const at::Tensor rows = network_.draw(first, count);
      const auto probs = checkedProbabilities(rows, model_, dataset_, *work.batch);
      if (!probs) {
        return failWith(probs);
      }
      const double* const from = probs->const_data_ptr<double>();
      std::transform(from, from + probs->numel(), samples.mutableData() + first * items * classes,
                     [](double prob) { return static_cast<float>(prob); });
      if (work.step(first + count) != Step::kContinue) {
        return BatchOutcome::kStopped;
      }
    }
  } catch (const std::exception& exception) {
    return networkFailure(model_, x, exception);
  }
  for (const MaskHashRecorder::Entry& entry : recorder->entries()) {
    mask_hashes_[{entry.site, entry.draw}] += entry.hash;
  }
  for (std::int64_t t = 1; t < options_.draws && !draws_differ_; ++t) {
    draws_differ_ = !std::ranges::equal(samples.row(0), samples.row(t));
  }
  items_done_ += items;
  if (options_.draws > 1 && !draws_differ_ && items_done_ >= kItemsThatMustVary) {
    return failWith(Expected<BatchOutcome>(tl::unexpected<Error>(allIdentical().error())));
  }
  builder.addDraws(samples, context_);
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
  meta.notes.insert(meta.notes.end(), plan_.notes.begin(), plan_.notes.end());
  meta.notes.insert(meta.notes.end(), network_.notes().begin(), network_.notes().end());
  return {};
}

}  // namespace

Expected<std::unique_ptr<Predictor>> makeDropoutPredictor(const Model& model,
                                                          const Dataset& dataset,
                                                          const NetworkOnDevice& network,
                                                          const McDropoutOptions& options,
                                                          const RunContext& context) {
  auto plan = planDropout(model, options);
  if (!plan) {
    return failWith(plan);
  }
  return std::make_unique<DropoutPredictor>(model, dataset, network, options, *std::move(plan),
                                            context);
}

}  // namespace dubito
