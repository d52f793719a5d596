// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "app/review/labels/decision_text.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/undecided.h"

namespace dubito {

/// Content of an export in addition to the decisions.
struct ExportChoices {
  Undecided undecided = Undecided::kDrop;
  double min_probability = 0.9;  ///< of a suggestion that an undecided image gets
  /// Boxes, polygons and other shapes of the opened labels are written back where the format of the
  /// export is theirs. Images without a decision then keep the label that they have there.
  bool keeps_shapes = true;
};

/// The run under review and its images.
struct ItemsUnderReview {
  std::shared_ptr<const Run> run;
  DatasetPtr dataset;
};

/// An export and how many decisions of each kind it has.
struct WrittenExport {
  LabelExport file;
  DecisionCounts counts;
};

/// Writes the labels of the store at `place` to `path`, with what `choices` say. Uses a connection
/// of its own, so that decisions continue meanwhile. kCancelled.
[[nodiscard]] Expected<WrittenExport> exportStore(
    const std::string& place, const LabelFormat& format, const std::string& path,
    const ItemsUnderReview& reviewed, const ExportChoices& choices, RunContext& context);

}  // namespace dubito
