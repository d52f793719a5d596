// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/method_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"

namespace dubito {
namespace {

template <class Options>
MethodDescription descriptionOf() {
  using Traits = MethodTraits<Options>;
  return {Options::kName, Traits::kLabel, Traits::kSummary, Options{}, Traits::kNeeds};
}

template <std::size_t... I>
std::vector<MethodDescription> descriptions(std::index_sequence<I...> /*alternatives*/) {
  return {descriptionOf<std::variant_alternative_t<I, MethodOptions>>()...};
}

}  // namespace

std::string methodName(const MethodOptions& method) {
  return std::visit([](const auto& options) -> std::string { return options.kName; }, method);
}

std::vector<Field> methodFields(MethodOptions& method) {
  return std::visit([](auto& options) { return options.fields(); }, method);
}

Status checkMethod(const MethodOptions& method) {
  return std::visit([](const auto& options) { return options.check(); }, method);
}

MethodOptions resolveMethod(const MethodOptions& method, std::int64_t classes) {
  return std::visit(
      [&]<class M>(const M& chosen) -> MethodOptions {
        return MethodTraits<M>::resolved(chosen, classes);
      },
      method);
}

const MethodFit* fitOf(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::fit(chosen); }, method);
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
  static const std::vector<MethodDescription> methods =
      descriptions(std::make_index_sequence<std::variant_size_v<MethodOptions>>());
  return methods;
}

const MethodDescription& describe(const MethodOptions& method) {
  return allMethods().at(method.index());
}

MethodNeeds inputsRequiredBy(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::needs(chosen); },
                    method);
}

MethodNeeds inputsUsedBy(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::used(chosen); }, method);
}

MethodOptions standInFor(const MethodOptions& method) {
  return std::visit(
      []<class M>(const M& chosen) -> MethodOptions { return MethodTraits<M>::standIn(chosen); },
      method);
}

std::shared_ptr<const FittedLaplace> posteriorOf(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::posterior(chosen); },
                    method);
}

std::string posteriorKey(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::posteriorKey(chosen); },
                    method);
}

std::int64_t drawsOf(const MethodOptions& method) {
  return std::visit([]<class M>(const M& chosen) { return MethodTraits<M>::draws(chosen); },
                    method);
}

MethodOptions withDraws(const MethodOptions& method, std::int64_t count) {
  return std::visit(
      [&]<class M>(const M& chosen) -> MethodOptions {
        return MethodTraits<M>::withDraws(chosen, count);
      },
      method);
}

McDropoutOptions* dropoutOf(MethodOptions& method) {
  return std::visit(
      []<class M>(M& options) -> McDropoutOptions* { return MethodTraits<M>::dropout(options); },
      method);
}

const McDropoutOptions* dropoutOf(const MethodOptions& method) {
  return std::visit(
      []<class M>(const M& chosen) -> const McDropoutOptions* {
        return MethodTraits<M>::dropout(chosen);
      },
      method);
}

RunShape runShape(const MethodOptions& method, const Model& model, bool keeps_samples) {
  return std::visit(
      [&]<class M>(const M& chosen) {
        return MethodTraits<M>::shape(chosen, model, keeps_samples);
      },
      method);
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
