// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// One row per item: id, path, label, class_number, action, annotator, time, origin,
/// previous_label, previous_origin, probability. The dataset kind csv: opens the file. Reading also
/// takes tables of other programs with a column of paths or ids and one of labels.
[[nodiscard]] LabelFormat csvLabels();

/// Whether a table has columns that programs for labelling and for automatic labels write: scores
/// of the labels, the persons who gave them, or "choice". Reads the first line; false if it cannot
/// be read.
[[nodiscard]] bool hasLabellingColumns(const std::string& path);

/// Whether a table has a path, and a column of 0 and 1 (or false and true) for each class, with one
/// 1 in each row at most, and its first image exists. Reads the first 1000 rows; false if they
/// cannot be read.
[[nodiscard]] bool hasOneHotLabels(const std::string& path);

}  // namespace dubito
