// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// One row per item: id, path, label, class_number, action, annotator, time, origin,
/// previous_label, previous_origin, probability. The dataset kind csv: opens the file. Reading also
/// takes tables of other programs with a column of paths or ids and one of labels.
[[nodiscard]] LabelFormat csvLabels();

/// Whether a table has a column with the score of its labels: then they are suggestions of a
/// program. Reads the first line; false if it cannot be read.
[[nodiscard]] bool hasScoreColumn(const std::string& path);

}  // namespace dubito
