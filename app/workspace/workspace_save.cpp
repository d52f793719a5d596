// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_save.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "app/files/save_run.h"
#include "app/workspace/workspace_paths.h"
#include "core/data/sources/dataset_files.h"
#include "core/io/make_folder.h"
#include "core/io/run_file.h"
#include "core/laplace/posterior/posterior_file.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Creates an empty file under an unused name in the folder, so that no other process takes the
/// name; returns its path.
Expected<std::string> reserveFile(const std::string& folder, const std::string& name) {
  for (int number = 1;; ++number) {
    const std::string ending = number == 1 ? ".npz" : fmt::format("-{}.npz", number);
    std::string path = (fs::path(folder) / (name + ending)).string();
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return path;
    }
    if (errno != EEXIST) {
      return fail(ErrorCode::kWriteFailed,
                  fmt::format("{}: cannot be written ({}); check the folder's permissions and the "
                              "free disk space",
                              path, std::strerror(errno)));
    }
  }
}

/// Removes the runs and posteriors written so far on destruction, unless keep() was called.
class NewRunFiles {
 public:
  explicit NewRunFiles(const SavedWorkspace& saved) : saved_(saved) {}
  ~NewRunFiles() {
    if (!kept_) {
      std::error_code ignored;
      for (const auto& [run, file] : saved_.written) {
        fs::remove(file, ignored);
      }
      for (const std::string& file : saved_.written_posteriors) {
        fs::remove(file, ignored);
      }
    }
  }
  NewRunFiles(const NewRunFiles&) = delete;
  NewRunFiles& operator=(const NewRunFiles&) = delete;
  void keep() { kept_ = true; }

 private:
  const SavedWorkspace& saved_;
  bool kept_ = false;
};

bool isFile(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && fs::is_regular_file(path, ignored);
}

/// Takes missing fingerprints; files unchanged since `known` are not read again.
Status takeFingerprints(Workspace& workspace, std::map<std::string, FileFingerprint>& known,
                        RunContext& context) {
  for (WorkspaceFileRef* const file : filesOf(workspace)) {
    if (file->path.empty() || !file->content.hash.empty()) {
      continue;
    }
    const auto content = fingerprintOf(file->path, known[file->path], context);
    if (!content) {
      return failWith(content);
    }
    file->content = known[file->path] = *content;
  }
  return {};
}

/// Writes the posterior (may be null) next to the run file `run_path`, unless it exists.
Status keepPosterior(const std::shared_ptr<const FittedLaplace>& fitted,
                     const std::string& run_path, SavedWorkspace& saved, RunContext& context) {
  // An existing posterior next to a new run is left over from another run of that name.
  const bool is_new = std::ranges::any_of(
      saved.written, [&](const auto& written) { return written.second == run_path; });
  const std::string path = posteriorPathFor(run_path);
  if (!fitted || (isFile(path) && !is_new)) {
    return {};
  }
  saved.written_posteriors.push_back(path);
  return writePosterior(fitted->posterior, fitted->origin, path, context);
}

/// Gives runs their files; writes those without one to a folder, each once.
class RunPlaces {
 public:
  RunPlaces(std::string folder, SavedWorkspace& saved)
      : folder_(std::move(folder)), saved_(saved) {}

  /// The file of the run in `part`; `name` is for a new one. Draws are written if `with_draws`.
  Expected<std::string> placeOf(const WorkspaceDraft::Part& part, const std::string& name,
                                bool with_draws, RunContext& context) {
    std::string& place = places_[part.run.get()];
    if (place.empty() && isFile(part.file)) {
      place = absolutePath(part.file);
    }
    if (!place.empty()) {
      return place;
    }
    if (Status made = makeFolder(folder_); !made) {
      return failWith(made);
    }
    const auto free = reserveFile(folder_, plainFileName(name));
    if (!free) {
      return failWith(free);
    }
    place = *free;
    saved_.written.emplace_back(part.run, place);
    Run kept = *part.run;  // shares the arrays
    if (!with_draws) {
      kept.samples.reset();
    }
    if (Status written = writeRun(kept, place, context); !written) {
      return failWith(written);
    }
    return place;
  }

 private:
  std::string folder_;
  SavedWorkspace& saved_;
  std::map<const Run*, std::string> places_;
};

/// Sets the file of each part's run and of its shifts; writes runs without a file, and their
/// posteriors.
Status placeRuns(const WorkspaceDraft& draft, const std::string& path, SavedWorkspace& saved,
                 RunContext& context) {
  RunPlaces places(runsFolderOf(path), saved);
  for (std::size_t position = 0; position < saved.workspace.runs.size(); ++position) {
    WorkspaceRun& run = saved.workspace.runs[position];
    const WorkspaceDraft::RunContent& content = draft.runs.at(position);
    for (std::size_t i = 0; i < run.parts.size(); ++i) {
      const WorkspaceDraft::Part& part = content.parts.at(i);
      auto place =
          places.placeOf(part, part.run->meta.method + " " + run.parts[i].name, true, context);
      if (!place) {
        return failWith(place);
      }
      run.parts[i].file.path = *std::move(place);
    }
    for (std::size_t i = 0; i < run.shifts.size(); ++i) {
      WorkspaceShift& shift = run.shifts[i];
      for (std::size_t step = 0; step < shift.files.size(); ++step) {
        // The curves need no draws, which would be several times as large as the rest.
        auto place = places.placeOf(content.shifts.at(i).at(step),
                                    fmt::format("shift {} {:g} {}", toString(shift.kind),
                                                shift.severities.at(step), run.parts.front().name),
                                    false, context);
        if (!place) {
          return failWith(place);
        }
        shift.files[step].path = *std::move(place);
      }
    }
    if (Status kept = keepPosterior(content.posterior, run.parts.front().file.path, saved, context);
        !kept) {
      return kept;
    }
  }
  return {};
}

/// Adds the shifts of the run `analysis`, which has the labels of its dataset: with reviewed ones
/// they would not fit the run as it is opened.
void addShifts(const Session& session, const Analysis& analysis, WorkspaceRun& run,
               WorkspaceDraft::RunContent& content) {
  for (const ShiftResultPtr& result : session.shifts()) {
    if (!isOf(*result, analysis)) {
      continue;
    }
    WorkspaceShift shift{
        .kind = result->kind, .items = result->items, .severities = {}, .files = {}};
    std::vector<WorkspaceDraft::Part> steps;
    for (const ShiftStep& step : result->steps) {
      shift.severities.push_back(step.severity);
      shift.files.emplace_back();
      steps.push_back({step.run, session.runFiles().fileOf(step.run)});
    }
    run.shifts.push_back(std::move(shift));
    content.shifts.push_back(std::move(steps));
  }
}

Status findFiles(Workspace& workspace) {
  for (WorkspaceDataset& dataset : workspace.datasets) {
    const auto files = datasetFiles(dataset.specification);
    if (!files) {
      return failWith(files);
    }
    for (const std::string& file : *files) {
      dataset.files.push_back({absolutePath(file), {}});
    }
  }
  return {};
}

}  // namespace

WorkspaceDraft draftOf(const Session& session, const EvaluationOptions& evaluation) {
  WorkspaceDraft draft;
  Workspace& workspace = draft.workspace;
  std::map<const Model*, std::size_t> models;
  std::map<const Dataset*, std::size_t> datasets;
  const auto add_model = [&](const std::string& name, const ModelPtr& model) {
    if (!model || model->path().empty()) {
      return;
    }
    if (models.emplace(model.get(), workspace.models.size()).second) {
      workspace.models.push_back({name, {absolutePath(model->path()), {}}});
    }
  };
  const auto add_dataset = [&](const std::string& name, const DatasetPtr& dataset, bool ood,
                               bool listed) {
    if (!dataset || dataset->info().spec.empty()) {
      return;
    }
    if (datasets.emplace(dataset.get(), workspace.datasets.size()).second) {
      workspace.datasets.push_back({name, dataset->info().spec, ood, listed, {}});
    }
  };
  const auto position = [](const auto& positions,
                           const auto& pointer) -> std::optional<std::size_t> {
    const auto found = positions.find(pointer.get());
    return found == positions.end() ? std::nullopt : std::optional(found->second);
  };
  for (const ModelEntry& entry : session.models()) {
    add_model(entry.name.toStdString(), entry.model);
    if (!position(models, entry.model)) {
      draft.left_out.push_back(entry.name.toStdString());
    }
  }
  for (const DatasetEntry& entry : session.datasets()) {
    add_dataset(entry.name.toStdString(), entry.dataset, entry.ood, true);
    if (!position(datasets, entry.dataset)) {
      draft.left_out.push_back(entry.name.toStdString());
    }
  }
  for (std::size_t i = 0; i < session.analyses().size(); ++i) {
    const AnalysisPtr& analysis = givenOf(session.analyses()[i]);
    WorkspaceRun run{position(models, analysis->model), {}, session.runLabel(i)};
    WorkspaceDraft::RunContent content;
    for (const AnalysisPart& part : analysis->parts) {
      add_dataset(part.name, part.dataset, &part != &analysis->parts.front(), false);
      run.parts.push_back({part.name, {}, position(datasets, part.dataset)});
      content.parts.push_back({part.run, session.runFiles().fileOf(part.run)});
    }
    // Without its model a posterior predicts nothing.
    content.posterior = run.model && analysis->method ? posteriorOf(*analysis->method) : nullptr;
    addShifts(session, *analysis, run, content);
    workspace.runs.push_back(std::move(run));
    draft.runs.push_back(std::move(content));
  }
  workspace.active_model = position(models, session.activeModel());
  workspace.active_dataset = position(datasets, session.activeDataset());
  if (session.activeAnalysisPosition() >= 0) {
    workspace.active_run = static_cast<std::size_t>(session.activeAnalysisPosition());
  }
  workspace.evaluation = evaluation;
  for (const auto& [measure, threshold] : session.plots().movedThresholds()) {
    workspace.thresholds[describe(measure).key] = threshold;
  }
  workspace.threshold_measure = describe(session.plots().thresholdMeasure()).key;
  if (session.activeAnalysis()) {
    workspace.view = SessionView{session.listing().query(), session.listing().primary(),
                                 session.plots().reliabilityOptions()};
    // Picked items are not stored.
    workspace.view->query.picked.reset();
  }
  return draft;
}

Expected<SavedWorkspace> saveWorkspace(const WorkspaceDraft& draft, const std::string& path,
                                       const Workspace& before, RunContext& context) {
  SavedWorkspace saved{draft.workspace, {}, {}};
  if (Status found = findFiles(saved.workspace); !found) {
    return failWith(found);
  }
  std::map<std::string, FileFingerprint> known;
  Workspace earlier = before;
  for (const WorkspaceFileRef* const file : filesOf(earlier)) {
    known.emplace(file->path, file->content);
  }
  // Models and datasets first: a missing file is reported before any run is written.
  if (Status taken = takeFingerprints(saved.workspace, known, context); !taken) {
    return failWith(taken);
  }
  NewRunFiles written_runs(saved);
  if (Status placed = placeRuns(draft, path, saved, context); !placed) {
    return failWith(placed);
  }
  if (Status taken = takeFingerprints(saved.workspace, known, context); !taken) {
    return failWith(taken);
  }
  if (Status written = writeWorkspace(saved.workspace, path); !written) {
    return failWith(written);
  }
  written_runs.keep();
  return saved;
}

}  // namespace dubito
