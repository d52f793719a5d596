// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/rotation/rotation_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/kernels/predictive_summary.h"
#include "core/network/network_outputs.h"

namespace dubito {
namespace {

/// The `count` classes with the largest mean probability anywhere along the path, and all that are
/// the most likely one at some step: a curve that wins must not be missing.
std::vector<std::int64_t> likeliestClasses(const Array<double>& mean_probs, std::int64_t count) {
  const std::int64_t classes = mean_probs.extent(1);
  std::vector<double> largest(static_cast<std::size_t>(classes), 0.0);
  std::vector<bool> wins(static_cast<std::size_t>(classes), false);
  for (std::int64_t step = 0; step < mean_probs.extent(0); ++step) {
    const auto probs = mean_probs.row(step);
    wins[static_cast<std::size_t>(std::ranges::max_element(probs) - probs.begin())] = true;
    for (std::int64_t k = 0; k < classes; ++k) {
      double& value = largest[static_cast<std::size_t>(k)];
      value = std::max(value, probs[static_cast<std::size_t>(k)]);
    }
  }
  std::vector<std::int64_t> order(largest.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::int64_t k) { return largest[static_cast<std::size_t>(k)]; });
  std::vector<std::int64_t> shown;
  for (const std::int64_t k : order) {
    if (std::ssize(shown) < count || wins[static_cast<std::size_t>(k)]) {
      shown.push_back(k);
    }
  }
  return shown;
}

Status checkClasses(const RotationOptions& options, std::int64_t classes) {
  for (const std::int64_t k : options.classes) {
    if (k >= classes) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the model has no class {}; give numbers from 0 to {}", k, classes - 1),
          {setting("classes")});
    }
  }
  return {};
}

std::vector<std::string> namesOfClasses(const Model& model, const Dataset& dataset) {
  const std::vector<std::string>& names = model.metadata().class_names.empty()
                                              ? dataset.info().class_names
                                              : model.metadata().class_names;
  std::vector<std::string> result;
  for (std::int64_t k = 0; k < model.audit().classes; ++k) {
    const auto index = static_cast<std::size_t>(k);
    result.push_back(index < names.size() ? names[index] : std::to_string(k));
  }
  return result;
}

/// Fills inputs, outputs and summary of the softmax.
void applySoftmax(RotationResult& result, NetworkOutputs outputs, const RunContext& context) {
  result.has_logits = outputs.are_logits;
  if (outputs.are_logits) {
    result.inputs = std::move(outputs.rows);
    result.summary = summariseLogits(result.inputs, context, &result.outputs);
    return;
  }
  result.outputs = std::move(outputs.rows);
  result.summary = summariseProbs(result.outputs, context);
  std::vector<float> logs;
  for (const float p : result.outputs.values()) {
    logs.push_back(std::log(std::max(p, FLT_MIN)));
  }
  result.inputs = Array<float>::fromVector(result.outputs.shape(), std::move(logs));
}

std::vector<std::string> corruptionNames() {
  std::vector<std::string> names;
  for (const CorruptionKind kind : allCorruptions()) {
    names.push_back(toString(kind));
  }
  return names;
}

}  // namespace

bool drawsFrom(const Model& model, const RotationOptions& options) {
  if (options.method == "auto") {
    return std::ranges::any_of(model.audit().dropout_sites, [&](const DropoutSite& site) {
      return site.refused.empty() && site.off.empty() &&
             (site.is_noise || options.drop_rate.value_or(site.drop_rate) > 0.0);
    });
  }
  return options.method == "mc-dropout";
}

Expected<RotationResult> followItem(const Model& model, const Dataset& dataset, std::int64_t index,
                                    const RotationOptions& options, RunContext& context) {
  for (const Status& checked : {options.check(), checkClasses(options, model.audit().classes)}) {
    if (!checked) {
      return failWith(checked);
    }
  }
  auto path = makeRotationPath(dataset, index, model.metadata().preprocessing, options);
  if (!path) {
    return failWith(path);
  }
  McDropoutOptions dropout;
  dropout.draws = options.draws;
  dropout.drop_rate = options.drop_rate;
  const bool draws = drawsFrom(model, options);
  const std::int64_t id = dataset.ids()[static_cast<std::size_t>(index)];
  auto outputs = networkOutputs(model, path->inputs, id, draws ? &dropout : nullptr, context);
  if (!outputs) {
    return failWith(outputs);
  }
  RotationResult result;
  result.path = *std::move(path);
  result.method = draws ? "mc-dropout" : "map";
  result.item = index;
  result.item_name = dataset.itemName(index);
  result.label = dataset.labels()[static_cast<std::size_t>(index)];
  result.class_names = namesOfClasses(model, dataset);
  applySoftmax(result, *std::move(outputs), context);
  if (context.cancelRequested()) {
    return cancelled();
  }
  for (std::int64_t step = 0; step < result.steps(); ++step) {
    if (!std::isfinite(result.summary.entropy.data()[step])) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: its output at step {} of the path is not finite; choose another "
                              "item or a shorter path",
                              model.path(), step + 1));
    }
  }
  result.classes = options.classes.empty()
                       ? likeliestClasses(result.summary.mean_probs, options.likeliest)
                       : options.classes;
  return result;
}

std::vector<Field> RotationOptions::fields() {
  const Requirement without_corruption = allUnless(!isWalk(), {omitted("to")});
  const Requirement without_dropout =
      allUnless(method != "map", {setting("method", "other than map")});
  return {
      field(&corruption, "corruption", "Change", "what changes along the path",
            {.choices = corruptionNames(), .unmet_requirement = without_corruption}),
      field(&to, "to", "To item",
            "number of another item, to which the path leads instead, linearly in the pixels",
            {.min = 0, .max = 1e15}),
      field(&end, "end", "Ends at",
            "end of the path: degrees for the rotation (180), else severity (5)",
            {.min = 0.0, .max = 360.0, .unmet_requirement = without_corruption}),
      field(&steps, "steps", "Steps", "inputs along the path, both ends included",
            {.min = 2, .max = 73}),
      field(&draws, "draws", "T (draws)", "passes with dropout at each step",
            {.min = 1, .max = 1000, .unmet_requirement = without_dropout}),
      field(&likeliest, "likeliest", "Classes",
            "number of classes to show at least: the likeliest along the path, and all that are "
            "predicted anywhere on it",
            {.min = 1,
             .max = 8,
             .unmet_requirement = allUnless(classes.empty(), {omitted("classes")})}),
      field(&classes, "classes", "These classes",
            "numbers of the classes to show, in place of the likeliest",
            {.min = 0, .max = 1e9, .advanced = true}),
      field(&method, "method", "Method",
            "auto: MC dropout if the model has dropout, else one pass without",
            {.choices = {"auto", "mc-dropout", "map"}, .advanced = true}),
      field(&drop_rate, "drop_rate", "Drop rate",
            "drop rate of all sites; by default each site's own",
            {.min = 0.0, .max = 0.99, .unmet_requirement = without_dropout, .advanced = true})};
}

Status RotationOptions::check() const {
  if (Status checked = checkFieldsOf(*this); !checked) {
    return checked;
  }
  if (!isWalk() && end && kind() != CorruptionKind::kRotation && *end > Corruption::kMaxSeverity) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the path ends at {}, above the largest severity of {}; use at most {}",
                            *end, corruption, Corruption::kMaxSeverity),
                {setting("end")});
  }
  if (end == 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                "the path ends at 0 and has no length; use a number above 0", {setting("end")});
  }
  return {};
}

CorruptionKind RotationOptions::kind() const {
  for (const CorruptionKind one : allCorruptions()) {
    if (!isWalk() && toString(one) == corruption) {
      return one;
    }
  }
  throw std::logic_error("RotationOptions: no corruption");
}

}  // namespace dubito
