// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>
#include <vector>

#include "core/inference/posterior_network_torch.h"
#include "core/inference/predictor_torch.h"
#include "core/kernels/logit_covariance.h"
#include "core/laplace/link.h"

namespace dubito {
namespace {

/// Results of some items of a batch: what a run keeps of their Gaussians.
struct Part {
  Array<float> logit_mean;
  Array<float> logit_variance;
  LinkedPredictions linked;
};

class LaplacePredictor : public Predictor {
 public:
  LaplacePredictor(const Dataset& dataset, std::unique_ptr<PosteriorNetwork> network,
                   LaplaceOptions options, const RunContext& context)
      : dataset_(dataset),
        network_(std::move(network)),
        options_(std::move(options)),
        context_(context) {}

  Expected<BatchOutcome> addBatch(const PredictedBatch& work, RunBuilder& builder) override;
  void takeFindings(RunFindings& /*findings*/) override {}
  void goOnFrom(const RunFindings& /*earlier*/) override {}
  Status finish(const RunFindings& /*all*/, RunMeta& /*meta*/) override { return {}; }

 private:
  /// Adds what the items `ids` come to.
  void addParts(const PosteriorNetwork::Items& items, std::span<const std::int64_t> ids,
                std::vector<Part>& parts) const;

  const Dataset& dataset_;
  std::unique_ptr<PosteriorNetwork> network_;
  LaplaceOptions options_;
  const RunContext& context_;
};

void LaplacePredictor::addParts(const PosteriorNetwork::Items& items,
                                std::span<const std::int64_t> ids, std::vector<Part>& parts) const {
  const std::int64_t count = items.logits.size(0);
  const std::int64_t rows = network_->rowsTogether();
  for (std::int64_t begin = 0; begin < count && !context_.cancelRequested(); begin += rows) {
    const std::int64_t end = std::min(count, begin + rows);
    const LogitGaussians part = network_->gaussians(items, begin, end);
    const auto ids_of_part =
        ids.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    parts.push_back(
        {part.mean, logitVariance(part, context_),
         applyLink(options_.link, part, ids_of_part, options_.samples, context_.seed, context_)});
  }
}

Expected<BatchOutcome> LaplacePredictor::addBatch(const PredictedBatch& work, RunBuilder& builder) {
  const auto count = static_cast<std::int64_t>(work.ids.size());
  std::vector<Part> parts;
  for (std::int64_t begin = 0; begin < count;) {
    const std::int64_t end = begin + std::min(count - begin, network_->itemsTogether());
    const bool whole = end - begin == count;
    const auto items =
        network_->prepare(whole ? *work.batch : rowsOf(*work.batch, begin, end), dataset_);
    if (!items) {
      return failWith(items);
    }
    addParts(
        *items,
        work.ids.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
        parts);
    if (context_.cancelRequested()) {
      break;
    }
    begin = end;
  }
  // After a cancel the results of kernels mean nothing.
  if (work.step(1) != Step::kContinue) {
    return BatchOutcome::kStopped;
  }
  for (const Part& part : parts) {
    builder.addGaussians(part.logit_mean, part.logit_variance, part.linked);
  }
  return BatchOutcome::kDone;
}

}  // namespace

Expected<std::unique_ptr<Predictor>> makeLaplacePredictor(const Model& model,
                                                          const Dataset& dataset,
                                                          const NetworkOnDevice& network,
                                                          const LaplaceOptions& options,
                                                          const RunContext& context) {
  if (!options.fitted) {
    return fail(ErrorCode::kInvalidArgument,
                "laplace has not been fitted; give the training items with --fit, or a posterior "
                "with --posterior");
  }
  if (options.drawsWeights()) {
    return makeWeightDrawsPredictor(model, dataset, network, options, context);
  }
  auto posterior_network =
      makePosteriorNetwork(model, network, options.fitted->posterior, options.fitted->scale);
  if (!posterior_network) {
    return failWith(posterior_network);
  }
  return std::make_unique<LaplacePredictor>(dataset, *std::move(posterior_network), options,
                                            context);
}

}  // namespace dubito
