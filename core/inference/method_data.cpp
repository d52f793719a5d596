// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/method_data.h"

#include "core/base/overloaded.h"
#include "core/data/shared_items.h"
#include "core/inference/fit_scaling.h"
#include "core/inference/laplace_fit.h"

namespace dubito {

Expected<std::vector<std::string>> checkSplit(const Model& model, const std::string& purpose,
                                              const Dataset& fitted, const MethodData& data,
                                              const PredictOptions& options, RunContext& context) {
  std::vector<std::string> notes;
  const auto shared =
      sharedItems(fitted, data.evaluated, model.metadata().preprocessing, options.batch, context);
  if (!shared) {
    return failWith(shared);
  }
  for (std::size_t i = 0; i < shared->size(); ++i) {
    auto judged = judgeSplit((*shared)[i], purpose, fitted.info().name,
                             data.evaluated[i]->info().name, data.allow_same_split);
    if (!judged) {
      return failWith(judged);
    }
    notes.insert(notes.end(), judged->begin(), judged->end());
  }
  return notes;
}

Expected<MethodOptions> prepareMethod(const Model& model, const MethodOptions& method,
                                      const MethodData& data, const PredictOptions& options,
                                      RunContext& context) {
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  return std::visit(
      Overloaded{
          [&](const TemperatureOptions& chosen) -> Expected<MethodOptions> {
            return fitTemperatureMethod(model, chosen, data, options, context);
          },
          [&](const VectorScalingOptions& chosen) -> Expected<MethodOptions> {
            return fitVectorScalingMethod(model, chosen, data, options, context);
          },
          [&](const LaplaceOptions& chosen) -> Expected<MethodOptions> {
            return fitLaplaceMethod(model, chosen, data, options, context);
          },
          [&](const auto& chosen) -> Expected<MethodOptions> { return MethodOptions(chosen); }},
      method);
}

}  // namespace dubito
