// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/base/in_quotes.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "core/models/torch_reason.h"

namespace dubito {
namespace {

using Shape = std::vector<std::int64_t>;
constexpr std::uint64_t kProbeSeed = 20240229;

std::string shapeText(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, " x "));
}

std::vector<Shape> candidates(const torch::jit::Module& module, torch::jit::Graph& graph,
                              const Preprocessing& declared) {
  if (declared.length > 0) {
    return {{declared.length}};
  }
  if (declared.height > 0 && declared.width > 0) {
    if (declared.channels > 0) {
      return {{declared.channels, declared.height, declared.width}};
    }
    return {{1, declared.height, declared.width}, {3, declared.height, declared.width}};
  }
  std::vector<Shape> shapes;
  const at::Tensor weight = firstLayerWeight(module, graph);
  if (weight.defined() && weight.dim() == 4) {
    for (const std::int64_t side : {28, 32, 64, 224, 200}) {
      shapes.push_back({weight.size(1), side, side});
    }
  } else if (weight.defined() && weight.dim() == 2 && weight.size(1) != 784) {
    shapes.push_back({weight.size(1)});
  }
  for (Shape shape : {Shape{1, 28, 28}, Shape{3, 32, 32}, Shape{3, 224, 224}, Shape{3, 200, 200},
                      Shape{784}, Shape{2}, Shape{3}, Shape{4}}) {
    if (declared.channels == 0 || shape.size() == 1 || shape[0] == declared.channels) {
      shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

/// Items of random pixels, preprocessed according to the metadata.
at::Tensor makeItems(const Shape& shape, const Preprocessing& preprocessing) {
  Shape batch_shape = {kProbeItems};
  batch_shape.insert(batch_shape.end(), shape.begin(), shape.end());
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(kProbeSeed);
  if (shape.size() == 1) {
    return at::randn(batch_shape, generator);
  }
  at::Tensor items = at::rand(batch_shape, generator) * (255.0 * preprocessing.scale);
  const auto perChannel = [&](const std::vector<double>& values) {
    return at::tensor(values).to(at::kFloat).reshape({-1, 1, 1});
  };
  if (!preprocessing.mean.empty()) {
    items = items - perChannel(preprocessing.mean);
  }
  if (!preprocessing.std.empty()) {
    items = items / perChannel(preprocessing.std);
  }
  return items;
}

constexpr const char* kWrap =
    "wrap the network in a module that returns one row of class scores per item";

/// Why rows of this shape are not class scores of the probe items, with a remedy; empty if they
/// are.
std::string refusalOfRows(const at::Tensor& rows) {
  const Shape shape(rows.sizes().begin(), rows.sizes().end());
  if (rows.dim() >= 1 && rows.size(0) == 1) {
    return fmt::format("it returns one row for a batch of {}; {}", kProbeItems, kWrap);
  }
  if ((rows.dim() == 1 || (rows.dim() == 2 && rows.size(1) >= 1)) && rows.size(0) == kProbeItems &&
      rows.is_floating_point()) {
    return {};
  }
  return fmt::format("it returns [{}] for a batch of {}, but [{}, classes] is needed; {}",
                     shapeText(shape), kProbeItems, kProbeItems, kWrap);
}

/// Selects the rows of class scores among the returned tensors; the error has a remedy.
Status selectRows(const c10::IValue& returned, const ModelMetadata& metadata, Probe& probe) {
  probe.returned = returnedTensors(returned);
  const auto used = chooseOutput(probe.returned, metadata, kProbeItems);
  if (!used) {
    return failWith(used);
  }
  probe.used = *used;
  probe.rows = probe.returned[*used].value;
  std::string refusal = refusalOfRows(probe.rows);
  if (refusal.empty()) {
    return {};
  }
  if (probe.returned.size() > 1) {
    refusal = fmt::format("of the tensors that its forward returns ({}), {} is used: {}",
                          describeTensors(probe.returned, kProbeItems),
                          inQuotes(probe.returned[*used].name), refusal);
  }
  return fail(ErrorCode::kUnsupported, std::move(refusal));
}

/// Whether the network runs on images of twice the height and width, which every step divides that
/// divides the probed size.
bool runsOnLargerImages(const torch::jit::Module& module, GraphRunner& deterministic,
                        const Probe& probe) {
  constexpr std::int64_t kFew = 2;
  const at::Tensor larger = probe.inputs.slice(0, 0, kFew).repeat({1, 1, 2, 2});
  try {
    (void)deterministic.run(deterministicInputs(module, larger));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

std::vector<c10::IValue> deterministicInputs(const torch::jit::Module& module,
                                             const at::Tensor& x) {
  const at::Tensor none = at::zeros({0}, at::kLong);
  // A copy, because results may share its memory.
  return {module._ivalue(), x.clone(), std::int64_t{0}, none, none};
}

Expected<Probe> probeNetwork(const torch::jit::Module& module, GraphRunner& deterministic,
                             const ModelMetadata& metadata, const std::string& path) {
  const Preprocessing& preprocessing = metadata.preprocessing;
  const std::vector<Shape> shapes = candidates(module, *deterministic.graph(), preprocessing);
  const bool declared =
      preprocessing.length > 0 || (preprocessing.height > 0 && preprocessing.width > 0);
  std::string tried;
  std::string reason;
  std::optional<Error> refused;  // of the first size that the network runs on
  for (const Shape& shape : shapes) {
    Probe probe;
    probe.shape = shape;
    probe.guessed = !declared;
    tried += (tried.empty() ? "" : ", ") + shapeText(shape);
    try {
      probe.inputs = makeItems(shape, preprocessing);
      const c10::IValue returned =
          deterministic.run(deterministicInputs(module, probe.inputs)).at(0);
      const Status selected = selectRows(returned, metadata, probe);
      if (selected) {
        probe.only_size =
            probe.guessed && shape.size() == 3 && !runsOnLargerImages(module, deterministic, probe);
        return probe;
      }
      if (!refused) {
        refused = selected.error();
      }
    } catch (const std::exception& exception) {
      reason = reason.empty() ? torchReason(exception) : reason;
    }
  }
  if (refused) {
    return fail(refused->code, fmt::format("{}: {}", path, refused->message), refused->context);
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: the network does not run on a batch of {} items of {} ({}); write "
                          "its input size into the metadata: \"input_size\": [height, width] and "
                          "\"channels\" for images, or \"input_size\": [length] for vectors",
                          path, kProbeItems, tried, reason));
}

std::int64_t itemsToCompare(const Probe& probe) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 16;
  constexpr std::int64_t kFew = 3;
  return probe.inputs.numel() / kProbeItems > kLarge ? kFew : kProbeItems;
}

BatchBehaviour checkBatchDependence(const torch::jit::Module& module, GraphRunner& deterministic,
                                    const Probe& probe, OutputKind output,
                                    const std::vector<std::string>& batch_ops, bool has_memory) {
  // Another order of float32 sums changes results by about 1e-7.
  constexpr double kNoise = 1e-5;
  BatchBehaviour behaviour;
  const auto pass = [&](const at::Tensor& items) {
    const torch::jit::Module fresh = has_memory ? module.deepcopy() : module;
    return deterministic.run(deterministicInputs(fresh, items)).at(0).toTensor();
  };
  const at::Tensor batch_probs =
      probabilitiesOf(has_memory ? pass(probe.inputs) : probe.rows, output);
  for (std::int64_t i = 0; i < itemsToCompare(probe); ++i) {
    const at::Tensor item = probe.inputs.slice(0, i, i + 1);
    try {
      const at::Tensor row = pass(item);
      const double difference =
          at::abs(probabilitiesOf(row, output) - batch_probs.slice(0, i, i + 1))
              .max()
              .item()
              .toDouble();
      behaviour.max_prob_difference = std::max(behaviour.max_prob_difference, difference);
    } catch (const std::exception& exception) {
      behaviour.depends_on_batch = true;
      behaviour.reason = "a single item fails: " + torchReason(exception);
      return behaviour;
    }
  }
  behaviour.depends_on_batch = behaviour.max_prob_difference > kNoise;
  if (behaviour.depends_on_batch) {
    behaviour.reason =
        batch_ops.empty() ? "unknown operator" : fmt::format("{}", fmt::join(batch_ops, ", "));
  }
  return behaviour;
}

}  // namespace dubito
