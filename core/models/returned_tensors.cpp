// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/lower_tuples.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/models/graph_torch.h"
#include "core/models/output_choice.h"
#include "core/models/returned_tensors_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

constexpr std::size_t kMaxListedTensors = 12;

void collect(const c10::IValue& value, const ReturnedTensor& place,
             std::vector<ReturnedTensor>& found);

void collectPart(const c10::IValue& part, const ReturnedTensor& place, OutputStep step,
                 const std::string& name, std::vector<ReturnedTensor>& found) {
  ReturnedTensor inner = place;
  inner.steps.push_back(std::move(step));
  inner.name += (inner.name.empty() ? "" : ".") + name;
  collect(part, inner, found);
}

void collect(const c10::IValue& value, const ReturnedTensor& place,
             std::vector<ReturnedTensor>& found) {
  if (value.isTensor() && value.toTensor().defined()) {
    found.push_back({place.name, place.steps, value.toTensor()});
  } else if (value.isTuple()) {
    const auto& elements = value.toTupleRef().elements();
    const std::shared_ptr<c10::FunctionSchema> fields = value.toTuple()->type()->schema();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      collectPart(elements[i], place, static_cast<std::int64_t>(i),
                  fields ? fields->arguments().at(i).name() : std::to_string(i), found);
    }
  } else if (value.isList()) {
    const c10::ArrayRef<c10::IValue> elements = value.toListRef();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      collectPart(elements[i], place, static_cast<std::int64_t>(i), std::to_string(i), found);
    }
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      if (entry.key().isString()) {
        const std::string key = entry.key().toStringRef();
        collectPart(entry.value(), place, key, key, found);
      } else if (entry.key().isInt()) {
        const std::int64_t key = entry.key().toInt();
        collectPart(entry.value(), place, key, std::to_string(key), found);
      }
    }
  }
}

bool canBeScores(const at::Tensor& tensor, std::int64_t items) {
  return tensor.is_floating_point() && tensor.dim() == 2 && tensor.size(0) == items &&
         tensor.size(1) >= 2;
}

std::optional<std::size_t> named(const std::vector<ReturnedTensor>& tensors,
                                 const std::string& key) {
  const auto same = std::ranges::find(tensors, key, &ReturnedTensor::name);
  if (same != tensors.end()) {
    return static_cast<std::size_t>(same - tensors.begin());
  }
  std::size_t position = 0;
  const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), position);
  const bool is_position =
      error == std::errc() && rest == key.data() + key.size() && position < tensors.size();
  return is_position ? std::optional(position) : std::nullopt;
}

/// `example` is the name of a tensor that could be chosen; absent if none has class scores.
tl::unexpected<Error> refused(const std::string& what, const std::vector<ReturnedTensor>& tensors,
                              std::int64_t items, const std::optional<std::string>& example) {
  const std::string remedy =
      example ? fmt::format(
                    "choose the one with the class scores by its name or position, such as "
                    "{}",
                    inQuotes(*example))
              : "wrap the network in a module that returns one row of class scores per item";
  Error error{.code = ErrorCode::kUnsupported,
              .message = fmt::format("{}: {}; {}", what, describeTensors(tensors, items), remedy)};
  if (example) {
    error.remedy.settings = {metadataSetting("output_key")};
  }
  for (const ReturnedTensor& tensor : tensors) {
    error.remedy.outputs.push_back({tensor.name, outputShapeText(tensor.value.sizes(), items),
                                    canBeScores(tensor.value, items)});
  }
  return tl::unexpected<Error>(std::move(error));
}

Value* withoutOptional(Graph& graph, Value* value) {
  const auto optional = value->type()->cast<c10::OptionalType>();
  if (!optional) {
    return value;
  }
  Node* const cast = graph.insertNode(graph.create(c10::prim::unchecked_cast, {value}));
  cast->output()->setType(optional->getElementType());
  return cast->output();
}

Value* insertAccess(Graph& graph, Value* value, const OutputStep& step) {
  if (const auto tuple = value->type()->cast<c10::TupleType>()) {
    const std::int64_t position = std::get<std::int64_t>(step);
    Value* const index = graph.insertConstant(position);
    return graph
        .insertNode(graph.createTupleIndex(
            value, index, tuple->elements().at(static_cast<std::size_t>(position))))
        ->output();
  }
  Value* const key = std::visit([&graph](const auto& k) { return graph.insertConstant(k); }, step);
  return graph.insert(c10::aten::__getitem__, {value, key});
}

/// Whether `container` is only read, or written at constant keys in its own block.
bool isTransparent(const Value* container) {
  return std::ranges::all_of(container->uses(), [container](const torch::jit::Use& use) {
    const std::string op = opName(use.user);
    const bool known = op == "aten::__getitem__" || op == "aten::_set_item";
    return known && use.offset == 0 &&
           use.user->owningBlock() == container->node()->owningBlock() &&
           torch::jit::toIValue(use.user->input(1)).has_value();
  });
}

/// The value that `getitem` reads, if that is known without running the graph.
Value* valueReadBy(const Node* getitem) {
  Value* const container = getitem->input(0);
  Node* const maker = container->node();
  const auto key = torch::jit::toIValue(getitem->input(1));
  if (!key || !isTransparent(container)) {
    return nullptr;
  }
  if (maker->kind() == c10::prim::ListConstruct && key->isInt()) {
    const auto size = static_cast<std::int64_t>(maker->inputs().size());
    const std::int64_t position = key->toInt() < 0 ? key->toInt() + size : key->toInt();
    const bool is_written = std::ranges::any_of(container->uses(), [](const torch::jit::Use& use) {
      return opName(use.user) == "aten::_set_item";
    });
    return !is_written && position >= 0 && position < size
               ? maker->input(static_cast<std::size_t>(position))
               : nullptr;
  }
  if (maker->kind() != c10::prim::DictConstruct) {
    return nullptr;
  }
  Value* found = nullptr;
  for (std::size_t i = 0; i + 1 < maker->inputs().size(); i += 2) {
    const auto made_with = torch::jit::toIValue(maker->input(i));
    if (!made_with) {
      return nullptr;
    }
    found = *made_with == *key ? maker->input(i + 1) : found;
  }
  // Uses are not in execution order.
  const Node* written_by = nullptr;
  for (const torch::jit::Use& use : container->uses()) {
    const bool writes_key =
        opName(use.user) == "aten::_set_item" && *torch::jit::toIValue(use.user->input(1)) == *key;
    if (writes_key && use.user->isBefore(getitem) &&
        (written_by == nullptr || written_by->isBefore(use.user))) {
      written_by = use.user;
      found = use.user->input(2);
    }
  }
  return found;
}

}  // namespace

std::vector<ReturnedTensor> returnedTensors(const c10::IValue& value) {
  std::vector<ReturnedTensor> found;
  collect(value, {}, found);
  return found;
}

std::string describeTensors(const std::vector<ReturnedTensor>& tensors, std::int64_t items) {
  std::string text;
  for (std::size_t i = 0; i < tensors.size() && i < kMaxListedTensors; ++i) {
    const at::Tensor& value = tensors[i].value;
    text += (i == 0 ? "" : ", ") +
            describeOption(i, {tensors[i].name, outputShapeText(value.sizes(), items)});
  }
  return tensors.size() > kMaxListedTensors
             ? fmt::format("{} and {} more", text, tensors.size() - kMaxListedTensors)
             : text;
}

Expected<std::size_t> chooseOutput(const std::vector<ReturnedTensor>& tensors,
                                   const ModelMetadata& metadata, std::int64_t items) {
  if (tensors.empty()) {
    return fail(ErrorCode::kUnsupported,
                "its forward returns no tensor for a batch of synthetic items; wrap it in a module "
                "that returns the class scores and script that");
  }
  const bool returns_tensor = tensors.size() == 1 && tensors[0].steps.empty();
  if (!metadata.output_key.empty()) {
    if (const auto position = named(tensors, metadata.output_key)) {
      return *position;
    }
    if (returns_tensor) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("it returns a single tensor, not one called {}; choose none",
                              inQuotes(metadata.output_key)),
                  {metadataSetting("output_key")});
    }
    return refused(
        fmt::format("its forward returns no tensor called {}", inQuotes(metadata.output_key)),
        tensors, items, tensors[0].name);
  }
  if (tensors.size() == 1) {
    return std::size_t{0};
  }
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (canBeScores(tensors[i].value, items)) {
      possible.push_back(i);
    }
  }
  const auto fits_names = [&](std::size_t i) {
    return tensors[i].value.size(1) == static_cast<std::int64_t>(metadata.class_names.size());
  };
  if (std::ranges::count_if(possible, fits_names) == 1) {
    return *std::ranges::find_if(possible, fits_names);
  }
  if (possible.size() == 1) {
    return possible[0];
  }
  return refused(fmt::format("its forward returns {} tensors, of which {} can be class scores "
                             "[N, classes]",
                             tensors.size(), possible.empty() ? "none" : "several"),
                 tensors, items,
                 possible.empty() ? std::nullopt : std::optional(tensors[possible[0]].name));
}

void returnOnly(Graph& graph, const std::vector<OutputStep>& steps) {
  const WithInsertPoint at_end(graph.return_node());
  Value* value = withoutOptional(graph, graph.outputs().at(0));
  for (const OutputStep& step : steps) {
    value = withoutOptional(graph, insertAccess(graph, value, step));
  }
  graph.eraseOutput(0);
  graph.registerOutput(value);
}

void bypassContainers(const std::shared_ptr<Graph>& graph) {
  torch::jit::LowerSimpleTuples(graph);
  forEachNode(graph->block(), [](Node* node) {
    if (opName(node) != "aten::__getitem__") {
      return;
    }
    Value* const read = valueReadBy(node);
    if (read != nullptr && read->type()->isSubtypeOf(*node->output()->type())) {
      node->output()->replaceAllUsesWith(read);
    }
  });
  torch::jit::EliminateDeadCode(graph);
}

}  // namespace dubito
