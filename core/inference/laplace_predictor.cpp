// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/inference/head_network_torch.h"
#include "core/inference/predictor_torch.h"
#include "core/kernels/logit_covariance.h"
#include "core/laplace/last_layer_gaussians_torch.h"
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
  LaplacePredictor(const Dataset& dataset, HeadNetwork head, LaplaceOptions options,
                   const RunContext& context)
      : dataset_(dataset),
        head_(std::move(head)),
        options_(std::move(options)),
        gaussians_(options_.fitted->posterior, options_.fitted->scale),
        context_(context) {}

  Expected<BatchOutcome> addBatch(const PredictedBatch& work, RunBuilder& builder) override;
  void takeFindings(RunFindings& /*findings*/) override {}
  void goOnFrom(const RunFindings& /*earlier*/) override {}
  Status finish(const RunFindings& /*all*/, RunMeta& /*meta*/) override { return {}; }

 private:
  const Dataset& dataset_;
  HeadNetwork head_;
  LaplaceOptions options_;
  LastLayerGaussians gaussians_;
  const RunContext& context_;
};

Expected<BatchOutcome> LaplacePredictor::addBatch(const PredictedBatch& work, RunBuilder& builder) {
  const auto outputs = head_.run(*work.batch, dataset_);
  if (!outputs) {
    return failWith(outputs);
  }
  const std::int64_t items = outputs->logits.size(0);
  const std::int64_t rows = gaussians_.rowsTogether();
  std::vector<Part> parts;
  for (std::int64_t begin = 0; begin < items; begin += rows) {
    const std::int64_t end = std::min(items, begin + rows);
    const LogitGaussians part =
        gaussians_.of(gaussians_.inBasis(outputs->features.slice(0, begin, end)),
                      outputs->logits.slice(0, begin, end));
    const auto ids =
        work.ids.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    parts.push_back(
        {part.mean, logitVariance(part, context_),
         applyLink(options_.link, part, ids, options_.samples, context_.seed, context_)});
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
  auto head = HeadNetwork::of(model, network);
  if (!head) {
    return failWith(head);
  }
  const LayerPosterior& layer = options.fitted->posterior.layers.at(0);
  const std::int64_t inputs = head->weight().size(1) + (head->bias().defined() ? 1 : 0);
  if (layer.outputs != head->weight().size(0) || layer.inputs != inputs) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: its head has {} x {} weights, the posterior {} x {}; fit it for "
                    "this network",
                    model.path(), head->weight().size(0), inputs, layer.outputs, layer.inputs));
  }
  return std::make_unique<LaplacePredictor>(dataset, *std::move(head), options, context);
}

}  // namespace dubito
