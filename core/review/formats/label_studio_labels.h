// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// Label Studio: a JSON list of tasks. Labels of persons are annotations, those of models
/// predictions, each with a result of the type "choices".
[[nodiscard]] LabelFormat labelStudioLabels();

}  // namespace dubito
