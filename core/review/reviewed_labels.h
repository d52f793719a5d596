// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run.h"
#include "core/labels/decision.h"
#include "core/labels/label_store.h"

namespace dubito {

/// The present labels of a label store, to evaluate runs with.
struct ReviewedLabels {
  std::string file;                  ///< the store without its folder, for captions
  std::int64_t sequence = 0;         ///< newest entry of the journal
  std::vector<PresentLabel> labels;  ///< sorted by item
};

using ReviewedLabelsPtr = std::shared_ptr<const ReviewedLabels>;

/// Whether the store is of the run's dataset and classes. kInvalidArgument for other classes, and
/// if both the name and the specification of the dataset differ; unknown ones are not compared.
[[nodiscard]] Status checkLabelsOf(LabelStore& store, const Run& run);

/// kInvalidArgument if the store has no decision; errors of its functions.
[[nodiscard]] Expected<ReviewedLabels> readReviewedLabels(LabelStore& store);

/// The run with reviewed labels in place of the given ones; shares all other arrays. Decisions of
/// persons count: an item with a class has that class, or no label if the network has no output for
/// it; an item in none of the classes or ambiguous has no label. All others keep the given label.
/// Sets meta.reviewed_labels. kInvalidArgument if the run already has reviewed labels, or if no
/// person decided about any of its items.
[[nodiscard]] Expected<Run> relabelled(const Run& run, const ReviewedLabels& reviewed);

}  // namespace dubito
