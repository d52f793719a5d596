// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_text.h"
#include "core/decisions/temperature.h"
#include "core/inference/predict.h"
#include "core/laplace/link.h"

namespace dubito {

std::vector<Field> McDropoutOptions::fields() {
  return {
      {{.name = "draws",
        .label = "Draws",
        .help = "number of stochastic passes T",
        .min = 1,
        .max = 1e6},
       &draws},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "probability of dropping a unit at every chosen site; by default each site's own",
        .min = 0.0,
        .max = 0.999},
       &drop_rate},
      {{.name = "sites",
        .label = "Sites",
        .help = "numbers of the dropout sites to switch on; by default all",
        .min = 0},
       &sites},
      {{.name = "masks",
        .label = "Masks",
        .help = "a mask for every item, or one mask a draw shared by all items (a function draw)",
        .choices = {"per-item", "shared"},
        .advanced = true},
       &masks},
      {{.name = "insert",
        .label = "Insert site",
        .help = "insert a dropout site before the head",
        .choices = {"auto", "always", "never"},
        .advanced = true},
       &insert},
      {{.name = "insert_rate",
        .label = "Inserted rate",
        .help = "drop rate of an inserted site",
        .min = 0.0,
        .max = 0.999,
        .idle_without = insert == "never" ? "--insert auto or always" : "",
        .advanced = true},
       &insert_rate},
  };
}

Status McDropoutOptions::check() const {
  McDropoutOptions copy = *this;
  return checkFields(copy.fields());
}

std::vector<Field> TemperatureOptions::fields() {
  return {
      {{.name = "temperature",
        .label = "Temperature",
        .help = "divides the logits; by default fitted on the calibration set",
        .min = kSmallestTemperature,
        .max = kLargestTemperature},
       &temperature},
  };
}

Status TemperatureOptions::check() const {
  TemperatureOptions copy = *this;
  return checkFields(copy.fields());
}

std::vector<Field> PredictOptions::fields() {
  return {
      {{.name = "batch",
        .label = "Batch",
        .help = "items per batch",
        .min = 1,
        .max = 1e6,
        .advanced = true},
       &batch},
      {{.name = "keep_samples_mb",
        .label = "Keep samples",
        .help = "draws are stored up to this size, beyond it they are recomputed when asked for",
        .unit = "MB",
        .min = 0,
        .max = 1e7,
        .advanced = true},
       &keep_samples_mb},
  };
}

Status PredictOptions::check() const {
  PredictOptions copy = *this;
  return checkFields(copy.fields());
}

std::string methodName(const MethodOptions& method) {
  return std::visit([](const auto& options) -> std::string { return options.kName; }, method);
}

std::vector<Field> methodFields(MethodOptions& method) {
  return std::visit([](auto& options) { return options.fields(); }, method);
}

Status checkMethod(const MethodOptions& method) {
  return std::visit([](const auto& options) { return options.check(); }, method);
}

MethodOptions settledMethod(MethodOptions method, std::int64_t classes) {
  auto* const laplace = std::get_if<LaplaceOptions>(&method);
  if (laplace != nullptr && !laplace->drawsWeights()) {
    laplace->link = linkFor(laplace->link, classes);
  }
  return method;
}

const MethodFit* fitOf(const MethodOptions& method) {
  return std::visit(
      [](const auto& options) -> const MethodFit* {
        if constexpr (requires { options.fit; }) {
          return options.fit.get();
        } else {
          return nullptr;
        }
      },
      method);
}

std::string methodJson(const MethodOptions& method) {
  MethodOptions copy = method;
  nlohmann::json object = fieldsToJson(methodFields(copy));
  if (const MethodFit* const fit = fitOf(method)) {
    object["fitted"] = nlohmann::json::parse(fit->json);
  }
  return jsonText(object, -1);
}

const std::vector<MethodDescription>& allMethods() {
  static const std::vector<MethodDescription> methods = {
      {MapOptions::kName, "MAP softmax",
       "One deterministic pass; the softmax of the trained network", MapOptions{}},
      {McDropoutOptions::kName, "MC dropout",
       "Many passes with dropout on; their spread shows what the network does not know",
       McDropoutOptions{}},
      {TemperatureOptions::kName,
       "Temperature scaling",
       "One pass whose confidences are set right by a number fitted on a calibration set",
       TemperatureOptions{},
       {.calibration = true}},
      {VectorScalingOptions::kName,
       "Vector scaling",
       "One pass whose logits are scaled and shifted class by class, fitted on a calibration set",
       VectorScalingOptions{},
       {.calibration = true}},
      {LaplaceOptions::kName,
       "Laplace",
       "A Gaussian over the weights of the last layer or of all, fitted on the training items; "
       "wide "
       "where they say little",
       LaplaceOptions{},
       {.fit = true, .calibration = true, .posterior = true}},
  };
  return methods;
}

const MethodDescription& describe(const MethodOptions& method) {
  for (const MethodDescription& description : allMethods()) {
    if (description.name == methodName(method)) {
      return description;
    }
  }
  throw std::logic_error("describe: allMethods() lacks " + methodName(method));
}

MethodNeeds needsOf(const MethodOptions& method) {
  const auto* const temperature = std::get_if<TemperatureOptions>(&method);
  if (temperature != nullptr && temperature->temperature) {
    return {};
  }
  MethodNeeds needs = describe(method).needs;
  if (const auto* const laplace = std::get_if<LaplaceOptions>(&method)) {
    // Without it mmc-drop takes the fitted items.
    needs.calibration = laplace->check() && laplace->priorRule().kind == PriorRule::Kind::kNll;
  }
  return needs;
}

MethodNeeds usedBy(const MethodOptions& method) {
  MethodNeeds used = describe(method).needs;
  if (const auto* const laplace = std::get_if<LaplaceOptions>(&method)) {
    const PriorRule::Kind kind = laplace->priorRule().kind;
    used.calibration = kind == PriorRule::Kind::kNll || kind == PriorRule::Kind::kMmcDrop;
  }
  return used;
}

std::int64_t drawsOf(const MethodOptions& method) {
  if (const auto* const laplace = std::get_if<LaplaceOptions>(&method)) {
    return laplace->drawsWeights() ? laplace->weight_draws : 0;
  }
  const auto* const dropout = std::get_if<McDropoutOptions>(&method);
  return dropout == nullptr ? 0 : dropout->draws;
}

Expected<MethodOptions> methodFromName(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodDescription& method : allMethods()) {
    if (method.name == name) {
      return method.defaults;
    }
    names.push_back(method.name);
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("method '{}' is not known; use one of {}", name, fmt::join(names, ", ")));
}

}  // namespace dubito
