// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/map/map_predictor_torch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cfloat>
#include <vector>

#include "core/methods/map/map_options.h"
#include "core/models/model_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/predict/drawn_rows_torch.h"

namespace dubito {
namespace {

at::Tensor tensorOf(const std::vector<double>& values) {
  return values.empty() ? at::Tensor() : at::tensor(values, at::kDouble);
}

/// Scales logits, or log-probabilities if the network returns probabilities.
class MapPredictor : public BatchPredictor {
 public:
  MapPredictor(const PredictorInputs& inputs, const LogitScaling& scaling)
      : BatchPredictor(inputs.model),
        model_(inputs.model),
        dataset_(inputs.dataset),
        network_(inputs.network),
        weight_(tensorOf(scaling.weight)),
        bias_(tensorOf(scaling.bias)),
        context_(inputs.context),
        runner_(deterministicGraph(*inputs.network.graph), "map", inputs.network.items_per_pass) {}

  Expected<BatchOutcome> addBatch(const PredictionBatch& work, RunBuilder& builder) override {
    const at::Tensor& x = work.inputs;
    std::vector<at::Tensor> parts;
    const Status passed = rows().walk(x.size(0), [&](std::int64_t begin, std::int64_t end) {
      return pass(x.slice(0, begin, end), parts);
    });
    if (!passed) {
      return failWith(passed);
    }
    const at::Tensor rows = parts.size() == 1 ? parts[0] : at::cat(parts);
    if (work.step(1) != Step::kContinue) {
      return BatchOutcome::kStopped;
    }
    const bool gives_logits = model_.audit().output == OutputKind::kLogits;
    const bool in_kernel = gives_logits && !scales() && rows.scalar_type() != at::kDouble;
    const Status added =
        in_kernel ? addRows(rows, *work.batch, builder) : addInDouble(rows, *work.batch, builder);
    if (!added && added.error().code != ErrorCode::kCancelled) {
      return failWith(added);
    }
    return added ? BatchOutcome::kDone : BatchOutcome::kStopped;
  }

 private:
  [[nodiscard]] bool scales() const { return weight_.defined() || bias_.defined(); }
  [[nodiscard]] Status addRows(const at::Tensor& rows, const Batch& batch,
                               RunBuilder& builder) const {
    DrawnRows drawn(model_, dataset_, batch.indices, 1);
    const Status put = drawn.put(rows, 0, 0, static_cast<std::int64_t>(batch.indices.size()));
    return put ? drawn.addTo(builder, context_) : put;
  }

  /// Whether outputs stay in double: scaled logits, double logits, and probabilities.
  [[nodiscard]] Status addInDouble(const at::Tensor& rows, const Batch& batch,
                                   RunBuilder& builder) const {
    const auto probs = checkedProbabilities(rows, model_, dataset_, batch.indices);
    if (!probs) {
      return failWith(probs);
    }
    const std::vector<std::int64_t> shape{1, probs->size(0), probs->size(1)};
    const bool gives_logits = model_.audit().output == OutputKind::kLogits;
    at::Tensor logits;
    if (gives_logits) {
      logits = scaled(rows.detach().cpu().to(at::kDouble)).contiguous();
    } else if (scales()) {
      logits = scaled(at::log(at::clamp_min(*probs, double{FLT_MIN}))).contiguous();
    }
    const PredictiveSummary summary = logits.defined()
                                          ? summariseDrawsOfLogits(toArray(logits, shape), context_)
                                          : summariseDraws(toArray(*probs, shape), context_);
    if (context_.cancelRequested()) {
      return Status(cancelled());
    }
    if (!gives_logits) {
      builder.addSummary(summary);
      return {};
    }
    const at::Tensor kept = logits.to(at::kFloat);
    builder.addSummary(summary,
                       {kept.const_data_ptr<float>(), static_cast<std::size_t>(kept.numel())});
    return {};
  }

  [[nodiscard]] at::Tensor scaled(const at::Tensor& logits) const {
    const at::Tensor stretched = weight_.defined() ? logits * weight_ : logits;
    const at::Tensor moved = bias_.defined() ? stretched + bias_ : stretched;
    // A masked class stays masked whatever its weight.
    return at::where(at::isneginf(logits), logits, moved);
  }
  /// Adds the network's rows for the items `x`.
  Status pass(const at::Tensor& x, std::vector<at::Tensor>& parts) {
    try {
      const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
      parts.push_back(runner_
                          .run({network_.module._ivalue(), deviceCopy(x, network_.device),
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
  at::Tensor weight_;  ///< undefined if nothing is scaled
  at::Tensor bias_;
  const RunContext& context_;
  GraphRunner runner_;
};

}  // namespace

std::unique_ptr<BatchPredictor> makeMapPredictor(const PredictorInputs& inputs,
                                                 const LogitScaling& scaling) {
  return std::make_unique<MapPredictor>(inputs, scaling);
}

Expected<std::unique_ptr<BatchPredictor>> MethodTraits<MapOptions>::makePredictor(
    const MapOptions& /*chosen*/, const PredictorInputs& inputs) {
  return makeMapPredictor(inputs, LogitScaling());
}

}  // namespace dubito
