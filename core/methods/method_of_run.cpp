// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/method_of_run.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "core/methods/saved_fit.h"
#include "core/models/network_hash.h"

namespace dubito {
bool isRunOf(const RunMeta& meta, const Model& model) {
  return !meta.network_hash.empty() &&
         meta.preprocessing == model.metadata().preprocessing.describe() &&
         meta.network_hash == networkHash(model);
}

std::optional<MethodOptions> methodOfRun(const RunMeta& meta, const Model& model,
                                         const std::string& posterior_path) {
  Expected<MethodOptions> method = methodFromName(meta.method);
  nlohmann::json options = nlohmann::json::parse(meta.method_options, nullptr, false);
  if (!method || !options.is_object() || !isRunOf(meta, model)) {
    return std::nullopt;
  }
  const nlohmann::json fitted = options.value("fitted", nlohmann::json());
  options.erase("fitted");
  if (options.value("predictive", nlohmann::json()) == "sampled") {
    options.erase("link");  // sampled runs have no link, whatever the default was
  }
  const SavedFit saved{meta, fitted, posterior_path};
  const auto restore = [&]<class M>(M& chosen) { return MethodTraits<M>::restore(chosen, saved); };
  if (!fieldsFromJson(options, methodFields(*method)) || !checkMethod(*method) ||
      !std::visit(restore, *method)) {
    return std::nullopt;
  }
  return *method;
}

}  // namespace dubito
