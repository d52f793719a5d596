// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/undecided.h"

namespace dubito {

/// What an export contains besides the decisions.
struct ExportChoices {
  Undecided undecided = Undecided::kDrop;
  double min_probability = 0.9;  ///< of a suggestion that an undecided image gets
  /// Boxes, polygons and other shapes of the opened labels are written back where the format of the
  /// export is theirs. Images without a decision then keep the label that they have there.
  bool keeps_shapes = true;
};

/// The run under review and its images.
struct ReviewedItems {
  std::shared_ptr<const Run> run;
  DatasetPtr dataset;
};

/// Adds to the labels of a store what `choices` ask for, and returns the options of the export.
/// `notes` say what was added. Reads the opened labels. kCancelled.
[[nodiscard]] Expected<LabelExportOptions> prepareExport(
    const LabelFormat& format, const ReviewedItems& reviewed, const ExportChoices& choices,
    LabelTable& table, std::vector<LabelNote>& notes, RunContext& context);

}  // namespace dubito
