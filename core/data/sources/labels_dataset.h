// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// Scheme of labelsKind().
inline constexpr const char* kLabelsScheme = "labels";

/// labels:STORE: the items of a dataset with the labels of a label store (LabelStore) in place of
/// the given ones. STORE is a file or an address of a PostgreSQL server; it is only read.
///   of=SPEC               the dataset, escaped (escapedSpec()); by default the recorded one
///   undecided=keep|drop   whether items without a decision keep the dataset's label (default) or
///                         are left out
///   origin=any|person     which decisions count
/// Items for which no class fits or nobody can tell are left out. Classes: reviewedClasses(). Ids,
/// names and attributes are those of the dataset, and so is the role, except that unlabelled items
/// become test items. kInvalidArgument if the store belongs to other items (datasetFingerprint(),
/// or no decided item in common), or shares no class with a dataset that keeps its labels.
[[nodiscard]] std::shared_ptr<const DatasetKind> labelsKind();

}  // namespace dubito
