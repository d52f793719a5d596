// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>

#include "core/labels/label_class.h"

namespace dubito {

/// The colour of a class: its own, else one of the present theme.
[[nodiscard]] QColor classColour(const LabelClass& entry);
/// A small square of that colour.
[[nodiscard]] QIcon classSwatch(const LabelClass& entry);

}  // namespace dubito
