// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cfloat>

#include "core/inference/network_batch_torch.h"
#include "core/inference/predictor_torch.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

class MapPredictor : public Predictor {
 public:
  MapPredictor(const Model& model, const Dataset& dataset, const NetworkOnDevice& network,
               double temperature, const RunContext& context)
      : model_(model),
        dataset_(dataset),
        network_(network),
        temperature_(temperature),
        context_(context),
        runner_(deterministicGraph(*network.graph), "map") {}

  Expected<BatchOutcome> addBatch(const PredictedBatch& work, RunBuilder& builder) override {
    const at::Tensor x = networkInput(*work.batch, model_);
    at::Tensor rows;
    try {
      const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
      rows = runner_
                 .run({network_.module._ivalue(), ownCopy(x, network_.device), std::int64_t{0},
                       none, none})
                 .at(0)
                 .toTensor();
    } catch (const std::exception& exception) {
      return networkFailure(model_, x, exception);
    }
    const bool gives_logits = model_.audit().output == OutputKind::kLogits;
    if (temperature_ != 1.0 && gives_logits) {
      rows = rows.detach().cpu().to(at::kDouble) / temperature_;
    }
    auto probs = checkedProbabilities(rows, model_, dataset_, *work.batch);
    if (!probs) {
      return failWith(probs);
    }
    if (temperature_ != 1.0 && !gives_logits) {
      const at::Tensor logits = at::log(at::clamp_min(*probs, double{FLT_MIN})) / temperature_;
      *probs = probabilitiesOf(logits, OutputKind::kLogits).contiguous();
    }
    if (work.step(1) != Step::kContinue) {
      return BatchOutcome::kStopped;
    }
    const at::Tensor logits = rows.detach().to(at::kCPU, at::kFloat).contiguous();
    builder.addPoint(toArray(*probs, {1, probs->size(0), probs->size(1)}),
                     {logits.const_data_ptr<float>(), static_cast<std::size_t>(logits.numel())},
                     context_);
    return BatchOutcome::kDone;
  }

  void takeFindings(RunFindings& /*findings*/) override {}
  void goOnFrom(const RunFindings& /*earlier*/) override {}
  Status finish(const RunFindings& /*all*/, RunMeta& /*meta*/) override { return {}; }

 private:
  const Model& model_;
  const Dataset& dataset_;
  NetworkOnDevice network_;
  double temperature_;
  const RunContext& context_;
  GraphRunner runner_;
};

}  // namespace

std::unique_ptr<Predictor> makeMapPredictor(const Model& model, const Dataset& dataset,
                                            const NetworkOnDevice& network, double temperature,
                                            const RunContext& context) {
  return std::make_unique<MapPredictor>(model, dataset, network, temperature, context);
}

}  // namespace dubito
