// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>
#include <utility>
#include <vector>

#include "core/kernels/honesty.h"
#include "core/kernels/logit_covariance.h"
#include "core/laplace/gauge_plan.h"
#include "core/laplace/laplace_memory.h"
#include "core/laplace/link.h"
#include "core/laplace/variance_use.h"
#include "core/methods/batch_predictor_torch.h"
#include "core/methods/laplace/laplace_factors_torch.h"
#include "core/methods/laplace/laplace_options.h"
#include "core/methods/laplace/posterior_walk_torch.h"
#include "core/methods/laplace/weight_draws_predictor_torch.h"

namespace dubito {
namespace {

/// Results of some items of a batch: what a run stores of their Gaussians.
struct Part {
  Array<float> logit_mean;
  Array<float> logit_variance;
  LinkedPredictions linked;
  std::optional<HonestyGauge> gauge = {};
};

class LaplacePredictor : public BatchPredictor {
 public:
  LaplacePredictor(const PredictorInputs& inputs, std::unique_ptr<PosteriorNetwork> network,
                   LaplaceOptions options)
      : BatchPredictor(inputs.model),
        dataset_(inputs.dataset),
        network_(std::move(network)),
        options_(std::move(options)),
        classes_(inputs.model.audit().classes),
        plan_(gaugePlan(options_, classes_, dataset_.size())),
        context_(inputs.context) {}

  Expected<BatchOutcome> addBatch(const PredictionBatch& work, RunBuilder& builder) override;
  void takeFindings(RunFindings& findings) override { findings.variance_use = variance_use_; }
  void resumeFrom(const RunFindings& earlier) override { variance_use_ = earlier.variance_use; }
  Status finish(const RunFindings& all, RunMeta& meta) override;

 private:
  [[nodiscard]] Part predict(const LogitGaussians& gaussians,
                             std::span<const std::int64_t> ids) const;
  /// The bridge used for prediction, or the exact one.
  [[nodiscard]] BridgeVariant gaugedVariant() const {
    return bridgeVariantFromName(options_.link).value_or(BridgeVariant::kCentred);
  }

  const Dataset& dataset_;
  std::unique_ptr<PosteriorNetwork> network_;
  LaplaceOptions options_;
  std::int64_t classes_;
  GaugePlan plan_;
  VarianceUse variance_use_;
  const RunContext& context_;
};

Part LaplacePredictor::predict(const LogitGaussians& gaussians,
                               std::span<const std::int64_t> ids) const {
  Part part{gaussians.mean, logitVariance(gaussians, context_),
            applyLink(options_.link, gaussians, ids, options_.samples, context_.seed, context_)};
  if (plan_.uses_link_draws) {
    part.gauge = honestyGauge(gaussians, part.linked.probs, gaugedVariant(), context_);
  } else if (plan_.draws > 0) {
    part.gauge = sampledHonestyGauge(gaussians, ids, gaugedVariant(), plan_.draws, plan_.share,
                                     context_.seed, context_);
  }
  return part;
}

Expected<BatchOutcome> LaplacePredictor::addBatch(const PredictionBatch& work,
                                                  RunBuilder& builder) {
  std::vector<Part> parts;
  const Status walked = forEachGaussian(
      *network_, work.inputs, work.batch->indices, dataset_, rows(), context_,
      [&](const LogitGaussians& gaussians, std::int64_t first) {
        parts.push_back(predict(gaussians, work.idsOf(first, first + gaussians.mean.extent(0))));
      });
  if (!walked && walked.error().code != ErrorCode::kCancelled) {
    return failWith(walked);
  }
  // After a cancel, kernel results are meaningless.
  if (work.step(1) != Step::kContinue) {
    return BatchOutcome::kStopped;
  }
  for (const Part& part : parts) {
    builder.addGaussians(part.logit_mean, part.logit_variance, part.linked);
    variance_use_.add(part.logit_mean, part.logit_variance, part.linked.probs);
    if (part.gauge) {
      builder.addGauge(*part.gauge);
    }
  }
  return BatchOutcome::kDone;
}

Status LaplacePredictor::finish(const RunFindings& all, RunMeta& meta) {
  for (const std::optional<Note>& note :
       {all.variance_use.note(options_.link, classes_), plan_.note(dataset_.size())}) {
    if (note) {
      meta.notes.push_back(*note);
    }
  }
  return BatchPredictor::finish(all, meta);
}

}  // namespace

Expected<MethodWork> MethodTraits<LaplaceOptions>::work(const LaplaceOptions& chosen,
                                                        const PredictorInputs& inputs,
                                                        std::int64_t /*batch*/) {
  const auto layers = posteriorLayers(inputs.model, inputs.network, chosen);
  if (!layers) {
    return failWith(layers);
  }
  const LaplaceStructure structure = parseLaplaceStructure(chosen.structure);
  MethodWork work;
  for (const LayerSize& layer : *layers) {
    work.fit_bytes += laplaceBytes(structure, layer);
    work.decomposition_steps += decompositionCost(structure, layer);
  }
  work.predict_bytes = posteriorMemoryShare() * work.fit_bytes;
  if (chosen.ofAllLayers() && !chosen.drawsWeights()) {
    const auto linearised =
        linearisedItemBytes(inputs.model, inputs.network, inputs.dataset, inputs.context);
    if (!linearised) {
      return failWith(linearised);
    }
    if (Status enough = checkLinearisedMemory(*linearised, 1, inputs.model.audit().classes,
                                              inputs.context.memory_budget_bytes);
        !enough) {
      return failWith(enough);
    }
    work.predict_bytes += static_cast<double>(*linearised);
  }
  return work;
}

Expected<std::unique_ptr<BatchPredictor>> MethodTraits<LaplaceOptions>::makePredictor(
    const LaplaceOptions& chosen, const PredictorInputs& inputs) {
  if (!chosen.fitted) {
    return fail(ErrorCode::kInvalidArgument,
                "laplace has not been fitted; give the training items, or a posterior",
                {setting("fit"), setting("posterior")});
  }
  if (chosen.drawsWeights()) {
    return makeWeightDrawsPredictor(chosen, inputs);
  }
  auto posterior_network =
      makePosteriorNetwork(inputs.model, inputs.network, chosen.fitted->posterior,
                           chosen.fitted->scale, inputs.context.memory_budget_bytes);
  if (!posterior_network) {
    return failWith(posterior_network);
  }
  return std::make_unique<LaplacePredictor>(inputs, *std::move(posterior_network), chosen);
}

}  // namespace dubito
