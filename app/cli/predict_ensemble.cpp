// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/predict_ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "core/io/run_file.h"

namespace dubito::cli {
namespace {

namespace fs = std::filesystem;

/// Members that are models, on their way.
class ModelMembers {
 public:
  ModelMembers(const EnsembleRequest& request, RunContext& context)
      : request_(request), context_(context), folder_(request.output + ".members") {}

  /// The run of `model_path`, computed, or left by an interrupted call.
  [[nodiscard]] Expected<Run> run(const std::string& model_path) {
    auto model = loadModel(model_path, {.metadata_path = request_.metadata}, context_);
    if (!model) {
      return failWith(model);
    }
    if (!networks_.insert(parameterHash(**model)).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: holds the same network as another member; name each once (MODEL "
                              "is the first member)",
                              model_path));
    }
    if (Status opened = openDatasetOnce(); !opened) {
      return failWith(opened);
    }
    const std::string path = (fs::path(folder_) / fmt::format("{}.npz", networks_.size())).string();
    if (auto finished = leftBehind(path, **model); finished) {
      return *std::move(finished);
    }
    const auto saved = predictToFile(**model, *dataset_, request_.method_of_models,
                                     request_.options, path, {.resume = request_.resume}, context_);
    if (!saved) {
      return failWith(saved);
    }
    return readRun(path, context_);
  }

  void removeFolder() const {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

 private:
  /// A member that an interrupted call finished, made of the same things.
  [[nodiscard]] std::optional<Run> leftBehind(const std::string& path, const Model& model) const {
    if (!request_.resume || !isRunFile(path)) {
      return std::nullopt;
    }
    auto run = readRun(path, context_);
    const bool same = run && run->meta.model_path == model.path() &&
                      run->meta.method == methodName(request_.method_of_models) &&
                      run->meta.method_options == methodJson(request_.method_of_models) &&
                      run->meta.dataset_spec == dataset_->info().spec &&
                      run->meta.seed == context_.seed &&
                      run->meta.device == toString(context_.device) && !run->meta.stopped_early;
    return same ? std::optional<Run>(*std::move(run)) : std::nullopt;
  }

  [[nodiscard]] Status openDatasetOnce() {
    if (dataset_) {
      return {};
    }
    auto dataset = openDataset(request_.dataset, context_);
    if (!dataset) {
      return failWith(dataset);
    }
    dataset_ = *std::move(dataset);
    std::error_code error;
    fs::create_directories(folder_, error);
    return error ? Status(fail(ErrorCode::kWriteFailed,
                               fmt::format("{}: the folder cannot be made ({}); choose another "
                                           "place",
                                           folder_, error.message())))
                 : Status();
  }

  const EnsembleRequest& request_;
  RunContext& context_;
  std::string folder_;
  DatasetPtr dataset_;
  std::set<std::uint64_t> networks_;
};

}  // namespace

Expected<SavedRun> predictEnsemble(const EnsembleRequest& request, RunContext& context) {
  ModelMembers models(request, context);
  std::vector<EnsembleMember> members;
  for (const std::string& name : request.members) {
    auto run = isRunFile(name) ? readRun(name, context) : models.run(name);
    if (!run) {
      return failWith(run);
    }
    members.push_back({name, *std::move(run)});
  }
  auto saved = ensembleToFile(members, request.output,
                              {.keep_samples_mb = request.options.keep_samples_mb}, context);
  if (saved) {
    models.removeFolder();
  }
  return saved;
}

}  // namespace dubito::cli
