// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <set>

#include "core/base/in_quotes.h"
#include "core/models/onnx/attach_weights_torch.h"
#include "core/models/onnx/graph_translation_torch.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/translated_network_torch.h"
#include "core/models/program/program_check_torch.h"

namespace dubito {
namespace {

/// Whether a result can be scores of classes: floating-point numbers with more than one axis.
bool mayBeScores(const OnnxValue& value) {
  const bool is_floating = !value.type || at::isFloatingType(*value.type);
  return value.sequence == nullptr && is_floating && (!value.shape || value.shape->size() > 1);
}

class NetworkTranslation {
 public:
  NetworkTranslation(const OnnxFile& file, const TranslationOptions& options)
      : file_(file),
        options_(options),
        stored_(file),
        program_{.stored = stored_, .source = {}, .weights = {}, .kept = {}, .paths = {}} {}

  TranslatedNetwork translate() {
    GraphTranslation translation(file_, program_);
    OnnxScope scope;
    translation.addInitializers(file_.graph, scope);
    addInputs(scope);
    std::vector<std::string_view> results;
    for (const OnnxValueInfo& output : file_.graph.outputs) {
      results.push_back(output.name);
    }
    translation.translateNodes(file_.graph.nodes, results, file_.opsets, scope);
    const std::vector<std::string> texts = resultTexts(scope);
    TranslatedNetwork network;
    network.source = program_.source.text(texts);
    network.has_sizes_of_batch = program_.has_sizes_of_batch;
    network.is_in_training_mode = program_.is_in_training_mode;
    const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    const auto graph = compileProgram(program_.source, texts, *unit);
    ProgramCheck::checkGraph(*graph);
    network.module = attachWeights(unit, graph, program_.source.inputs().size(),
                                   std::move(program_.source.weights()));
    return network;
  }

 private:
  void addInputs(OnnxScope& scope) {
    for (const OnnxValueInfo& input : inputsOf(file_.graph)) {
      if (!input.is_tensor) {
        refuseUnsupported(
            fmt::format("its input {} is not a tensor; export a network that takes "
                        "tensors",
                        inQuotes(input.name)));
      }
      OnnxValue value;
      value.variable = program_.source.addInput();
      value.type = torchTypeOf(input.type);
      if (input.shape) {
        value.shape.emplace();
        for (const OnnxSize& size : *input.shape) {
          // Old exporters write 0 for a free size.
          value.shape->push_back(options_.has_free_batch && size.size == 0 ? kUnknownSize
                                                                           : size.size);
        }
        if (options_.has_free_batch && !value.shape->empty()) {
          value.shape->front() = kUnknownSize;
        }
      }
      if (options_.takes_channels_last) {
        value.variable = program_.source.assign(value.variable + ".permute([0, 2, 3, 1])");
      }
      scope.add(input.name, std::move(value));
    }
  }

  std::vector<std::string> resultTexts(const OnnxScope& scope) {
    std::vector<OnnxValue> values;
    for (const OnnxValueInfo& output : file_.graph.outputs) {
      const OnnxValue* const value = scope.find(output.name);
      if (value == nullptr) {
        refuseDamaged(fmt::format("no node computes its output {}", inQuotes(output.name)));
      }
      values.push_back(*value);
    }
    if (options_.keeps_scores_only && std::ranges::any_of(values, mayBeScores)) {
      std::erase_if(values, [](const OnnxValue& value) { return !mayBeScores(value); });
    }
    if (values.empty()) {
      refuseDamaged("it has no output");
    }
    if (std::ranges::any_of(values, [](const auto& value) { return value.sequence != nullptr; })) {
      refuseUnsupported(
          "its output is a sequence of tensors, which is not supported; export a network that "
          "returns tensors");
    }
    OnnxNode end;
    end.op = "Identity";
    std::vector<std::string> texts;
    for (const OnnxValue& value : values) {
      NodeTranslation result(end, 1, {&value}, program_);
      texts.push_back(result.tensor(0));
    }
    return texts;
  }

  const OnnxFile& file_;
  const TranslationOptions& options_;
  StoredTensors stored_;
  ProgramInProgress program_;
};

}  // namespace

std::vector<OnnxValueInfo> inputsOf(const OnnxGraph& graph) {
  std::set<std::string_view> weights;
  for (const auto& tensor : graph.initializers) {
    weights.insert(tensor->name);
  }
  std::vector<OnnxValueInfo> inputs;
  std::ranges::copy_if(graph.inputs, std::back_inserter(inputs),
                       [&](const OnnxValueInfo& input) { return !weights.contains(input.name); });
  return inputs;
}

TranslatedNetwork translateNetwork(const OnnxFile& file, const TranslationOptions& options) {
  return NetworkTranslation(file, options).translate();
}

}  // namespace dubito
