// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cfloat>
#include <vector>

#include "core/inference/network_batch_torch.h"
#include "core/inference/predictor_torch.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

at::Tensor tensorOf(const std::vector<double>& values) {
  return values.empty() ? at::Tensor() : at::tensor(values, at::kDouble);
}

class MapPredictor : public Predictor {
 public:
  MapPredictor(const Model& model, const Dataset& dataset, const NetworkOnDevice& network,
               const LogitScaling& scaling, const RunContext& context)
      : Predictor(model),
        model_(model),
        dataset_(dataset),
        network_(network),
        weight_(tensorOf(scaling.weight)),
        bias_(tensorOf(scaling.bias)),
        context_(context),
        runner_(deterministicGraph(*network.graph), "map") {}

  Expected<BatchOutcome> addBatch(const PredictedBatch& work, RunBuilder& builder) override {
    const at::Tensor x = networkInput(*work.batch, model_);
    std::vector<at::Tensor> parts;
    const Status passed = rows().walk(x.size(0), [&](std::int64_t begin, std::int64_t end) {
      return pass(x.slice(0, begin, end), parts);
    });
    if (!passed) {
      return failWith(passed);
    }
    at::Tensor rows = parts.size() == 1 ? parts[0] : at::cat(parts);
    const bool gives_logits = model_.audit().output == OutputKind::kLogits;
    if (scales() && gives_logits) {
      rows = scaled(rows.detach().cpu().to(at::kDouble));
    }
    auto probs = checkedProbabilities(rows, model_, dataset_, work.batch->indices);
    if (!probs) {
      return failWith(probs);
    }
    if (scales() && !gives_logits) {
      const at::Tensor logits = scaled(at::log(at::clamp_min(*probs, double{FLT_MIN})));
      *probs = probabilitiesOf(logits, OutputKind::kLogits).contiguous();
    }
    if (work.step(1) != Step::kContinue) {
      return BatchOutcome::kStopped;
    }
    const at::Tensor logits = rows.detach().to(at::kCPU, at::kFloat).contiguous();
    const Status added = builder.addPoint(
        toArray(*probs, {1, probs->size(0), probs->size(1)}),
        {logits.const_data_ptr<float>(), static_cast<std::size_t>(logits.numel())}, context_);
    return added ? BatchOutcome::kDone : BatchOutcome::kStopped;
  }

 private:
  [[nodiscard]] bool scales() const { return weight_.defined() || bias_.defined(); }
  /// Rows of another width than the scaling stay: they are refused where rows are checked.
  [[nodiscard]] at::Tensor scaled(const at::Tensor& logits) const {
    if (logits.dim() != 2 || logits.size(1) != model_.audit().classes) {
      return logits;
    }
    const at::Tensor stretched = weight_.defined() ? logits * weight_ : logits;
    return bias_.defined() ? stretched + bias_ : stretched;
  }
  /// Adds the network's rows for the items `x`.
  Status pass(const at::Tensor& x, std::vector<at::Tensor>& parts) {
    try {
      const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
      parts.push_back(runner_
                          .run({network_.module._ivalue(), ownCopy(x, network_.device),
                                std::int64_t{0}, none, none})
                          .at(0)
                          .toTensor());
      return {};
    } catch (const std::exception& exception) {
      return networkFailure(model_, x, exception);
    }
  }

  const Model& model_;
  const Dataset& dataset_;
  NetworkOnDevice network_;
  at::Tensor weight_;  ///< undefined where it scales nothing
  at::Tensor bias_;
  const RunContext& context_;
  GraphRunner runner_;
};

}  // namespace

std::unique_ptr<Predictor> makeMapPredictor(const Model& model, const Dataset& dataset,
                                            const NetworkOnDevice& network,
                                            const LogitScaling& scaling,
                                            const RunContext& context) {
  return std::make_unique<MapPredictor>(model, dataset, network, scaling, context);
}

}  // namespace dubito
