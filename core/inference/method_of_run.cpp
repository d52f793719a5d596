// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/method_of_run.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/json_text.h"
#include "core/laplace/posterior_file.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

using nlohmann::json;

/// Finite; NaN for what is no such number.
double numberOf(const json& fitted, const char* key) {
  const json value = fitted.value(key, json());
  const double number = value.is_number() ? value.get<double>() : NAN;
  return std::isfinite(number) ? number : NAN;
}

std::optional<std::vector<double>> numbersOf(const json& fitted, const char* key) {
  const auto found = fitted.find(key);
  if (found == fitted.end() || !found->is_array() ||
      !std::ranges::all_of(*found, [](const json& value) { return value.is_number(); })) {
    return std::nullopt;
  }
  return found->get<std::vector<double>>();
}

/// Puts what `fitted` tells into the options of a method, beside its fields; false where that is
/// not all it takes.
struct Restore {
  const RunMeta& meta;
  const json& fitted;  ///< null where the run has none
  const std::string& posterior_path;

  [[nodiscard]] MethodFitPtr fit(std::vector<std::string> notes = {}) const {
    return std::make_shared<const MethodFit>(MethodFit{jsonText(fitted, -1), std::move(notes)});
  }

  bool operator()(MapOptions& /*method*/) const { return fitted.is_null(); }
  bool operator()(McDropoutOptions& /*method*/) const { return fitted.is_null(); }
  bool operator()(TemperatureOptions& method) const {
    if (fitted.is_object()) {
      method.fit = fit();
    }
    return method.temperature.has_value();
  }
  bool operator()(VectorScalingOptions& method) const {
    const auto weight = numbersOf(fitted, "weight");
    const auto bias = numbersOf(fitted, "bias");
    if (!weight || !bias) {
      return false;
    }
    method.scaling = {*weight, *bias};
    method.fit = fit();
    return true;
  }
  bool operator()(LaplaceOptions& method) const {
    if (posterior_path.empty() || !fitted.is_object()) {
      return false;
    }
    const LaplaceScale scale{numberOf(fitted, "n"), numberOf(fitted, "tau")};
    if (!(scale.n >= 0.0) || !(scale.tau > 0.0)) {
      return false;
    }
    const json items = fitted.value("fit_hash", json());
    PosteriorOrigin wanted;
    wanted.network_hash = meta.network_hash;
    wanted.preprocessing = meta.preprocessing;
    wanted.dataset_hash = items.is_string() ? items.get<std::string>() : "";
    auto saved = readPosterior(posterior_path);
    // Without a hash it could be of any items.
    if (!saved || wanted.dataset_hash.empty() ||
        !checkOrigin(posterior_path, saved->origin, wanted) ||
        !checkSettings(posterior_path, saved->posterior, method)) {
      return false;
    }
    method.fit = fit(saved->origin.notes);
    method.fitted = std::make_shared<const FittedLaplace>(
        FittedLaplace{std::move(saved->posterior), scale, std::move(saved->origin)});
    return true;
  }
};

}  // namespace

bool isRunOf(const RunMeta& meta, const Model& model) {
  return !meta.network_hash.empty() &&
         meta.preprocessing == model.metadata().preprocessing.describe() &&
         meta.network_hash == networkHash(model);
}

std::optional<MethodOptions> methodOfRun(const RunMeta& meta, const Model& model,
                                         const std::string& posterior_path) {
  Expected<MethodOptions> method = methodFromName(meta.method);
  json options = json::parse(meta.method_options, nullptr, false);
  if (!method || !options.is_object() || !isRunOf(meta, model)) {
    return std::nullopt;
  }
  const json fitted = options.value("fitted", json());
  options.erase("fitted");
  if (options.value("predictive", json()) == "sampled") {
    options.erase("link");  // it has none, whatever the default was when the run was made
  }
  if (!fieldsFromJson(options, methodFields(*method)) || !checkMethod(*method) ||
      !std::visit(Restore{meta, fitted, posterior_path}, *method)) {
    return std::nullopt;
  }
  return *method;
}

}  // namespace dubito
