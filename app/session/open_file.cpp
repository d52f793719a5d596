// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/open_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/data/manifest.h"
#include "core/inference/method_of_run.h"
#include "core/io/prediction_file.h"
#include "core/laplace/posterior_file.h"

namespace dubito {
namespace {

Expected<Opened> openRun(const OpenRequest& request, RunContext& context) {
  Expected<Run> run = openPredictions(request.specification, context);
  if (!run) {
    return failWith(run);
  }
  OpenedRun opened;
  // Where the items are still at their place they are shown beside the predictions; a run is whole
  // without them.
  if (!run->meta.dataset_spec.empty()) {
    opened.dataset = openDataset(run->meta.dataset_spec, context).value_or(nullptr);
  }
  opened.run = std::make_shared<const Run>(std::move(*run));
  return Opened(std::move(opened));
}

/// What the request says, else what the name tells, else what is in the table.
FileKind kindOf(const OpenRequest& request) {
  if (request.kind != FileKind::kUnknown) {
    return request.kind;
  }
  const std::string path = request.specification.substr(0, request.specification.find('?'));
  const FileKind kind = guessFileKind(request.specification);
  return kind == FileKind::kPredictions && path.ends_with(".csv") && isManifest(path)
             ? FileKind::kDataset
             : kind;
}

}  // namespace

Expected<Opened> openFile(const OpenRequest& request, RunContext& context) {
  const FileKind kind = kindOf(request);
  switch (kind) {
    case FileKind::kModel: {
      Expected<ModelPtr> model = loadModel(request.specification, {}, context);
      return model ? Expected<Opened>(Opened(*model)) : failWith(model);
    }
    case FileKind::kDataset: {
      Expected<DatasetPtr> dataset = openDataset(request.specification, context);
      return dataset ? Expected<Opened>(Opened(*dataset)) : failWith(dataset);
    }
    case FileKind::kPredictions: {
      Expected<Opened> opened = openRun(request, context);
      const bool npz = request.specification.ends_with(".npz");
      if (opened || request.kind == FileKind::kPredictions || !npz ||
          opened.error().code == ErrorCode::kNotFound) {
        return opened;
      }
      const Expected<DatasetPtr> dataset = openDataset(request.specification, context);
      return dataset ? Expected<Opened>(Opened(*dataset)) : opened;
    }
    case FileKind::kWorkspace:
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: is a workspace, not one of its files; open it by itself",
                              request.specification));
    case FileKind::kUnknown:
      break;
  }
  if (!std::filesystem::exists(request.specification)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file; check the path", request.specification));
  }
  return fail(
      ErrorCode::kUnsupported,
      fmt::format("{}: neither a model (.pt, .ptl), a dataset (folder, idx, ...) nor predictions "
                  "(.npz, .npy, .csv); open it as one of these through the Open menu",
                  request.specification));
}

Expected<std::vector<OpenResult>> openFiles(const std::vector<OpenRequest>& requests,
                                            RunContext& context) {
  std::vector<OpenResult> results;
  for (const OpenRequest& request : requests) {
    if (context.step("Opening", static_cast<std::int64_t>(results.size()),
                     static_cast<std::int64_t>(requests.size())) == Step::kCancel) {
      return cancelled();
    }
    results.push_back({request, openFile(request, context)});
  }
  return results;
}

Expected<AnalysisPtr> analyseOpened(std::vector<AnalysisPart> parts, const std::string& run_file,
                                    const std::vector<ModelPtr>& models,
                                    const EvaluationOptions& options, RunContext& context) {
  const RunMeta& meta = parts.front().run->meta;
  const auto found = std::ranges::find_if(
      models, [&meta](const ModelPtr& model) { return isRunOf(meta, *model); });
  if (found == models.end()) {
    return analyse(std::move(parts), nullptr, std::nullopt, options, context);
  }
  const auto method = methodOfRun(meta, **found, posteriorFileOf(run_file));
  return analyse(std::move(parts), *found, method, options, context);
}

std::string displayName(const OpenRequest& request, const Opened& opened) {
  if (!request.name.empty()) {
    return request.name;
  }
  if (const auto* const model = std::get_if<ModelPtr>(&opened)) {
    const std::string& name = (*model)->metadata().name;
    return name.empty() ? std::filesystem::path((*model)->path()).stem().string() : name;
  }
  if (const auto* const dataset = std::get_if<DatasetPtr>(&opened)) {
    return (*dataset)->info().name;
  }
  const Run& run = *std::get<OpenedRun>(opened).run;
  return run.meta.dataset_name.empty()
             ? std::filesystem::path(request.specification).stem().string()
             : run.meta.dataset_name;
}

}  // namespace dubito
