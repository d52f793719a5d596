// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_export.h"

#include <string>
#include <utility>

#include "core/data/items/item_files.h"
#include "core/data/items/item_positions.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/wrapped_spec.h"
#include "core/labels/label_store.h"
#include "core/review/formats/store_labels.h"

namespace dubito {
namespace {

UndecidedItems itemsWithPaths(const ItemsUnderReview& reviewed) {
  UndecidedItems known = undecidedItemsOf(*reviewed.run);
  const auto positions = positionsOfIds(*reviewed.dataset, reviewed.run->ids.values());
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (positions[row] >= 0) {
      known.items[row].path = reviewed.dataset->itemName(positions[row]);
    }
  }
  return known;
}

/// The labels of another program that the images were opened with; empty if there are none.
AnnotationSource openedLabels(const Dataset& dataset) {
  const auto specs = parseDatasetSpec(dataset.info().spec).and_then(wrappedSpecs);
  const bool has_labels = specs && !specs->empty() && specs->back().scheme == kAnnotationsScheme;
  return has_labels ? annotationSource(specs->back()) : AnnotationSource();
}

/// The opened labels, if they are of this format and have shapes; else empty.
Expected<std::string> fileWithShapes(const LabelFormat& format, const Dataset& dataset,
                                     RunContext& context) {
  const AnnotationSource source = openedLabels(dataset);
  if (source.labels.empty() || format.shapes != LabelShapes::kWrittenBack) {
    return std::string();
  }
  const auto recognised = recogniseLabels(source.labels, source.format, context);
  if (!recognised || recognised->format != &format) {
    return std::string();  // also if the file is gone
  }
  const auto read = importLabels(format, recognised->path, {.field = source.field}, context);
  if (!read && read.error().code == ErrorCode::kCancelled) {
    return failWith(read);
  }
  return read && read->shapes > 0 ? recognised->path : std::string();
}

/// Adds to the labels of a store what `choices` ask for, and returns the options of the export.
/// `notes` say what was added. Reads the opened labels. kCancelled.
Expected<LabelExportOptions> prepareExport(const LabelFormat& format,
                                           const ItemsUnderReview& reviewed,
                                           const ExportChoices& choices, LabelTable& table,
                                           std::vector<LabelNote>& notes, RunContext& context) {
  LabelExportOptions options;
  options.images = itemFolder(*reviewed.dataset);
  const UndecidedItems known = itemsWithPaths(reviewed);
  (void)addSuggestedScores(table, known);
  notes = addUndecided(table, known, choices.undecided, choices.min_probability);
  if (choices.keeps_shapes) {
    auto from = fileWithShapes(format, *reviewed.dataset, context);
    if (!from) {
      return failWith(from);
    }
    options.from = *std::move(from);
    options.from_field = openedLabels(*reviewed.dataset).field;
  }
  return options;
}

}  // namespace

Expected<WrittenExport> exportStore(const std::string& place, const LabelFormat& format,
                                    const std::string& path, const ItemsUnderReview& reviewed,
                                    const ExportChoices& choices, RunContext& context) {
  auto store = LabelStore::open(place, StoreMode::kReadOnly);
  if (!store) {
    return failWith(store);
  }
  auto table = labelTable(**store);
  if (!table) {
    return failWith(table);
  }
  std::vector<LabelNote> added;
  const auto options = prepareExport(format, reviewed, choices, *table, added, context);
  auto written =
      options ? exportLabels(format, *table, path, *options, context) : failWith(options);
  if (!written) {
    return failWith(written);
  }
  written->notes.insert(written->notes.begin(), added.begin(), added.end());
  DecisionCounts counts = countDecisions(*table);
  if (!format.keeps.contains(LabelPart::kWithoutClass)) {
    counts = {.labelled = counts.labelled};  // a note names the others
  }
  return WrittenExport{std::move(*written), counts};
}

}  // namespace dubito
