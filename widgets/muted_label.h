// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace dubito {

/// A label of plain text that wraps, in the style of a role: "title", "heading" (style_sheet.h).
[[nodiscard]] QLabel* makeLabel(const char* role, const QString& object_name, QWidget* parent,
                                const QString& text = {});

/// The same in the colour of secondary text.
[[nodiscard]] QLabel* makeMutedLabel(const QString& object_name, QWidget* parent,
                                     const QString& text = {});

/// Shows a text in a label in the style of an error, or of secondary text.
void showMessage(QLabel& label, const QString& text, bool is_error);

/// A muted label for sentences about what is going on. It has room for two lines from the start, so
/// that what is below stays in place.
[[nodiscard]] QLabel* makeStatusLabel(const QString& object_name, QWidget* parent);

}  // namespace dubito
