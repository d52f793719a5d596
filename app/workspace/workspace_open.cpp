// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_open.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/session/error_text.h"
#include "core/data/sources/dataset_files.h"
#include "core/data/sources/dataset_view.h"
#include "core/io/prediction_file.h"
#include "core/laplace/posterior/posterior_file.h"
#include "core/methods/method_of_run.h"

namespace dubito {
namespace {

/// "1234 bytes", "5.6 MB".
std::string sizeText(std::uint64_t bytes) {
  constexpr double kKilo = 1000.0;
  if (bytes < 10'000) {
    return fmt::format("{} bytes", bytes);
  }
  const auto kilo = static_cast<double>(bytes) / kKilo;
  return kilo < kKilo           ? fmt::format("{:.1f} kB", kilo)
         : kilo < kKilo * kKilo ? fmt::format("{:.1f} MB", kilo / kKilo)
                                : fmt::format("{:.2f} GB", kilo / kKilo / kKilo);
}

std::string differenceText(const FileFingerprint& then, const FileFingerprint& now) {
  return then.bytes == now.bytes
             ? fmt::format("still {}, but different content", sizeText(now.bytes))
             : fmt::format("{} before, {} now", sizeText(then.bytes), sizeText(now.bytes));
}

class Opener {
 public:
  Opener(OpenedWorkspace& opened, const ModelOpening& models, RunContext& context)
      : opened_(opened), models_(models), context_(context) {
    opened_.models.resize(opened_.workspace.models.size());
    opened_.datasets.resize(opened_.workspace.datasets.size());
    opened_.analyses.resize(opened_.workspace.runs.size());
    opened_.used.resize(opened_.workspace.runs.size());
    opened_.problems.clear();
    opened_.run_files.clear();
    open_shifts_ = std::exchange(opened_.shifts, {});
  }

  Status openAll() {
    for (std::size_t i = 0; i < opened_.models.size(); ++i) {
      if (Status status = openModel(i); !status) {
        return status;
      }
    }
    for (std::size_t i = 0; i < opened_.datasets.size(); ++i) {
      if (Status status = openData(i); !status) {
        return status;
      }
    }
    for (std::size_t i = 0; i < opened_.analyses.size(); ++i) {
      if (Status status = openRun(i); !status) {
        return status;
      }
    }
    for (std::size_t i = 0; i < opened_.analyses.size(); ++i) {
      for (WorkspaceShift& shift : opened_.workspace.runs[i].shifts) {
        if (Status status = openShift(opened_.analyses[i], shift); !status) {
          return status;
        }
      }
    }
    return {};
  }

 private:
  /// Whether the file is unchanged and not left out; records a problem once if it is not.
  Expected<bool> fine(WorkspaceFileRef& file) {
    if (opened_.left_out.contains(file.path)) {
      return false;
    }
    const auto [known, is_new] = fine_.emplace(file.path, true);
    if (!is_new) {
      return known->second;
    }
    auto problem = compareFile(file, file.path, context_);
    if (!problem) {
      if (Status status = giveUp(file.path, problem.error()); !status) {
        return failWith(status);
      }
    } else if (*problem) {
      opened_.problems.push_back(**std::move(problem));
    } else {
      return true;
    }
    known->second = false;
    return false;
  }

  /// Records the error of an entry as the problem of its file, so that the rest continues; fails if
  /// cancelled.
  Status giveUp(const std::string& path, const Error& error) {
    if (error.code == ErrorCode::kCancelled) {
      return tl::unexpected<Error>(error);
    }
    if (std::none_of(opened_.problems.begin(), opened_.problems.end(),
                     [&path](const WorkspaceProblem& other) { return other.path == path; })) {
      opened_.problems.push_back({path, std::nullopt, errorText(error).toStdString()});
    }
    return {};
  }

  Status openModel(std::size_t position) {
    WorkspaceModel& entry = opened_.workspace.models[position];
    if (opened_.models[position]) {
      return {};
    }
    const auto there = fine(entry.file);
    if (!there || !*there) {
      return there ? Status() : failWith(there);
    }
    auto model = dubito::openModel(entry.file.path, models_, context_);
    if (!model) {
      return giveUp(entry.file.path, model.error());
    }
    opened_.models[position] = *std::move(model);
    return {};
  }

  Status openData(std::size_t position) {
    WorkspaceDataset& entry = opened_.workspace.datasets[position];
    if (opened_.datasets[position]) {
      return {};
    }
    std::vector<std::string> paths;
    bool complete = true;
    for (WorkspaceFileRef& file : entry.files) {
      const auto there = fine(file);
      if (!there) {
        return failWith(there);
      }
      complete = complete && *there;
      paths.push_back(file.path);
    }
    // A synthetic dataset has no file and is identified by its specification.
    if (!complete || opened_.left_out.contains(entry.specification)) {
      return {};
    }
    auto dataset = withDatasetFiles(entry.specification, paths)
                       .and_then([this](const std::string& specification) {
                         return openDataset(specification, context_);
                       });
    if (!dataset) {
      return giveUp(paths.empty() ? entry.specification : paths.front(), dataset.error());
    }
    opened_.datasets[position] =
        entry.ood ? withRole(*std::move(dataset), Role::kOod) : *std::move(dataset);
    return {};
  }

  Status openRun(std::size_t position) {
    const WorkspaceRun& entry = opened_.workspace.runs[position];
    const ModelPtr model = entry.model ? opened_.models[*entry.model] : nullptr;
    std::vector<bool> used{model != nullptr};
    std::vector<WorkspacePart> there_now;
    for (WorkspacePart part : entry.parts) {
      const auto there = fine(part.file);
      if (!there) {
        return failWith(there);
      }
      used.push_back(*there);
      used.push_back(datasetOf(part) != nullptr);
      if (*there) {
        there_now.push_back(std::move(part));
      } else if (there_now.empty()) {
        return {};  // the in-distribution run is missing
      }
    }
    if (opened_.analyses[position] && opened_.used[position] == used) {
      return {};
    }
    std::vector<AnalysisPart> parts;
    for (const WorkspacePart& part : there_now) {
      auto run = openPredictions(part.file.path, context_);
      if (!run) {
        if (Status status = giveUp(part.file.path, run.error()); !status || parts.empty()) {
          return status;  // the in-distribution run is missing
        }
        used.clear();  // try again when more files are opened
        continue;
      }
      parts.push_back(makePart(part.name, std::make_shared<const Run>(*std::move(run)),
                               datasetOf(part), context_));
      opened_.run_files.emplace_back(parts.back().run, part.file.path);
    }
    const std::string& file = there_now.front().file.path;
    std::optional<MethodOptions> method;
    if (model) {
      method = methodOfRun(parts.front().run->meta, *model, posteriorPathFor(file));
    }
    auto analysis =
        analyse(std::move(parts), model, method, opened_.workspace.evaluation, context_);
    if (!analysis) {
      return giveUp(file, analysis.error());
    }
    opened_.analyses[position] = *std::move(analysis);
    opened_.used[position] = std::move(used);
    return {};
  }

  Status openShift(const AnalysisPtr& analysis, WorkspaceShift& shift) {
    const auto open = std::ranges::find_if(open_shifts_, [&](const ShiftResultPtr& other) {
      return other->kind == shift.kind && other->analysis == analysis;
    });
    if (open != open_shifts_.end()) {
      opened_.shifts.push_back(*open);
      return {};
    }
    auto result = std::make_shared<ShiftResult>();
    result->kind = shift.kind;
    result->analysis = analysis;
    result->items = shift.items;
    bool complete = analysis != nullptr;
    for (std::size_t i = 0; i < shift.files.size(); ++i) {
      const auto there = fine(shift.files[i]);
      if (!there) {
        return failWith(there);
      }
      complete = complete && *there;
      if (!complete) {
        continue;  // the others are only checked
      }
      const std::string& file = shift.files[i].path;
      auto step = openPredictions(file, context_).and_then([&](Run run) {
        return shiftStep(shift.severities[i], std::make_shared<const Run>(std::move(run)),
                         opened_.workspace.evaluation, context_);
      });
      if (!step) {
        if (Status status = giveUp(file, step.error()); !status) {
          return status;
        }
        complete = false;
        continue;
      }
      opened_.run_files.emplace_back(step->run, file);
      result->steps.push_back(*std::move(step));
    }
    if (complete) {
      opened_.shifts.push_back(std::move(result));
    }
    return {};
  }

  [[nodiscard]] DatasetPtr datasetOf(const WorkspacePart& part) const {
    return part.dataset ? opened_.datasets[*part.dataset] : nullptr;
  }

  OpenedWorkspace& opened_;
  const ModelOpening& models_;
  RunContext& context_;
  std::vector<ShiftResultPtr> open_shifts_;  ///< before this call
  std::map<std::string, bool> fine_;         ///< by path
};

}  // namespace

Expected<OpenedWorkspace> openWorkspace(OpenedWorkspace opened, const ModelOpening& models,
                                        RunContext& context) {
  if (Status status = Opener(opened, models, context).openAll(); !status) {
    return failWith(status);
  }
  return opened;
}

Expected<std::optional<WorkspaceProblem>> compareFile(const WorkspaceFileRef& file,
                                                      const std::string& path,
                                                      RunContext& context) {
  const auto now = fingerprintOf(path, file.content, context);
  if (!now) {
    if (now.error().code != ErrorCode::kNotFound) {
      return failWith(now);
    }
    return WorkspaceProblem{
        file.path, std::nullopt,
        fmt::format("{}: no longer exists; restore it, or choose its new location", path)};
  }
  if (now->sameContent(file.content)) {
    return std::nullopt;
  }
  return WorkspaceProblem{
      file.path, *now,
      fmt::format("{}: has changed since the workspace was saved ({}); locate the original file, "
                  "or use the changed file",
                  path, differenceText(file.content, *now))};
}

}  // namespace dubito
