// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <utility>

#include "core/attribution/target_function_torch.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/torch_reason.h"
#include "core/network/batch_size_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/stochastic_network_torch.h"
#include "core/network/tensor_memory_torch.h"

namespace dubito {
namespace {

// Enough to keep all cores busy.
constexpr std::int64_t kMaxRows = 64;
constexpr const char* kUnregistered = ": an autograd kernel was not registered";

/// Keeps the name of the first operator without a gradient that a backward pass meets; torch only
/// warns and continues with a gradient of 0. Other warnings of the program are dropped.
class MissingGradients : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override {
    const std::size_t end = warning.msg().find(kUnregistered);
    if (end != std::string::npos && name_.empty()) {
      name_ = warning.msg().substr(0, end);
    }
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Operators whose result is constant almost everywhere, or cut off from its input.
bool stopsGradients(const std::string& op) {
  static constexpr std::array<const char*, 12> kStopping = {
      "aten::detach", "aten::detach_", "aten::argmax",  "aten::argmin",
      "aten::round",  "aten::round_",  "aten::floor",   "aten::floor_",
      "aten::sign",   "aten::sign_",   "aten::one_hot", "aten::bucketize"};
  return op.starts_with("quantized::") ||
         std::ranges::any_of(kStopping, [&op](const char* name) { return op == name; });
}

tl::unexpected<Error> withoutGradient(std::string reason) {
  return fail(ErrorCode::kUnsupported, std::move(reason));
}

/// Centred logits: logits minus their mean over the classes that are not masked.
at::Tensor centred(const at::Tensor& logits) {
  const at::Tensor usable = at::isfinite(logits.detach());
  const at::Tensor sums = at::where(usable, logits, at::zeros_like(logits)).sum(1, true);
  return logits - sums / usable.sum(1, true).clamp_min(1);
}

/// Population standard deviation over the draws, [R, 1, 1] of [R, T, 1].
at::Tensor spreadOf(const at::Tensor& of_draws) {
  return (of_draws - of_draws.mean(1, true)).square().mean(1, true).sqrt();
}

/// Entropy of the last dimension, in nats.
at::Tensor entropyOf(const at::Tensor& probs) {
  return -at::xlogy(probs, probs).sum(-1);
}

/// Entropy of the mean over the draws minus the mean entropy of the draws, [R] of [R, T, K].
at::Tensor informationOf(const at::Tensor& of_draws) {
  return entropyOf(of_draws.mean(1)) - entropyOf(of_draws).mean(1);
}

}  // namespace

Expected<std::unique_ptr<TargetFunction>> TargetFunction::of(
    const Model& model, const Dataset& dataset, std::int64_t index, const AttributionTarget& target,
    const TargetDraws& draws, bool flat, RunContext& context) {
  at::set_num_threads(context.threads);
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  try {
    std::shared_ptr<torch::jit::Graph> graph;
    if (draws.plan) {
      applyPlan(*network, *draws.plan);
      graph = network->graph;
    } else {
      graph = deterministicGraph(*network->graph);
    }
    torch::jit::EliminateDeadCode(graph);
    // The runner's graph does not print.
    graph = GraphRunner(graph, "attributed").graph();
    return std::unique_ptr<TargetFunction>(
        new TargetFunction(model, dataset, index, target, draws, flat, *network, graph, context));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: {}", model.path(), torchReason(exception)), {}, exception.what());
  }
}

TargetFunction::TargetFunction(const Model& model, const Dataset& dataset, std::int64_t index,
                               const AttributionTarget& target, const TargetDraws& draws, bool flat,
                               const NetworkOnDevice& network,
                               std::shared_ptr<torch::jit::Graph> graph, RunContext& context)
    : model_(model),
      dataset_(dataset),
      index_(index),
      target_(target),
      draws_(draws),
      flat_(flat),
      network_(network),
      graph_(std::move(graph)),
      code_(graph_, "attributed"),
      context_(context),
      rows_(/*may_halve=*/true) {
  for (at::Tensor parameter : network_.module.parameters()) {
    if (parameter.requires_grad() && parameter.is_leaf()) {
      parameter.set_requires_grad(false);
      frozen_.push_back(std::move(parameter));
    }
  }
}

TargetFunction::~TargetFunction() {
  for (at::Tensor& parameter : frozen_) {
    parameter.set_requires_grad(true);
  }
}

void TargetFunction::expect(std::int64_t values, std::int64_t gradients) {
  // The gradient of what depends on all draws needs their numbers first.
  total_ += (values + gradients * (target_.isOfAllDraws() ? 2 : 1)) * draws_.count;
}

std::string TargetFunction::operatorWithoutGradient() const {
  std::string found;
  forEachNode(graph_->block(), [&found](const torch::jit::Node* node) {
    if (const std::string op = opName(node); found.empty() && stopsGradients(op)) {
      found = op;
    }
  });
  return found;
}

at::Tensor TargetFunction::imagesOf(const Range& range) const {
  return at::arange(range.begin, range.end, at::kLong).floor_divide(draws_.count);
}

at::Tensor TargetFunction::run(const at::Tensor& x, const Range& range) const {
  const std::int64_t rows = x.size(0);
  // Some programs do not run on so few items: copies of the last one fill up the pass.
  const std::int64_t missing = std::max<std::int64_t>(0, network_.items_per_pass.min - rows);
  const auto filledUp = [&](const at::Tensor& of_rows) {
    return missing == 0
               ? of_rows
               : at::cat({of_rows, of_rows.slice(0, rows - 1).repeat_interleave(missing, 0)});
  };
  const at::TensorOptions integers = at::TensorOptions(at::kLong).device(network_.device);
  at::Tensor items = at::empty({0}, integers);
  at::Tensor draws = items;
  if (draws_.plan) {
    const std::int64_t id =
        draws_.plan->shared_masks ? -1 : dataset_.ids()[static_cast<std::size_t>(index_)];
    items = at::cat({at::full({rows}, id, integers), at::full({missing}, kPaddedItem, integers)});
    draws = filledUp(
        (at::arange(range.begin, range.end, at::kLong).remainder(draws_.count) + draws_.first)
            .to(network_.device));
  }
  // A copy, because the program may write into its input.
  torch::jit::Stack stack = {network_.module._ivalue(), filledUp(x).clone(),
                             static_cast<std::int64_t>(context_.seed), items, draws};
  torch::jit::InterpreterState(code_).run(stack);
  const at::Tensor all = stack.at(0).toTensor();
  return all.dim() > 0 && all.size(0) == rows + missing ? all.slice(0, 0, rows) : all;
}

std::int64_t TargetFunction::numbersPerRow() const {
  return target_.mutual_information ? model_.audit().classes : 1;
}

at::Tensor TargetFunction::numbers(const at::Tensor& rows) const {
  const at::Tensor wide = rows.to(at::kDouble);
  const bool are_logits = model_.audit().output == OutputKind::kLogits;
  const auto ofClass = [this](const at::Tensor& values) {
    return values.slice(1, target_.class_number, target_.class_number + 1);
  };
  if (target_.isOfAllDraws()) {
    const at::Tensor probs = are_logits ? at::softmax(wide, 1) : wide / wide.sum(1, true);
    return target_.spread ? ofClass(probs) : probs;
  }
  // log p_k and z_k differ by the same number for all classes, which centring removes.
  const at::Tensor logits = are_logits ? wide : at::log(at::clamp_min(wide, double{FLT_MIN}));
  return ofClass(centred(logits));
}

Status TargetFunction::walk(std::int64_t images, std::int64_t& bytes, const Pass& pass) {
  const auto max_rows = [&] {
    if (bytes == 0 || !canSharePass(model_.audit())) {
      return std::int64_t{1};
    }
    return std::clamp<std::int64_t>(maxSharedPassBytes(context_) / bytes, 1,
                                    std::min(kMaxRows, network_.items_per_pass.max));
  };
  return rows_.walk(images * draws_.count, max_rows, [&](std::int64_t begin, std::int64_t end) {
    if (context_.step("Attributing to pixels", done_, total_) == Step::kCancel) {
      return Status(cancelled());
    }
    std::optional<TensorMemoryMeter> meter;
    if (bytes == 0) {
      meter.emplace();
    }
    Status passed = pass({begin, end});
    if (passed && meter) {
      bytes = std::max<std::int64_t>(
          1, network_.device.is_cuda() ? meter->peakBytesOnDevices() : meter->peakBytes());
    }
    done_ += passed ? end - begin : 0;
    return passed;
  });
}

Expected<at::Tensor> TargetFunction::evaluations(const at::Tensor& images) {
  const at::NoGradGuard no_gradients;
  MissingGradients silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  const at::Tensor all = at::empty({images.size(0) * draws_.count, numbersPerRow()}, at::kDouble);
  const Status walked = walk(images.size(0), bytes_of_value_, [&](const Range& range) -> Status {
    at::Tensor x = images.index_select(0, imagesOf(range));
    try {
      x = (flat_ ? x.flatten(1) : x).to(network_.device);
      const at::Tensor rows = run(x, range);
      if (Status checked = checkRows(rows, model_, range.count()); !checked) {
        return checked;
      }
      all.slice(0, range.begin, range.end).copy_(numbers(rows));
      return {};
    } catch (const std::exception& exception) {
      return networkFailure(model_, x, exception);
    }
  });
  if (!walked) {
    return failWith(walked);
  }
  if (!at::isfinite(all).all().item<bool>()) {
    return nonFiniteError(model_, dataset_, index_);
  }
  return all.view({images.size(0), draws_.count, numbersPerRow()});
}

Expected<std::vector<double>> TargetFunction::values(const at::Tensor& images) {
  const auto all = evaluations(images);
  if (!all) {
    return failWith(all);
  }
  const at::Tensor values = (target_.spread               ? spreadOf(*all)
                             : target_.mutual_information ? informationOf(*all)
                                                          : all->mean(1))
                                .flatten()
                                .contiguous();
  const double* const data = values.const_data_ptr<double>();
  return std::vector<double>(data, data + values.numel());
}

Expected<at::Tensor> TargetFunction::gradientsOf(const at::Tensor& images, const Range& range,
                                                 const at::Tensor& factors) const {
  MissingGradients missing;
  const c10::WarningUtils::WarningHandlerGuard guard(&missing);
  const at::AutoGradMode with_gradients(true);
  const at::Tensor x = images.index_select(0, imagesOf(range));
  try {
    const at::Tensor leaf = x.to(network_.device).requires_grad_(true);
    const at::Tensor rows = run(flat_ ? leaf.flatten(1) : leaf, range);
    if (Status checked = checkRows(rows, model_, range.count()); !checked) {
      return failWith(checked);
    }
    const std::string stopping = operatorWithoutGradient();
    const std::string cut_off = stopping.empty() ? "its output does not depend on the image"
                                                 : fmt::format("{} has no gradient", stopping);
    if (!rows.requires_grad()) {
      return withoutGradient(cut_off);
    }
    const at::Tensor weighted = (numbers(rows) * factors.to(network_.device)).sum();
    const at::Tensor gradient =
        torch::autograd::grad({weighted}, {leaf}, {}, /*retain_graph=*/false,
                              /*create_graph=*/false, /*allow_unused=*/true)
            .at(0);
    if (!missing.name().empty()) {
      return withoutGradient(fmt::format("{} has no gradient", missing.name()));
    }
    if (!gradient.defined()) {
      return withoutGradient(cut_off);
    }
    const at::Tensor on_cpu = gradient.detach().to(at::kCPU, at::kDouble);
    if (!at::isfinite(on_cpu).all().item<bool>()) {
      return withoutGradient("its gradient is not finite");
    }
    return on_cpu;
  } catch (const std::exception& exception) {
    if (isOutOfMemory(exception)) {
      return networkFailure(model_, x, exception);
    }
    return withoutGradient(torchReason(exception));
  }
}

Expected<at::Tensor> TargetFunction::weightedGradients(const at::Tensor& images,
                                                       const at::Tensor& factors) {
  at::Tensor sums = at::zeros(images.sizes(), at::kDouble);
  const at::Tensor of_rows = factors.flatten(0, 1);
  const Status walked = walk(images.size(0), bytes_of_gradient_, [&](const Range& range) -> Status {
    const auto found = gradientsOf(images, range, of_rows.slice(0, range.begin, range.end));
    if (!found) {
      return failWith(found);
    }
    sums.index_add_(0, imagesOf(range), *found);
    return {};
  });
  if (!walked) {
    return failWith(walked);
  }
  return sums;
}

Expected<at::Tensor> TargetFunction::gradients(const at::Tensor& images) {
  if (!target_.isOfAllDraws()) {
    return weightedGradients(images, at::ones({images.size(0), draws_.count, 1}, at::kDouble));
  }
  const auto all = evaluations(images);
  if (!all) {
    return failWith(all);
  }
  const at::Tensor mean = all->mean(1, true);
  const auto draws = static_cast<double>(draws_.count);
  if (target_.mutual_information) {
    // d I / d p_tk = (log p_tk - log mean_k) / T; a probability of 0 does not change either.
    const at::Tensor ratios = at::where(*all > 0.0, *all / mean, at::ones_like(*all));
    return weightedGradients(images, at::log(ratios) / draws);
  }
  // d s / d p_t = (p_t - mean) / (T s); the mean's own derivative sums to 0.
  const at::Tensor deviations = *all - mean;
  const at::Tensor spread = spreadOf(*all);
  return weightedGradients(
      images, at::where(spread > 0.0, deviations / (draws * spread), at::zeros_like(deviations)));
}

}  // namespace dubito
