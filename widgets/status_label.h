// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QWidget;

namespace dubito {

/// A muted label for sentences about what is going on. It has room for two lines from the start, so
/// that what is below stays in place.
[[nodiscard]] QLabel* makeStatusLabel(const char* object_name, QWidget* parent);

}  // namespace dubito
