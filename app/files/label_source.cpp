// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/label_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/lower_case.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_label_run.h"
#include "core/data/sources/label_run.h"
#include "core/labels/label_store.h"
#include "core/labels/sql/open_connection.h"
#include "core/review/formats/csv_labels.h"
#include "core/review/formats/label_format.h"

namespace dubito {
namespace {

/// Labels and images of a path or a specification.
AnnotationSource sourceOf(const std::string& specification) {
  const auto spec = parseDatasetSpec(specification);
  return spec && spec->scheme == kAnnotationsScheme ? annotationSource(*spec)
                                                    : AnnotationSource{.labels = specification};
}

bool isFolder(const OpenRequest& request) {
  std::error_code ignored;
  return std::filesystem::is_directory(request.specification, ignored);
}

Expected<Opened> opened(Expected<Run> run, Expected<DatasetPtr> dataset,
                        const std::string& store = {}) {
  if (!run) {
    return failWith(run);
  }
  if (!dataset) {
    return failWith(dataset);
  }
  return Opened(OpenedRun{.run = std::make_shared<const Run>(*std::move(run)),
                          .dataset = *std::move(dataset),
                          .is_repeatable = true,
                          .store = store});
}

/// The given labels of the dataset that a store belongs to, and the store to go on in.
Expected<Opened> openStore(const std::string& place, RunContext& context) {
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  if (!store) {
    return failWith(store);
  }
  const auto recorded = (*store)->dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  if (!*recorded || (*recorded)->spec.empty()) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: does not know yet which images it belongs to; open the images "
                            "and their labels instead",
                            place));
  }
  const std::string& spec = (*recorded)->spec;
  Expected<DatasetPtr> dataset = openDataset(spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  const auto parsed = parseDatasetSpec(spec);
  const bool has_scores = parsed && parsed->scheme == kAnnotationsScheme;
  Expected<Run> run =
      has_scores ? readLabelRun(annotationSource(*parsed), context) : datasetLabelRun(**dataset);
  return opened(std::move(run), std::move(dataset), place);
}

bool hasLabels(const OpenRequest& request, RunContext& context) {
  if (isFolder(request)) {
    return isLabelSource(request.specification, context);
  }
  const FileKind kind =
      request.kind == FileKind::kUnknown ? guessFileKind(request.specification) : request.kind;
  return kind == FileKind::kLabels ||
         (kind == FileKind::kPredictions && isLabelSource(request.specification, context));
}

}  // namespace

bool isLabelSource(const std::string& path, RunContext& context) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  if (!folder && lowerCaseEnding(path) != ".csv") {
    return guessFileKind(path) == FileKind::kLabels;
  }
  const auto recognised = recogniseLabels(path, {}, context);
  if (!recognised) {
    return false;
  }
  const std::string_view format = recognised->format->key;
  // Folders of classes and tables without scores are datasets for a network.
  return folder ? recognised->path != path || format == "labelme"
                : format != "csv" || (isManifest(path) && hasScoreColumn(path));
}

bool canBeLabels(const std::string& path) {
  const FileKind kind = guessFileKind(path);
  std::error_code ignored;
  return kind == FileKind::kLabels || lowerCaseEnding(path) == ".csv" ||
         (kind == FileKind::kDataset && std::filesystem::is_directory(path, ignored));
}

Expected<Opened> openLabels(const std::string& specification, RunContext& context) {
  if (lowerCaseEnding(specification) == ".labels" || isServerAddress(specification)) {
    return openStore(specification, context);
  }
  Expected<Run> run = readLabelRun(sourceOf(specification), context);
  if (!run) {
    return failWith(run);
  }
  Expected<DatasetPtr> dataset = openDataset(run->meta.dataset_spec, context);
  return opened(std::move(run), std::move(dataset));
}

std::vector<OpenRequest> withTheirImages(std::vector<OpenRequest> requests, RunContext& context) {
  const auto labels = [&](const OpenRequest& request) { return hasLabels(request, context); };
  // A folder that has labels itself is no folder of images of other labels.
  const auto images = [&](const OpenRequest& request) {
    return isFolder(request) && guessFileKind(request.specification) == FileKind::kDataset &&
           !isLabelSource(request.specification, context);
  };
  if (std::ranges::count_if(requests, labels) != 1 ||
      std::ranges::count_if(requests, images) != 1) {
    return requests;
  }
  const auto folder = std::ranges::find_if(requests, images);
  const std::string path = folder->specification;
  requests.erase(folder);
  OpenRequest& joined = *std::ranges::find_if(requests, labels);
  joined.specification = labelsWithImages(joined.specification, path);
  joined.kind = FileKind::kLabels;
  return requests;
}

std::string labelsWithImages(const std::string& specification, const std::string& folder) {
  AnnotationSource source = sourceOf(specification);
  source.images = folder;
  return annotationsSpec(source);
}

}  // namespace dubito
