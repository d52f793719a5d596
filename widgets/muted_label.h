// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace dubito {

/// A label in the colour of secondary text, for plain text that wraps.
[[nodiscard]] QLabel* makeMutedLabel(const QString& object_name, QWidget* parent);

/// A muted label for sentences about what is going on. It has room for two lines from the start, so
/// that what is below stays in place.
[[nodiscard]] QLabel* makeStatusLabel(const QString& object_name, QWidget* parent);

}  // namespace dubito
