// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/label_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/lower_case.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_label_run.h"
#include "core/data/sources/label_run.h"
#include "core/data/sources/located_items.h"
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

bool isStore(const std::string& place) {
  return lowerCaseEnding(place) == ".labels" || isServerAddress(place);
}

/// A file next to `place` that does not exist yet.
std::string placeOfCopy(const std::string& place) {
  const std::filesystem::path path(place);
  const std::string stem = path.stem().string() + "-moved";
  std::filesystem::path copy = path.parent_path() / (stem + ".labels");
  std::error_code ignored;
  for (int number = 2; std::filesystem::exists(copy, ignored); ++number) {
    copy = path.parent_path() / fmt::format("{}-{}.labels", stem, number);
  }
  return copy.string();
}

/// Where the decisions about items that have been moved go on: in `place`, or in a copy if the
/// items have other ids now. Adds what to know to `notes`.
Expected<std::string> placeFor(const LocatedItems& items, LabelStore& store,
                               const std::string& place, const std::string& folder,
                               std::vector<Note>& notes) {
  notes.push_back(fmt::format("the images are now in {}", inQuotes(folder)));
  if (items.missing > 0) {
    notes.push_back(fmt::format("{} images with a label are no longer there", items.missing));
  }
  if (items.renumbered.empty()) {
    return place;
  }
  if (isServerAddress(place)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: {} of its images have other paths in {}; give them the paths that "
                            "they had, or import the labels into a new store",
                            store.place(), items.renumbered.size(), folder));
  }
  const std::string copy = placeOfCopy(place);
  if (Status done = store.copyRenumbered(copy, items.dataset->info().spec, items.renumbered);
      !done) {
    return failWith(done);
  }
  notes.push_back(
      fmt::format("{} images with a label have other paths and were found by their "
                  "content; the labels continue in {}, and {} stays as it was",
                  items.renumbered.size(), copy, place));
  return copy;
}

/// The items of a store, which are recorded as `spec`, in `folder` or where they were.
Expected<LocatedItems> itemsOf(LabelStore& store, const std::string& spec,
                               const std::string& folder, RunContext& context) {
  if (!folder.empty()) {
    return locateItems(store, folder, context);
  }
  Expected<DatasetPtr> dataset = openDataset(spec, context);
  return dataset ? Expected<LocatedItems>({.dataset = *std::move(dataset)}) : failWith(dataset);
}

/// The given labels of the dataset that a store belongs to, and the store to go on in. `folder`:
/// where the images are now; empty: where they were.
Expected<Opened> openStore(const std::string& place, const std::string& folder,
                           RunContext& context) {
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
  const auto items = itemsOf(**store, (*recorded)->spec, folder, context);
  if (!items) {
    Error error = items.error();
    // The labels were read; the images may be in another folder.
    error.remedy.needs_images = error.remedy.needs_images || error.code == ErrorCode::kNotFound;
    return tl::unexpected<Error>(std::move(error));
  }
  const auto parsed = parseDatasetSpec(items->dataset->info().spec);
  const bool has_scores = parsed && parsed->scheme == kAnnotationsScheme;
  Expected<Run> run = has_scores ? readLabelRun(annotationSource(*parsed), context)
                                 : datasetLabelRun(*items->dataset);
  if (!run || folder.empty()) {
    return opened(std::move(run), items->dataset, place);
  }
  const auto continued = placeFor(*items, **store, place, folder, run->meta.notes);
  return continued ? opened(std::move(run), items->dataset, *continued) : failWith(continued);
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
  // Folders of classes and plain lists of images are datasets for a network.
  return folder ? recognised->path != path || format == "labelme"
                : format != "csv" || (isManifest(path) && hasLabellingColumns(path)) ||
                      hasOneHotLabels(path);
}

bool canBeLabels(const std::string& path) {
  const FileKind kind = guessFileKind(path);
  std::error_code ignored;
  return kind == FileKind::kLabels || lowerCaseEnding(path) == ".csv" ||
         (kind == FileKind::kDataset && std::filesystem::is_directory(path, ignored));
}

Expected<Opened> openLabels(const std::string& specification, RunContext& context) {
  const AnnotationSource source = sourceOf(specification);
  if (isStore(source.labels)) {
    return openStore(source.labels, source.images, context);
  }
  Expected<Run> run = readLabelRun(source, context);
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
