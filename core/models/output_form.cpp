// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/base/in_quotes.h"
#include "core/models/graph_torch.h"
#include "core/models/output_form_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

constexpr int kMaxOutputTailLength = 64;
constexpr std::int64_t kMaxListed = 10;

/// Operators that change the shape or type of a tensor but not its numbers.
bool preservesNumbers(const std::string& op) {
  static constexpr std::array<const char*, 17> kPreserving = {
      "aten::squeeze", "aten::unsqueeze",     "aten::view",    "aten::reshape",    "aten::flatten",
      "aten::to",      "aten::float",         "aten::detach",  "aten::clone",      "aten::alias",
      "aten::double",  "aten::permute",       "aten::type_as", "aten::contiguous", "aten::select",
      "aten::slice",   "prim::unchecked_cast"};
  return std::ranges::any_of(kPreserving, [&op](const char* name) { return op == name; });
}

Node* lastNode(Graph& graph) {
  Node* node = graph.outputs().at(0)->node();
  for (int step = 0; step < kMaxOutputTailLength && preservesNumbers(opName(node)); ++step) {
    node = node->input(0)->node();
  }
  return node;
}

/// The operator that computes the output, behind reshapes and conversions: "aten::sigmoid".
std::string lastOperator(Graph& graph) {
  return opName(lastNode(graph));
}

bool isSigmoid(const std::string& op) {
  return op == "aten::sigmoid" || op == "aten::sigmoid_" || op == "aten::hardsigmoid" ||
         op == "aten::hardsigmoid_";
}

/// The range of operators whose results are unusual for logits; empty for others.
std::string rangeOf(const std::string& op) {
  if (op == "aten::relu" || op == "aten::relu_" || op == "aten::softplus" || op == "aten::exp" ||
      op == "aten::abs" || op == "aten::square" || op == "aten::relu6") {
    return "never negative";
  }
  return op == "aten::tanh" || op == "aten::tanh_" || op == "aten::hardtanh" ? "within [-1, 1]"
                                                                             : "";
}

constexpr double kPercent = 100.0;

/// Whether the rows are distributions times `total`.
bool sumTo(const at::Tensor& rows, double total) {
  return (rows >= 0.0).all().item().toBool() &&
         (at::abs(rows.sum(1) / total - 1.0) <= 1e-3).all().item().toBool();
}

bool areFractions(const at::Tensor& rows) {
  return (rows >= 0.0).all().item().toBool() && (rows <= 1.0).all().item().toBool();
}

/// Adds class 0: 1 - p next to p, or 0 next to z, of class 1.
void returnTwoColumns(Graph& graph, OutputKind kind) {
  const WithInsertPoint at_end(graph.return_node());
  Value* const column =
      graph.insert(c10::aten::reshape, {graph.outputs().at(0), std::vector<std::int64_t>{-1, 1}});
  Value* const other = kind == OutputKind::kLogits ? graph.insert(c10::aten::zeros_like, {column})
                                                   : graph.insert(c10::aten::rsub, {column, 1.0});
  Value* const both =
      graph.insertNode(graph.createList(c10::TensorType::get(), {other, column}))->output();
  Value* const rows = graph.insert(c10::aten::cat, {both, 1});
  graph.eraseOutput(0);
  graph.registerOutput(rows);
}

void dividePercent(Graph& graph) {
  const WithInsertPoint at_end(graph.return_node());
  Value* const rows = graph.insert(c10::aten::div, {graph.outputs().at(0), kPercent});
  graph.eraseOutput(0);
  graph.registerOutput(rows);
}

/// Replaces a final sigmoid by its input z: 1 - p then keeps its precision however close p is to 1.
bool removeSigmoid(Graph& graph) {
  Node* const node = lastNode(graph);
  const std::string op = opName(node);
  if ((op != "aten::sigmoid" && op != "aten::sigmoid_") || node->owningBlock() != graph.block() ||
      node->output()->uses().size() != 1) {
    return false;
  }
  node->output()->replaceAllUsesWith(node->input(0));
  node->destroy();
  return true;
}

std::string classText(const ModelMetadata& metadata, std::size_t number) {
  return number < metadata.class_names.size()
             ? fmt::format("class {} ({})", number, inQuotes(metadata.class_names[number]))
             : fmt::format("class {}", number);
}

Expected<OutputForm> twoClasses(Graph& graph, const at::Tensor& rows, const ModelMetadata& metadata,
                                const std::string& path) {
  const bool sigmoid = isSigmoid(lastOperator(graph));
  const bool fractions = areFractions(rows);
  const bool declared_logits = metadata.output_declared && metadata.output == OutputKind::kLogits;
  const bool names_two = metadata.class_names.size() == 2;
  if (!metadata.output_declared && !sigmoid && (!names_two || fractions)) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: the network returns one number per item, like a regression network, which "
                    "is not supported; if it distinguishes two classes, write \"output\": "
                    "\"probabilities\" (the number is the probability of class 1) or \"output\": "
                    "\"logits\" (its log-odds) into the model's metadata",
                    path));
  }
  if (metadata.output_declared && !declared_logits && !fractions) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format(
            "{}: its metadata ({}) calls the output probabilities, but the network returned {:.4g} "
            "to {:.4g} for synthetic items; write \"output\": \"logits\" if these are log-odds",
            path, metadata.source, rows.min().item().toDouble(), rows.max().item().toDouble()));
  }
  OutputForm form;
  form.one_output = true;
  const bool is_logit = declared_logits || (!metadata.output_declared && !sigmoid);
  if (is_logit && sigmoid) {
    form.notes.emplace_back(
        "The metadata calls the output logits, but the network ends in a sigmoid; its values are "
        "taken as log-odds");
  }
  const bool removed = !is_logit && removeSigmoid(graph);
  form.kind = is_logit || removed ? OutputKind::kLogits : OutputKind::kProbabilities;
  returnTwoColumns(graph, form.kind);
  form.notes.push_back(
      is_logit ? fmt::format("The network has one output per item, taken as the log-odds of {} "
                             "against {}",
                             classText(metadata, 1), classText(metadata, 0))
               : fmt::format("The network has one output per item, taken as the probability of {}; "
                             "the rest is that of {}",
                             classText(metadata, 1), classText(metadata, 0)));
  return form;
}

std::string refusalOfSigmoid(const at::Tensor& rows, bool declared) {
  const at::Tensor sums = rows.sum(1);
  return fmt::format(
      "the network ends in a sigmoid, and the {} outputs of an item sum to {:.3g} to {:.3g}: "
      "independent yes/no outputs (multi-label) are not supported{}; if exactly one class is "
      "correct, export the network without the sigmoid, or write \"output\": \"logits\" into the "
      "model's metadata to apply a softmax to its outputs anyway",
      rows.size(1), sums.min().item().toDouble(), sums.max().item().toDouble(),
      declared ? " and are not class probabilities" : "");
}

/// Reasons to suspect that undeclared rows are not logits; empty if there are none.
std::vector<std::string> suspicions(const at::Tensor& rows, const std::string& last_op,
                                    const ModelMetadata& metadata) {
  constexpr const char* kConfirm =
      "a softmax is applied as to logits; \"output\": \"logits\" in the model's metadata confirms "
      "it";
  std::vector<std::string> notes;
  if (areFractions(rows)) {
    const at::Tensor sums = rows.sum(1);
    notes.push_back(
        fmt::format("The outputs of a probe batch are in [0, 1] but sum to {:.3g} to {:.3g}, like "
                    "those of a multi-label network: {}",
                    sums.min().item().toDouble(), sums.max().item().toDouble(), kConfirm));
  } else if (const std::string range = rangeOf(last_op); !range.empty()) {
    notes.push_back(fmt::format(
        "The network ends in {}, so its outputs are {}, as in some regression networks: {}",
        last_op, range, kConfirm));
  } else if (rows.size(1) == 2 && metadata.class_names.empty()) {
    notes.push_back(fmt::format(
        "The two outputs have neither class names nor a declared meaning; a regression network "
        "(mean and variance) looks the same: {}",
        kConfirm));
  }
  return notes;
}

/// Note on masked classes, whose logits are minus infinity in the probe.
std::string maskedClasses(const at::Tensor& rows, const ModelMetadata& metadata) {
  const at::Tensor masked = at::nonzero(at::isneginf(rows).any(0)).flatten();
  if (masked.numel() == 0) {
    return {};
  }
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < std::min(masked.numel(), kMaxListed); ++i) {
    const std::int64_t k = masked[i].item().toLong();
    names.push_back(static_cast<std::size_t>(k) < metadata.class_names.size()
                        ? inQuotes(metadata.class_names[static_cast<std::size_t>(k)])
                        : std::to_string(k));
  }
  return fmt::format(
      "The network masks classes with logits of minus infinity, which have probability 0 "
      "(in a probe batch {} of {}: {}{}); laplace and vector scaling are not available for it",
      masked.numel(), rows.size(1), fmt::join(names, ", "),
      masked.numel() > kMaxListed ? ", ..." : "");
}

}  // namespace

bool areDistributions(const at::Tensor& rows) {
  return sumTo(rows, 1.0);
}

Expected<OutputForm> determineOutputForm(Graph& prepared, const Probe& probe,
                                         const ModelMetadata& metadata, const std::string& path) {
  const at::Tensor rows = probe.rows.to(at::kDouble);
  if (rows.dim() == 1 || rows.size(1) == 1) {
    return twoClasses(prepared, rows, metadata, path);
  }
  const std::string last_op = lastOperator(prepared);
  const bool distributions = areDistributions(rows);
  OutputForm form;
  const bool declared_logits = metadata.output_declared && metadata.output == OutputKind::kLogits;
  if (sumTo(rows, kPercent) && !declared_logits) {
    dividePercent(prepared);
    form.kind = OutputKind::kProbabilities;
    form.was_percent = true;
    form.notes.emplace_back(
        "The outputs are in per cent (those of every probe item sum to 100) and are divided by "
        "100; \"output\": \"logits\" in the model's metadata applies a softmax instead");
    return form;
  }
  form.kind = metadata.output_declared ? metadata.output
              : distributions          ? OutputKind::kProbabilities
                                       : OutputKind::kLogits;
  if (isSigmoid(last_op) && declared_logits) {
    form.notes.emplace_back(
        "The metadata calls the output logits, but the network ends in a sigmoid: a softmax of "
        "values in [0, 1] leaves all classes about equally probable");
  } else if (isSigmoid(last_op) && !distributions) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: {}", path, refusalOfSigmoid(rows, metadata.output_declared)));
  } else if (!metadata.output_declared && !distributions) {
    form.notes = suspicions(rows, last_op, metadata);
  }
  if (form.kind == OutputKind::kLogits) {
    if (std::string masked = maskedClasses(rows, metadata); !masked.empty()) {
      form.notes.push_back(std::move(masked));
    }
  }
  return form;
}

}  // namespace dubito
