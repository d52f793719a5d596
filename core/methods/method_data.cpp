// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/method_data.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "core/base/rank_group.h"
#include "core/data/overlap/overlap_check.h"
#include "core/laplace/posterior/posterior_file.h"

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
    auto judged = checkSharedItems((*shared)[i], purpose, fitted.info().name,
                                   data.evaluated[i]->info().name, data.allow_same_split);
    if (!judged) {
      return failWith(judged);
    }
    notes.insert(notes.end(), judged->begin(), judged->end());
  }
  return notes;
}

Error savePosteriorOnFailure(const Error& failure, const MethodOptions& method,
                             const MethodData& data, const RunContext& context) {
  const auto posterior = posteriorOf(method);
  const bool leads = !context.ranks || context.ranks->rank() == 0;
  if (!posterior || !data.posterior_path.empty() || data.rescue_path.empty() || !leads) {
    return failure;
  }
  // Cancelling the later step must not cancel the writing.
  RunContext writing;
  writing.threads = context.threads;
  const Status written =
      writePosterior(posterior->posterior, posterior->origin, data.rescue_path, writing);
  Error with_place = failure;
  with_place.message += written ? std::string("; the fitted posterior was kept: continue with it")
                                : fmt::format("; the fitted posterior could not be kept ({})",
                                              written.error().message);
  if (written) {
    with_place.remedy.settings.push_back(setting("posterior", data.rescue_path));
  }
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
      [&]<class M>(const M& chosen) -> Expected<MethodOptions> {
        auto ready = MethodTraits<M>::prepare(chosen, model, data, options, context);
        if (!ready) {
          return failWith(ready);
        }
        return MethodOptions(*std::move(ready));
      },
      method);
}

}  // namespace dubito
