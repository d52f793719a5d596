// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/inference/predict.h"

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
        .choices = {"per-item", "shared"}},
       &masks},
      {{.name = "insert",
        .label = "Insert site",
        .help = "insert a dropout site before the head",
        .choices = {"auto", "always", "never"}},
       &insert},
      {{.name = "insert_rate",
        .label = "Inserted rate",
        .help = "drop rate of an inserted site",
        .min = 0.0,
        .max = 0.999},
       &insert_rate},
  };
}

Status McDropoutOptions::check() const {
  McDropoutOptions copy = *this;
  return checkFields(copy.fields());
}

std::vector<Field> PredictOptions::fields() {
  return {
      {{.name = "batch", .label = "Batch", .help = "items a batch", .min = 1, .max = 1e6}, &batch},
      {{.name = "keep_samples_mb",
        .label = "Keep samples",
        .help = "draws are stored up to this size, beyond it they are recomputed when asked for",
        .unit = "MB",
        .min = 0,
        .max = 1e7},
       &keep_samples_mb},
  };
}

Status PredictOptions::check() const {
  PredictOptions copy = *this;
  return checkFields(copy.fields());
}

std::string methodName(const MethodOptions& method) {
  return std::holds_alternative<MapOptions>(method) ? "map" : "mc-dropout";
}

std::vector<Field> methodFields(MethodOptions& method) {
  return std::visit([](auto& options) { return options.fields(); }, method);
}

Status checkMethod(const MethodOptions& method) {
  return std::visit([](const auto& options) { return options.check(); }, method);
}

const std::vector<MethodDescription>& allMethods() {
  static const std::vector<MethodDescription> methods = {
      {"map", "MAP softmax", "One deterministic pass; the softmax of the trained network",
       MapOptions{}},
      {"mc-dropout", "MC dropout",
       "Many passes with dropout on; their spread shows what the network does not know",
       McDropoutOptions{}},
  };
  return methods;
}

Expected<MethodOptions> methodFromName(const std::string& name) {
  for (const MethodDescription& method : allMethods()) {
    if (method.name == name) {
      return method.defaults;
    }
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("method '{}' is not known; use map or mc-dropout", name));
}

}  // namespace dubito
