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

namespace dubito::cli {
namespace {

namespace fs = std::filesystem;

/// Whether this process is alone or the first of several: it joins the members.
bool leads(const RunContext& context) {
  return !context.ranks || context.ranks->rank() == 0;
}

/// Members that are models, on their way. Several processes share the items of each; all of them
/// fail where one does.
class ModelMembers {
 public:
  ModelMembers(const EnsembleRequest& request, RunContext& context)
      : request_(request), context_(context), folder_(request.output + ".members") {}

  /// Members with the weights of another member in another program, in sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The run of `model_path`, computed, or left by an interrupted call; nothing in it where this
  /// process does not lead.
  [[nodiscard]] Expected<Run> run(const std::string& model_path) {
    const auto model = opened(model_path);
    if (Status all = together(context_, model); !all) {
      return failWith(all);
    }
    const std::string path = pathOf(**model);
    paths_.push_back(path);
    auto finished = leads(context_) ? leftBehind(path, **model) : std::nullopt;
    bool is_there = finished.has_value();
    if (context_.ranks) {
      // What the first one sees all must do.
      is_there = fromFirst(*context_.ranks, is_there ? "there" : "") == "there";
    }
    if (is_there) {
      return finished ? *std::move(finished) : Run();
    }
    const auto saved = predictToFile(**model, *dataset_, request_.method_of_models,
                                     request_.options, path, {.resume = request_.resume}, context_);
    if (!saved) {
      return failWith(saved);
    }
    auto read = leads(context_) ? readRun(path, context_) : Expected<Run>(Run());
    if (Status all = together(context_, read); !all) {
      return failWith(all);
    }
    return read;
  }

  /// Removes the runs of members, which have served; other people's files stay.
  void removeRuns() const {
    std::error_code ignored;
    for (const std::string& path : paths_) {
      fs::remove(path, ignored);
    }
    if (!paths_.empty()) {
      fs::remove(folder_, ignored);  // refuses where anything is left in it
    }
  }

  /// The items of every member; opened once.
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
  /// The model, with all that a prediction of it needs.
  [[nodiscard]] Expected<ModelPtr> opened(const std::string& model_path) {
    auto model = loadModel(model_path, request_.loading, context_);
    if (!model) {
      return model;
    }
    if (Status other = checkOther(model_path, **model); !other) {
      return failWith(other);
    }
    if (const auto items = dataset(); !items) {
      return failWith(items);
    }
    if (Status made = leads(context_) ? makeFolder(folder_) : Status(); !made) {
      return failWith(made);
    }
    return model;
  }

  /// Refuses a network that is a member already. The same weights in another program (another
  /// activation, other scaling) are another member; since it may also be the same network exported
  /// twice, which would count double, the run says so.
  Status checkOther(const std::string& model_path, const Model& model) {
    if (!networks_.insert(networkHash(model)).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: holds the same network as another member; name each once (MODEL "
                              "is the first member)",
                              model_path));
    }
    const auto [same, is_new] = weights_.emplace(weightsHash(model), model_path);
    if (!is_new) {
      notes_.push_back(fmt::format(
          "{} and {} have the same weights in different programs; if both are one network exported "
          "twice, it counts twice in this ensemble",
          same->second, model_path));
    }
    return {};
  }

  /// A member that an interrupted call finished, made of the same things.
  [[nodiscard]] std::optional<Run> leftBehind(const std::string& path, const Model& model) const {
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

  /// Another network, or the same with other weights, has another file.
  [[nodiscard]] std::string pathOf(const Model& model) const {
    return (fs::path(folder_) / (networkHash(model) + ".npz")).string();
  }

  const EnsembleRequest& request_;
  RunContext& context_;
  std::string folder_;
  DatasetPtr dataset_;
  std::set<std::string> networks_;
  std::map<std::string, std::string> weights_;  ///< the first member with them
  std::vector<std::string> notes_;
  std::vector<std::string> paths_;
};

/// The positions of the ids of a dataset in the order of the ids.
std::vector<std::int64_t> sortedById(std::span<const std::int64_t> ids) {
  std::vector<std::int64_t> rows(ids.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::sort(rows, {},
                    [ids](std::int64_t row) { return ids[static_cast<std::size_t>(row)]; });
  return rows;
}

/// A run over other items, or over items with other labels, is no member.
Status checkItems(const std::string& name, const Run& run, const Dataset& dataset) {
  const auto ids = dataset.ids();
  const auto labels = dataset.labels();
  const auto idOf = [ids](std::int64_t row) { return ids[static_cast<std::size_t>(row)]; };
  // Most runs have the items in the dataset's order; a million of them need no list then.
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
                  fmt::format("{}: its item {} is not in {}, or has another label there; give runs "
                              "over the items of DATASET",
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

/// A member that is a run; `files` are those of the members before.
Expected<Run> openRun(const std::string& name, const RunInput& input, std::set<std::string>& files,
                      ModelMembers& models, RunContext& context) {
  std::error_code unresolved;
  const std::string file = fs::weakly_canonical(name, unresolved).string();
  Expected<Run> run = Run();
  if (!files.insert(unresolved ? name : file).second) {
    run = fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: is a member already; name each once (MODEL is the first member)", name));
  } else if (leads(context)) {
    run = readMember(name, input, models, context);
  }
  if (Status all = together(context, run); !all) {
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
  if (Status all = together(context, saved); !all) {
    return failWith(all);
  }
  return saved;
}

}  // namespace dubito::cli
