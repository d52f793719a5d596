// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/predict_to_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/predict/resumable_prediction_torch.h"

namespace dubito {
namespace {

Expected<PartsFolder> claimFolder(const std::string& run_path, bool resume) {
  auto folder = PartsFolder::claim(run_path);
  if (!folder) {
    return folder;
  }
  if (const auto parts = folder->partPaths(); !resume && !parts.empty()) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: holds {} parts of a run that was interrupted; continue it, or "
                            "delete this folder to start again",
                            folder->path(), parts.size()),
                {setting("resume")});
  }
  return folder;
}

/// `sizes` of rank 0.
std::optional<RunSizes> fromFirst(RankGroup& ranks, const std::optional<RunSizes>& sizes) {
  const nlohmann::json of_mine =
      sizes ? nlohmann::json{sizes->batch, sizes->keeps_draws, sizes->pass_bytes}
            : nlohmann::json();
  const auto of_first = nlohmann::json::parse(fromFirst(ranks, of_mine.dump()));
  return of_first.is_null() ? std::nullopt
                            : std::optional(RunSizes{of_first.at(0).get<std::int64_t>(),
                                                     of_first.at(1).get<bool>(),
                                                     of_first.at(2).get<std::int64_t>()});
}

/// Every process computes its share into the folder; then the first one assembles the run, as if it
/// resumed after the others.
Expected<SavedRun> predictOnRanks(const Model& model, const Dataset& dataset,
                                  const MethodOptions& method, const PredictOptions& options,
                                  const std::string& run_path, const SaveOptions& save,
                                  RunContext& context) {
  RankGroup& ranks = *context.ranks;
  const bool leads = ranks.rank() == 0;
  Expected<PartsFolder> folder =
      leads ? claimFolder(run_path, save.resume) : PartsFolder::join(run_path);
  if (Status claimed = agree(ranks, folder ? Status() : Status(failWith(folder))); !claimed) {
    return failWith(claimed);
  }
  const Expected<std::optional<RunSizes>> sizes =
      leads ? readExistingSizes(*folder, context) : std::optional<RunSizes>();
  if (Status read = agree(ranks, sizes ? Status() : Status(failWith(sizes))); !read) {
    return failWith(read);
  }
  const auto prediction =
      PreparedPrediction::of(model, dataset, method, options, context, fromFirst(ranks, *sizes));
  if (Status prepared = agree(ranks, prediction ? Status() : Status(failWith(prediction)));
      !prepared) {
    return failWith(prepared);
  }
  PreparedPrediction& ready = **prediction;
  std::int64_t resumed_items = 0;
  {
    ResumablePrediction share(ready, dataset, *folder, save, context);
    if (Status computed = share.computeShare(ranks); !computed) {
      return failWith(computed);
    }
    resumed_items = share.resumedItems();
  }
  Expected<SavedRun> saved = SavedRun();
  if (leads) {
    ready.addNote(fmt::format(
        "Computed by {} processes; the timings are sums over processes, not elapsed time",
        ranks.size()));
    saved = ResumablePrediction(ready, dataset, *folder, save, context).run();
    saved = saved.map([&](SavedRun run) {
      run.resumed_items = resumed_items;
      return run;
    });
  }
  if (Status made = agree(ranks, saved ? Status() : Status(failWith(saved))); !made) {
    return failWith(made);
  }
  return saved;
}

}  // namespace

Expected<SavedRun> predictToFile(const Model& model, const Dataset& dataset,
                                 const MethodOptions& method, const PredictOptions& options,
                                 const std::string& run_path, const SaveOptions& save,
                                 RunContext& context) {
  if (context.ranks) {
    return predictOnRanks(model, dataset, method, options, run_path, save, context);
  }
  auto folder = claimFolder(run_path, save.resume);
  if (!folder) {
    return failWith(folder);
  }
  const auto earlier = readExistingSizes(*folder, context);
  if (!earlier) {
    return failWith(earlier);
  }
  const auto prediction =
      PreparedPrediction::of(model, dataset, method, options, context, *earlier);
  if (!prediction) {
    return failWith(prediction);
  }
  return ResumablePrediction(**prediction, dataset, *folder, save, context).run();
}

}  // namespace dubito
