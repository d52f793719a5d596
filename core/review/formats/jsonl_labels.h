// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// JSON lines: a first line with format, version and classes, then one line per row. Keeps
/// everything.
[[nodiscard]] LabelFormat jsonlLabels();

}  // namespace dubito
