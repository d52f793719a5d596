// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QComboBox;
class QLayout;
class QWidget;

namespace dubito {

/// Adds a labelled combo box to `bar`; the label wraps together with its box.
[[nodiscard]] QComboBox* addChooser(QLayout& bar, const QString& label, const char* name,
                                    QWidget* parent);

/// Makes the box as wide as its texts, within limits. Its own size hint ignores the padding of the
/// style sheet.
void fitToTexts(QComboBox& box);

}  // namespace dubito
