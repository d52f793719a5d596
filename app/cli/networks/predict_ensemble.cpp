// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/predict_ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "app/cli/command.h"
#include "core/base/rank_group.h"
#include "core/io/make_folder.h"
#include "core/io/run_file.h"
#include "core/models/network_hash.h"
#include "core/predict/predict_to_file.h"

namespace dubito::cli {
namespace {

namespace fs = std::filesystem;

/// Whether this process is the only one, or the first of several: it combines the members.
bool leads(const RunContext& context) {
  return !context.ranks || context.ranks->rank() == 0;
}

/// Predicts the members that are models. With several processes, the items of each member are
/// shared, and an error in one process fails all of them.
class ModelMembers {
 public:
  ModelMembers(const EnsembleRequest& request, RunContext& context)
      : request_(request), context_(context), folder_(request.output + ".members") {}

  /// One sentence per member that has the weights of another member but a different program.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The run of `model_path`: computed, or found from an interrupted call. Empty unless this
  /// process leads.
  [[nodiscard]] Expected<Run> run(const std::string& model_path) {
    const auto model = open(model_path);
    if (Status all = agreeOnFailure(context_, model); !all) {
      return failWith(all);
    }
    const std::string path = pathOf(**model);
    paths_.push_back(path);
    auto finished = leads(context_) ? finishedRun(path, **model) : std::nullopt;
    bool is_finished = finished.has_value();
    if (context_.ranks) {
      // The first process decides for all.
      is_finished = fromFirst(*context_.ranks, is_finished ? "there" : "") == "there";
    }
    if (is_finished) {
      return finished ? *std::move(finished) : Run();
    }
    const auto saved = predictToFile(**model, *dataset_, request_.method_of_models,
                                     request_.options, path, {.resume = request_.resume}, context_);
    if (!saved) {
      return failWith(saved);
    }
    auto read = leads(context_) ? readRun(path, context_) : Expected<Run>(Run());
    if (Status all = agreeOnFailure(context_, read); !all) {
      return failWith(all);
    }
    return read;
  }

  /// Removes the members' runs, which are no longer needed; files from elsewhere stay.
  void removeRuns() const {
    std::error_code ignored;
    for (const std::string& path : paths_) {
      fs::remove(path, ignored);
    }
    if (!paths_.empty()) {
      fs::remove(folder_, ignored);  // fails if anything is left in it
    }
  }

  /// The dataset of all members; opened once.
  [[nodiscard]] Expected<DatasetPtr> dataset() {
    if (!dataset_) {
      auto opened = openDataset(request_.dataset, context_);
      if (!opened) {
        return opened;
      }
      dataset_ = *std::move(opened);
    }
    return dataset_;
  }

 private:
  /// Opens the model and everything its prediction needs.
  [[nodiscard]] Expected<ModelPtr> open(const std::string& model_path) {
    auto model = loadModel(model_path, request_.loading, context_);
    if (!model) {
      return model;
    }
    if (Status distinct = checkDistinct(model_path, **model); !distinct) {
      return failWith(distinct);
    }
    if (const auto items = dataset(); !items) {
      return failWith(items);
    }
    if (Status made = leads(context_) ? makeFolder(folder_) : Status(); !made) {
      return failWith(made);
    }
    return model;
  }

  /// Refuses a network that is already a member. The same weights in a different program (another
  /// activation, other scaling) are accepted with a note, because they may also be one network
  /// exported twice.
  Status checkDistinct(const std::string& model_path, const Model& model) {
    if (!networks_.insert(networkHash(model)).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: same network as another member; list each member once (MODEL is "
                              "the first member)",
                              model_path));
    }
    const auto [same, is_new] = weights_.emplace(weightsHash(model), model_path);
    if (!is_new) {
      notes_.push_back(fmt::format(
          "{} and {} have the same weights but different programs; if they are one network "
          "exported twice, it counts twice in this ensemble",
          same->second, model_path));
    }
    return {};
  }

  /// The run of a member finished by an interrupted call with the same inputs, if any.
  [[nodiscard]] std::optional<Run> finishedRun(const std::string& path, const Model& model) const {
    if (!request_.resume || !isRunFile(path)) {
      return std::nullopt;
    }
    auto run = readRun(path, context_);
    const bool same = run && run->meta.model_path == model.path() &&
                      run->meta.network_hash == networkHash(model) &&
                      run->meta.method == methodName(request_.method_of_models) &&
                      run->meta.method_options == methodJson(request_.method_of_models) &&
                      run->meta.dataset_spec == dataset_->info().spec &&
                      run->meta.preprocessing == model.metadata().preprocessing.describe() &&
                      std::ranges::equal(run->ids.values(), dataset_->ids()) &&
                      run->meta.seed == context_.seed &&
                      run->meta.device == toString(context_.device) && !run->meta.stopped_early;
    return same ? std::optional<Run>(*std::move(run)) : std::nullopt;
  }

  /// File of the member's run, unique per network.
  [[nodiscard]] std::string pathOf(const Model& model) const {
    return (fs::path(folder_) / (networkHash(model) + ".npz")).string();
  }

  const EnsembleRequest& request_;
  RunContext& context_;
  std::string folder_;
  DatasetPtr dataset_;
  std::set<std::string> networks_;
  std::map<std::string, std::string> weights_;  ///< path of the first member by weights hash
  std::vector<std::string> notes_;
  std::vector<std::string> paths_;
};

/// Positions of `ids`, sorted by id.
std::vector<std::int64_t> sortedById(std::span<const std::int64_t> ids) {
  std::vector<std::int64_t> rows(ids.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::sort(rows, {},
                    [ids](std::int64_t row) { return ids[static_cast<std::size_t>(row)]; });
  return rows;
}

/// Error if the run has items that are not in the dataset, or other labels for them.
Status checkItems(const std::string& name, const Run& run, const Dataset& dataset) {
  const auto ids = dataset.ids();
  const auto labels = dataset.labels();
  const auto idOf = [ids](std::int64_t row) { return ids[static_cast<std::size_t>(row)]; };
  // Most runs have the items in the dataset's order and need no sorted list.
  const bool same_order = std::ranges::equal(run.ids.values(), ids);
  const std::vector<std::int64_t> by_id =
      same_order ? std::vector<std::int64_t>() : sortedById(ids);
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t id = run.ids.data()[i];
    std::int64_t row = i;
    if (!same_order) {
      const auto found = std::ranges::lower_bound(by_id, id, {}, idOf);
      row = found != by_id.end() && idOf(*found) == id ? *found : -1;
    }
    const std::int64_t expected = row < 0 ? -1 : labels[static_cast<std::size_t>(row)];
    const std::int64_t label = run.labels.data()[i];
    if (row < 0 || (label >= 0 && expected >= 0 && label != expected)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: item {} is not in {}, or has a different label there; use runs "
                              "on the items of DATASET",
                              name, id, dataset.info().name));
    }
  }
  return {};
}

Expected<Run> readMember(const std::string& path, const RunInput& input, ModelMembers& models,
                         RunContext& context) {
  if (Status sound = input.check(path, context); !sound) {
    return failWith(sound);
  }
  const auto dataset = models.dataset();
  if (!dataset) {
    return failWith(dataset);
  }
  auto run = readRun(path, context);
  if (run) {
    if (Status checked = checkItems(path, *run, **dataset); !checked) {
      return failWith(checked);
    }
  }
  return run;
}

/// Opens a member that is a run; `files` collects the files of all such members.
Expected<Run> openRun(const std::string& name, const RunInput& input, std::set<std::string>& files,
                      ModelMembers& models, RunContext& context) {
  std::error_code unresolved;
  const std::string file = fs::weakly_canonical(name, unresolved).string();
  Expected<Run> run = Run();
  if (!files.insert(unresolved ? name : file).second) {
    run =
        fail(ErrorCode::kInvalidArgument,
             fmt::format("{}: already a member; list each member once (MODEL is the first member)",
                         name));
  } else if (leads(context)) {
    run = readMember(name, input, models, context);
  }
  if (Status all = agreeOnFailure(context, run); !all) {
    return failWith(all);
  }
  return run;
}

}  // namespace

Expected<SavedRun> predictEnsemble(const EnsembleRequest& request, RunContext& context) {
  ModelMembers models(request, context);
  std::vector<EnsembleMember> members;
  std::set<std::string> files;
  for (const std::string& name : request.members) {
    auto run =
        isRunFile(name) ? openRun(name, request.input, files, models, context) : models.run(name);
    if (!run) {
      return failWith(run);
    }
    members.push_back({name, *std::move(run)});
  }
  Expected<SavedRun> saved = SavedRun();
  if (leads(context)) {
    saved = ensembleToFile(
        members, request.output,
        {.keep_samples_mb = request.options.keep_samples_mb, .notes = models.notes()}, context);
    if (saved) {
      models.removeRuns();
    }
  }
  if (Status all = agreeOnFailure(context, saved); !all) {
    return failWith(all);
  }
  return saved;
}

}  // namespace dubito::cli
