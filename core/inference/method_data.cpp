// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/method_data.h"

#include <fmt/format.h>

#include "core/base/overloaded.h"
#include "core/base/rank_group.h"
#include "core/data/shared_items.h"
#include "core/inference/fit_scaling.h"
#include "core/inference/laplace_fit.h"
#include "core/laplace/posterior_file.h"

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

Error keepingPosterior(const Error& failure, const MethodOptions& method, const MethodData& data,
                       const RunContext& context) {
  const auto* const laplace = std::get_if<LaplaceOptions>(&method);
  const bool leads = !context.ranks || context.ranks->rank() == 0;
  if (laplace == nullptr || !laplace->fitted || !data.posterior_path.empty() ||
      data.rescue_path.empty() || !leads) {
    return failure;
  }
  // A cancel that ended the later step must not end the writing.
  RunContext writing;
  writing.threads = context.threads;
  const FittedLaplace& fitted = *laplace->fitted;
  const Status written = writePosterior(fitted.posterior, fitted.origin, data.rescue_path, writing);
  Error with_place = failure;
  with_place.message +=
      written
          ? fmt::format("; the fitted posterior was kept: continue with --posterior {}",
                        data.rescue_path)
          : fmt::format("; the fitted posterior could not be kept ({})", written.error().message);
  return with_place;
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
