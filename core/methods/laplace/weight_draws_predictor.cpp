// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/device.h"
#include "core/laplace/posterior/weight_draws_torch.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/methods/laplace/weight_draws_predictor_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/predict/drawn_rows_torch.h"

namespace dubito {
namespace {

// Drawing the weights of a large network takes longer than running a batch: draws are kept for
// later batches, up to 1 / kMemoryDivisor of the memory.
constexpr std::int64_t kMemoryDivisor = 4;

/// Limit on bytes of kept weight draws: a fraction of the budget, if any, and of the free memory
/// where they are stored.
std::int64_t maxKeptBytes(const RunContext& context) {
  const std::int64_t budget = context.memory_budget_bytes;
  if (context.device.isCuda()) {
    const std::int64_t free_bytes = freeDeviceMemory(context.device.index);
    return (budget > 0 ? std::min(budget, free_bytes) : free_bytes) / kMemoryDivisor;
  }
  return (budget > 0 ? budget : queryDevices().memory_bytes) / kMemoryDivisor;
}

/// One draw of the weights and biases of all layers, as the nodes take them.
using DrawnWeights = std::vector<c10::IValue>;

/// Runs items through the network once per weight draw. A draw is one function for all items.
class WeightDrawsPredictor : public BatchPredictor {
 public:
  WeightDrawsPredictor(const PredictorInputs& inputs, WeightedLayers layers,
                       const std::shared_ptr<torch::jit::Graph>& graph,
                       const LaplaceOptions& options)
      : BatchPredictor(inputs.model),
        model_(inputs.model),
        dataset_(inputs.dataset),
        network_(inputs.network),
        layers_(std::move(layers)),
        runner_(graph, "weight draws", inputs.network.items_per_pass),
        options_(options),
        context_(inputs.context),
        max_kept_bytes_(maxKeptBytes(context_)) {}

  Expected<BatchOutcome> addBatch(const PredictionBatch& work, RunBuilder& builder) override;

 private:
  [[nodiscard]] DrawnWeights drawn(std::int64_t draw) const;
  [[nodiscard]] const DrawnWeights& weightsOf(std::int64_t draw);
  /// The network's rows for the items `x` with one draw of the weights.
  [[nodiscard]] Expected<at::Tensor> pass(const at::Tensor& x, const DrawnWeights& weights);
  /// Suggests the weights as the cause if the rows of an item are not finite.
  [[nodiscard]] tl::unexpected<Error> failDrawn(const tl::unexpected<Error>& failure) const;

  const Model& model_;
  const Dataset& dataset_;
  NetworkOnDevice network_;
  WeightedLayers layers_;
  GraphRunner runner_;
  LaplaceOptions options_;
  const RunContext& context_;
  std::int64_t max_kept_bytes_;
  std::vector<DrawnWeights> kept_;  ///< the first draws
  DrawnWeights last_;
};

DrawnWeights WeightDrawsPredictor::drawn(std::int64_t draw) const {
  DrawnWeights weights;
  for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
    const LayerNode& layer = layers_.layers[i];
    const at::Tensor added = drawWeightDeviation(options_.fitted->posterior, i,
                                                 options_.fitted->scale, draw, context_.seed);
    const std::int64_t width = layer.weight_values.numel() / layer.weight_values.size(0);
    const auto onDevice = [&](const at::Tensor& trained, const at::Tensor& change) {
      return (trained.detach().cpu().to(at::kDouble) + change.reshape(trained.sizes()))
          .to(trained.scalar_type())
          .to(network_.device);
    };
    const at::Tensor weight = onDevice(layer.weight_values, added.slice(1, 0, width));
    weights.emplace_back(layer.weight_is_transposed ? weight.t() : weight);
    if (layer.bias_values.defined()) {
      weights.emplace_back(onDevice(layer.bias_values, added.select(1, width)));
    }
  }
  return weights;
}

const DrawnWeights& WeightDrawsPredictor::weightsOf(std::int64_t draw) {
  if (draw < static_cast<std::int64_t>(kept_.size())) {
    return kept_[static_cast<std::size_t>(draw)];
  }
  last_ = drawn(draw);
  const std::int64_t bytes =
      options_.fitted->posterior.parameters() * static_cast<std::int64_t>(sizeof(float));
  if (draw == static_cast<std::int64_t>(kept_.size()) && (draw + 1) * bytes <= max_kept_bytes_) {
    kept_.push_back(std::move(last_));
    return kept_.back();
  }
  return last_;
}

Expected<at::Tensor> WeightDrawsPredictor::pass(const at::Tensor& x, const DrawnWeights& weights) {
  try {
    const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network_.device));
    std::vector<c10::IValue> inputs = {network_.module._ivalue(), deviceCopy(x, network_.device),
                                       std::int64_t{0}, none, none};
    inputs.insert(inputs.end(), weights.begin(), weights.end());
    return runner_.run(std::move(inputs)).at(0).toTensor();
  } catch (const std::exception& exception) {
    return networkFailure(model_, x, exception);
  }
}

tl::unexpected<Error> WeightDrawsPredictor::failDrawn(const tl::unexpected<Error>& failure) const {
  Error error = failure.value();
  if (error.code == ErrorCode::kMalformed) {
    error.message += fmt::format(
        "; its weights were drawn around the trained ones with prior precision {:.3g}: if map can "
        "predict the item, choose a larger precision or the linearised predictive",
        options_.fitted->scale.tau);
    error.remedy.settings.push_back(setting("prior"));
    error.remedy.settings.push_back(setting("predictive", "linearised"));
  }
  return tl::unexpected<Error>(std::move(error));
}

Expected<BatchOutcome> WeightDrawsPredictor::addBatch(const PredictionBatch& work,
                                                      RunBuilder& builder) {
  const at::Tensor& x = work.inputs;
  const std::int64_t items = x.size(0);
  DrawnRows rows_of_draws(model_, dataset_, work.batch->indices, options_.weight_draws);
  for (std::int64_t draw = 0; draw < options_.weight_draws; ++draw) {
    const DrawnWeights& weights = weightsOf(draw);
    const Status passed = rows().walk(items, [&](std::int64_t begin, std::int64_t end) -> Status {
      const auto rows_of_part = pass(x.slice(0, begin, end), weights);
      return rows_of_part ? rows_of_draws.put(*rows_of_part, draw, begin, end - begin)
                          : Status(failWith(rows_of_part));
    });
    if (!passed) {
      return failDrawn(failWith(passed));
    }
    if (work.step(draw + 1) != Step::kContinue) {
      return BatchOutcome::kStopped;
    }
  }
  const Status added = rows_of_draws.addTo(builder, context_);
  if (!added && added.error().code != ErrorCode::kCancelled) {
    return failDrawn(failWith(added));
  }
  return added ? BatchOutcome::kDone : BatchOutcome::kStopped;
}

}  // namespace

Expected<std::unique_ptr<BatchPredictor>> makeWeightDrawsPredictor(const LaplaceOptions& chosen,
                                                                   const PredictorInputs& inputs) {
  const std::shared_ptr<torch::jit::Graph> graph = deterministicGraph(*inputs.network.graph);
  WeightedLayers layers = weightedLayers(*graph, inputs.network.module);
  if (Status same = checkSameLayers(inputs.model, chosen.fitted->posterior, layers); !same) {
    return failWith(same);
  }
  const auto replace = [&](const NodeInput& input) {
    input.node->replaceInput(input.position, graph->addInput());
  };
  for (const LayerNode& layer : layers.layers) {
    replace(layer.weight);
    if (layer.bias_values.defined()) {
      replace(layer.bias);
    }
  }
  graph->lint();
  return std::make_unique<WeightDrawsPredictor>(inputs, std::move(layers), graph, chosen);
}

}  // namespace dubito
