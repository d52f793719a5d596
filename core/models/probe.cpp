// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/util/accumulate.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/in_quotes.h"
#include "core/models/batch_operators_torch.h"
#include "core/models/fixed_batch_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "core/models/program/network_format.h"
#include "core/models/program/remedy.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

using Shape = std::vector<std::int64_t>;
constexpr std::uint64_t kProbeSeed = 20240229;

std::string shapeText(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, " x "));
}

/// The shapes that fit what the file states: itself, or with common sizes for axes of any size.
std::vector<Shape> statedShapes(const StatedInput& stated) {
  const Shape& shape = stated.item_shape;
  if (shape.empty() || std::ranges::count(shape, 0) == 0) {
    return shape.empty() ? std::vector<Shape>() : std::vector<Shape>{shape};
  }
  std::vector<Shape> shapes;
  if (const Shape& example = stated.example_shape;
      !example.empty() && std::ranges::count(example, 0) == 0) {
    shapes.push_back(example);
  }
  for (const std::int64_t side : {224, 32, 28, 64, 200}) {
    Shape filled = shape;
    std::ranges::replace(filled, std::int64_t{0}, side);
    if (shape.size() == 3 && shape[0] == 0) {
      filled[0] = 3;
    }
    shapes.push_back(std::move(filled));
  }
  return shapes;
}

/// The numbers of channels to try: the one that the metadata or the file tells, else that of the
/// first layer, else grey and colour.
std::vector<std::int64_t> channelCandidates(const torch::jit::Module& module,
                                            torch::jit::Graph& graph, const Preprocessing& declared,
                                            const StatedInput& stated) {
  if (declared.channels > 0) {
    return {declared.channels};
  }
  if (stated.item_shape.size() == 3 && stated.item_shape[0] > 0) {
    return {stated.item_shape[0]};
  }
  // Values per channel count the channels; a single one is for all.
  if (const std::size_t values = std::max(declared.mean.size(), declared.std.size()); values > 1) {
    return {static_cast<std::int64_t>(values)};
  }
  const at::Tensor weight = firstLayerWeight(module, graph);
  if (weight.defined() && weight.dim() == 4 && (weight.size(1) == 1 || weight.size(1) == 3)) {
    return {weight.size(1), 4 - weight.size(1)};
  }
  return {1, 3};
}

std::vector<Shape> candidates(const torch::jit::Module& module, torch::jit::Graph& graph,
                              const Preprocessing& declared, const StatedInput& stated) {
  if (declared.length > 0) {
    return {{declared.length}};
  }
  if (declared.height > 0 && declared.width > 0) {
    std::vector<Shape> shapes;
    for (const std::int64_t channels : channelCandidates(module, graph, declared, stated)) {
      shapes.push_back({channels, declared.height, declared.width});
    }
    return shapes;
  }
  if (std::vector<Shape> shapes = statedShapes(stated); !shapes.empty()) {
    return shapes;
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
  const std::vector<std::int64_t> channels = channelCandidates(module, graph, declared, stated);
  for (Shape shape : {Shape{1, 28, 28}, Shape{3, 32, 32}, Shape{3, 224, 224}, Shape{3, 200, 200},
                      Shape{784}, Shape{2}, Shape{3}, Shape{4}}) {
    if (shape.size() == 1 || std::ranges::find(channels, shape[0]) != channels.end()) {
      shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

/// Items of random pixels, preprocessed according to the metadata. Throws if that is for other
/// channels.
at::Tensor makeItems(const Shape& shape, const Preprocessing& preprocessing) {
  Shape batch_shape = {kProbeItems};
  batch_shape.insert(batch_shape.end(), shape.begin(), shape.end());
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(kProbeSeed);
  if (shape.size() == 1) {
    return at::randn(batch_shape, generator);
  }
  at::Tensor items = at::rand(batch_shape, generator) * (255.0 * preprocessing.scale);
  const auto perChannel = [&](const std::vector<double>& values) {
    if (values.size() > 1 && static_cast<std::int64_t>(values.size()) != shape[0]) {
      throw std::runtime_error(fmt::format(
          "its metadata has {} values of mean or std for images of {} {}; give one per channel",
          values.size(), shape[0], shape[0] == 1 ? "channel" : "channels"));
    }
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

/// Why rows of this shape are not class scores of `items` items, with a remedy; empty if they are.
std::string refusalOfRows(const at::Tensor& rows, std::int64_t items) {
  const Shape shape(rows.sizes().begin(), rows.sizes().end());
  if (rows.is_complex()) {
    return "it returns complex numbers instead of a score per class; return real scores";
  }
  if (!rows.is_floating_point()) {
    return fmt::format(
        "it returns whole numbers ({}), such as classes or rounded scores, instead of a score per "
        "class; return the scores before that step",
        c10::toString(rows.scalar_type()));
  }
  if (rows.dim() >= 1 && rows.size(0) == 1 && items > 1) {
    return fmt::format("it returns one row for a batch of {}; {}", items, kWrap);
  }
  if ((rows.dim() == 1 || (rows.dim() == 2 && rows.size(1) >= 1)) && rows.size(0) == items) {
    return {};
  }
  return fmt::format("it returns [{}] for a batch of {}, but [{}, classes] is needed; {}",
                     shapeText(shape), items, items, kWrap);
}

/// Selects the rows of class scores of `items` items among the returned tensors; the error has a
/// remedy.
Status selectRows(const c10::IValue& returned, const ModelMetadata& metadata, std::int64_t items,
                  Probe& probe) {
  probe.returned = returnedTensors(returned);
  const auto used = chooseOutput(probe.returned, metadata, items);
  if (!used) {
    return failWith(used);
  }
  probe.used = *used;
  probe.rows = probe.returned[*used].value;
  std::string refusal = refusalOfRows(probe.rows, items);
  if (refusal.empty()) {
    return {};
  }
  if (probe.returned.size() > 1) {
    refusal = fmt::format("of the tensors that its forward returns ({}), {} is used: {}",
                          describeTensors(probe.returned, items),
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

/// Finds a size of items, and of batches, on which a network runs.
class Prober {
 public:
  Prober(const torch::jit::Module& module, GraphRunner& deterministic,
         const ModelMetadata& metadata, const StatedInput& stated, const std::string& path)
      : module_(module),
        deterministic_(deterministic),
        metadata_(metadata),
        stated_(stated),
        first_batch_(stated.batch > 0 ? stated.batch : kProbeItems),
        path_(path) {}

  Expected<Probe> probe() {
    const Preprocessing& preprocessing = metadata_.preprocessing;
    const std::vector<Shape> shapes =
        candidates(module_, *deterministic_.graph(), preprocessing, stated_);
    const Shape& item = stated_.item_shape;
    is_declared_ =
        preprocessing.length > 0 || (preprocessing.height > 0 && preprocessing.width > 0);
    is_stated_ = !item.empty() && std::ranges::count(item, 0) == 0;
    for (const Shape& shape : shapes) {
      tried_ += (tried_.empty() ? "" : ", ") + shapeText(shape);
      if (auto found = attempt(shape, first_batch_)) {
        return *std::move(found);
      }
    }
    if (is_constant_) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: its output does not depend on its input: the program contains a number "
                      "in place of a computation, as when a trace passes through NumPy or .item(); "
                      "compute with tensors throughout, or use torch.jit.script",
                      path_));
    }
    if (const std::string kind = unsupportedFirstLayer(); !kind.empty() && !refused_) {
      return fail(ErrorCode::kUnsupported, fmt::format("{}: {}", path_, kind));
    }
    if (may_be_fixed_ && stated_.batch == 0) {
      // Elements of a batch that are tried: a hundred photographs.
      constexpr std::int64_t kMaxElements = std::int64_t{1} << 24;
      for (const std::int64_t batch : possibleBatchSizes(*deterministic_.graph())) {
        for (const Shape& shape : shapes) {
          const bool is_tried =
              batch == kProbeItems || batch * c10::multiply_integers(shape) > kMaxElements;
          if (auto found = is_tried ? std::nullopt : attempt(shape, batch)) {
            return *std::move(found);
          }
        }
      }
    }
    if (refused_) {
      return failOf(path_, *refused_);
    }
    return fail(ErrorCode::kUnsupported, whyItFails(shapes.front()));
  }

 private:
  /// The probe of items of this shape, `batch` at a time; nullopt if the network does not run on
  /// them or returns no rows of class scores.
  std::optional<Probe> attempt(const Shape& shape, std::int64_t batch) {
    Probe probe;
    probe.shape = shape;
    probe.guessed = !is_declared_ && !is_stated_;
    try {
      probe.inputs = makeItems(shape, metadata_.preprocessing);
      const at::Tensor first = itemsFrom(probe.inputs, 0, batch);
      const c10::IValue returned = deterministic_.run(deterministicInputs(module_, first)).at(0);
      const Status selected = selectRows(returned, metadata_, batch, probe);
      if (!selected) {
        noteRefusal(selected.error(), probe, batch);
        return std::nullopt;
      }
      if (ignoresItems(probe, batch)) {
        is_constant_ = true;
        return std::nullopt;
      }
      if (batch != kProbeItems || stated_.batch > 0) {
        probe.items_per_pass = {.min = batch, .max = batch};
        runRest(batch, probe);
      }
      probe.only_size = !is_declared_ && shape.size() == 3 &&
                        (is_stated_ || batch != kProbeItems ||
                         !runsOnLargerImages(module_, deterministic_, probe));
      return probe;
    } catch (const std::exception& exception) {
      if (batch == first_batch_) {
        noteFailure(torchReason(exception));
      }
      return std::nullopt;
    }
  }

  /// The next `batch` items, filled up with copies of the last one.
  static at::Tensor itemsFrom(const at::Tensor& items, std::int64_t begin, std::int64_t batch) {
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < batch; ++i) {
      positions.push_back(std::min(begin + i, items.size(0) - 1));
    }
    return items.index_select(0, at::tensor(positions, at::kLong));
  }

  /// Whether the rows of the first `batch` items are the same for other items.
  [[nodiscard]] bool ignoresItems(const Probe& probe, std::int64_t batch) const {
    if (dependsOnInput(*deterministic_.graph(), deterministic_.graph()->outputs().at(0))) {
      return false;
    }
    // What is written into a view is not followed there.
    const at::Tensor others = itemsFrom(probe.inputs.flip(0) + 1.0, 0, batch);
    const std::vector<ReturnedTensor> of_others =
        returnedTensors(deterministic_.run(deterministicInputs(module_, others)).at(0));
    return of_others.size() == probe.returned.size() &&
           at::equal(of_others[probe.used].value, probe.rows);
  }

  void noteRefusal(const Error& error, const Probe& probe, std::int64_t batch) {
    if (batch != first_batch_) {
      return;
    }
    // Another number of rows than of items: perhaps that of the example of a trace.
    may_be_fixed_ =
        may_be_fixed_ || std::ranges::any_of(probe.returned, [batch](const ReturnedTensor& tensor) {
          return tensor.value.dim() > 0 && tensor.value.size(0) != batch;
        });
    is_constant_ = is_constant_ || (probe.rows.defined() && probe.rows.is_floating_point() &&
                                    ignoresItems(probe, batch));
    if (!refused_) {
      refused_ = error;
    }
  }

  void noteFailure(const std::string& reason) {
    may_be_fixed_ = may_be_fixed_ || isAboutSizes(reason);
    // Of several sizes all but one are wrong: a reason that is not about sizes tells more.
    if (reason_.empty() || (isAboutSizes(reason_) && !isAboutSizes(reason))) {
      reason_ = reason;
    }
  }

  /// Runs the items after the first `batch` and completes the tensors of the probe.
  void runRest(std::int64_t batch, Probe& probe) {
    std::vector<std::vector<at::Tensor>> values(probe.returned.size());
    const auto add = [&](std::vector<ReturnedTensor>& returned, std::int64_t begin) {
      const std::int64_t items = std::min(batch, kProbeItems - begin);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const at::Tensor& value = returned.at(i).value;
        const bool has_items = value.dim() > 0 && value.size(0) == batch;
        values[i].push_back(has_items ? value.slice(0, 0, items) : value);
      }
    };
    add(probe.returned, 0);
    for (std::int64_t begin = batch; begin < kProbeItems; begin += batch) {
      std::vector<ReturnedTensor> returned = returnedTensors(
          deterministic_.run(deterministicInputs(module_, itemsFrom(probe.inputs, begin, batch)))
              .at(0));
      add(returned, begin);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].front().dim() > 0) {
        probe.returned[i].value = at::cat(values[i]);
      }
    }
    probe.rows = probe.returned[probe.used].value;
  }

  /// Why no item fits the first layer; empty if some may.
  [[nodiscard]] std::string unsupportedFirstLayer() const {
    const at::Tensor weight = firstLayerWeight(module_, *deterministic_.graph());
    if (!weight.defined() || (weight.dim() != 3 && weight.dim() != 5)) {
      return {};
    }
    return weight.dim() == 5
               ? "its first layer takes volumes or videos (a 3-d convolution), which are not "
                 "supported: items are images or vectors; wrap it in a module that makes one of "
                 "them, for example by x.unsqueeze(2)"
               : "its first layer takes signals (a 1-d convolution): items are images or vectors; "
                 "wrap it in a module that takes vectors and calls it with x.unsqueeze(1)";
  }

  [[nodiscard]] std::string whyItFails(const Shape& first) const {
    constexpr const char* kSizes =
        "\"input_size\": [height, width] and \"channels\" for images, or \"input_size\": [length] "
        "for vectors";
    const std::string of_sizes =
        is_declared_
            ? fmt::format("correct its input size in the metadata ({}), or, if that is right: {}",
                          kSizes, formatOf(path_).how_to_free_batch)
            : fmt::format("write its input size into the metadata: {}", kSizes);
    const std::string otherwise =
        fmt::format("find the cause in Python with {}(torch.rand({}, {}))",
                    formatOf(path_).python_call, first_batch_, fmt::join(first, ", "));
    return fmt::format("{}: the network does not run on a batch of {} items of {} ({}); {}", path_,
                       first_batch_, tried_, reason_, remedyOfPass(reason_, of_sizes, otherwise));
  }

  const torch::jit::Module& module_;
  GraphRunner& deterministic_;
  const ModelMetadata& metadata_;
  const StatedInput& stated_;
  const std::int64_t first_batch_;  ///< number of items to try first
  const std::string& path_;
  bool is_declared_ = false;  ///< the metadata has the size of an item
  bool is_stated_ = false;    ///< the file has it
  std::string tried_;
  std::string reason_;            ///< why the network does not run
  std::optional<Error> refused_;  ///< of the first size that it runs on
  bool may_be_fixed_ = false;
  bool is_constant_ = false;
};

}  // namespace

std::vector<c10::IValue> deterministicInputs(const torch::jit::Module& module,
                                             const at::Tensor& x) {
  const at::Tensor none = at::zeros({0}, at::kLong);
  // A copy, because results may share its memory.
  return {module._ivalue(), x.clone(), std::int64_t{0}, none, none};
}

Expected<Probe> probeNetwork(const torch::jit::Module& module, GraphRunner& deterministic,
                             const ModelMetadata& metadata, const StatedInput& stated,
                             const std::string& path) {
  return Prober(module, deterministic, metadata, stated, path).probe();
}

at::Tensor comparedProbabilities(const at::Tensor& rows, const Probe& probe, OutputKind output) {
  // The softmax of scores as far from their mean as this is above 3e-4.
  constexpr double kLargest = 4.0;
  if (output != OutputKind::kLogits) {
    return probabilitiesOf(rows, output);
  }
  const at::Tensor scores = probe.rows.detach().to(at::kCPU, at::kDouble);
  const at::Tensor is_finite = at::isfinite(scores);
  const at::Tensor finite = at::where(is_finite, scores, 0.0);
  const at::Tensor mean = finite.sum(1, true) / is_finite.sum(1, true).clamp_min(1);
  const at::Tensor distance = at::where(is_finite, at::abs(scores - mean), 0.0);
  const double largest = distance.numel() > 0 ? distance.max().item().toDouble() : 0.0;
  const at::Tensor wide = rows.detach().to(at::kCPU, at::kDouble);
  return probabilitiesOf(largest > kLargest ? wide * (kLargest / largest) : wide, output);
}

std::int64_t itemsToCompare(const Probe& probe) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 16;
  constexpr std::int64_t kFew = 3;
  return probe.inputs.numel() / kProbeItems > kLarge ? kFew : kProbeItems;
}

}  // namespace dubito
