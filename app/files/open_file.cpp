// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/open_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "app/files/label_source.h"
#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_view.h"
#include "core/io/prediction_file.h"
#include "core/laplace/posterior/posterior_file.h"
#include "core/methods/method_of_run.h"

namespace dubito {
namespace {

Expected<Opened> openRun(const OpenRequest& request, RunContext& context) {
  Expected<Run> run = openPredictions(request.specification, context);
  if (!run) {
    return failWith(run);
  }
  OpenedRun opened;
  // Items are shown with the predictions if their dataset still exists; a run is valid without.
  if (!run->meta.dataset_spec.empty()) {
    opened.dataset = openDataset(run->meta.dataset_spec, context).value_or(nullptr);
  }
  opened.run = std::make_shared<const Run>(std::move(*run));
  return Opened(std::move(opened));
}

/// The specification with the given role.
std::string inRole(const std::string& specification, Role role) {
  Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec) {
    return specification;
  }
  spec->role = role;
  return toString(*spec);
}

Expected<DatasetPtr> openData(const OpenRequest& request, RunContext& context) {
  const std::optional<Role> role = request.role  ? request.role
                                   : request.ood ? std::nullopt
                                                 : guessedRole(request.specification);
  Expected<DatasetPtr> dataset =
      openDataset(role ? inRole(request.specification, *role) : request.specification, context);
  if (dataset && request.ood) {
    dataset = withRole(*std::move(dataset), Role::kOod);
  }
  return dataset;
}

/// A note if the role was guessed from the name, because it decides how the dataset is used.
std::string noteOn(const OpenRequest& request, const Expected<Opened>& opened) {
  const auto* const dataset = opened ? std::get_if<DatasetPtr>(&*opened) : nullptr;
  const auto role = request.ood || request.role || dataset == nullptr
                        ? std::nullopt
                        : guessedRole(request.specification);
  return role ? fmt::format(
                    "{}: opened with the role {} because of its name, so it is not "
                    "evaluated; to change this, edit its role in its menu (Edit dataset)",
                    displayName(request, *opened), toString(*role))
              : std::string();
}

/// The kind given in the request, else guessed from the name, for .csv and folders from the
/// content.
FileKind kindOf(const OpenRequest& request, RunContext& context) {
  if (request.kind != FileKind::kUnknown) {
    return request.kind;
  }
  const std::string path = request.specification.substr(0, request.specification.find('?'));
  const FileKind kind = guessFileKind(request.specification);
  const bool is_table = kind == FileKind::kPredictions && path.ends_with(".csv");
  std::error_code ignored;
  const bool is_folder = kind == FileKind::kDataset && std::filesystem::is_directory(path, ignored);
  if (!request.ood && (is_table || is_folder) && isLabelSource(path, context)) {
    return FileKind::kLabels;
  }
  return is_table && isManifest(path) ? FileKind::kDataset : kind;
}

}  // namespace

std::optional<Role> guessedRole(const std::string& specification) {
  const Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec || spec->role || spec->extra.contains("split")) {
    return std::nullopt;
  }
  const DatasetKind* const kind = findDatasetKind(spec->scheme);
  if (kind != nullptr && kind->files(spec->location).empty()) {
    return std::nullopt;  // generated items have no file
  }
  // The first file: IMAGES of IMAGES,LABELS.
  const std::string location = spec->location.substr(0, spec->location.find(','));
  std::string name = std::filesystem::path(location).filename().string();
  if (name.empty()) {
    name = std::filesystem::path(location).parent_path().filename().string();
  }
  std::string word;
  std::optional<Role> role;
  name += ' ';
  for (const char letter : name) {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      continue;
    }
    if (word == "train" || word == "training") {
      role = Role::kTrain;
    } else if (word == "calib" || word == "calibration") {
      role = Role::kCalibration;
    }
    word.clear();
  }
  return name.starts_with("data_batch_") ? Role::kTrain : role;
}

Expected<Opened> openFile(const OpenRequest& request, const ModelOpening& models,
                          RunContext& context) {
  const FileKind kind = kindOf(request, context);
  switch (kind) {
    case FileKind::kModel: {
      ModelOpening trusted;
      trusted.shares_torch = models.shares_torch;
      Expected<ModelPtr> model =
          openModel(request.specification, request.demo ? trusted : models, context);
      return model ? Expected<Opened>(Opened(*model)) : failWith(model);
    }
    case FileKind::kDataset: {
      const Expected<DatasetPtr> dataset = openData(request, context);
      return dataset ? Expected<Opened>(Opened(*dataset)) : failWith(dataset);
    }
    case FileKind::kPredictions: {
      Expected<Opened> opened = openRun(request, context);
      const bool npz = request.specification.ends_with(".npz");
      if (opened || request.kind == FileKind::kPredictions || !npz ||
          opened.error().code == ErrorCode::kNotFound) {
        return opened;
      }
      const Expected<DatasetPtr> dataset = openData(request, context);
      return dataset ? Expected<Opened>(Opened(*dataset)) : opened;
    }
    case FileKind::kLabels:
      return openLabels(request.specification, context);
    case FileKind::kWorkspace:
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: is a workspace; open it on its own", request.specification));
    case FileKind::kStudy:
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: is the folder of a study; open it on its own", request.specification));
    case FileKind::kLab:
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: is a preset or story of the page Labs; open it on its own",
                              request.specification));
    case FileKind::kUnknown:
      break;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(request.specification, ignored)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: no such file; check the path, or write a dataset as "
                            "KIND:PATH ({})",
                            request.specification, fmt::join(datasetSchemes(), ", ")));
  }
  return fail(
      ErrorCode::kUnsupported,
      fmt::format("{}: not recognised as a model (.pt, .ptl), a dataset (folder, idx, ...) or "
                  "predictions (.npz, .npy, .csv); choose its kind in the Open menu",
                  request.specification));
}

Expected<std::vector<OpenResult>> openFiles(const std::vector<OpenRequest>& requests,
                                            const ModelOpening& models, RunContext& context) {
  std::vector<OpenResult> results;
  const std::vector<OpenRequest> joined = withTheirImages(requests, context);
  for (const OpenRequest& request : joined) {
    if (context.step("Opening", static_cast<std::int64_t>(results.size()),
                     static_cast<std::int64_t>(joined.size())) == Step::kCancel) {
      return cancelled();
    }
    Expected<Opened> opened = openFile(request, models, context);
    std::string note = noteOn(request, opened);
    results.push_back({request, std::move(opened), std::move(note)});
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
  const auto method = methodOfRun(meta, **found, posteriorPathFor(run_file));
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
