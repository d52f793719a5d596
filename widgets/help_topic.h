// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace dubito {

/// Sets the help topic of `widget`, which selects an entry of the glossary; empty: none.
void setHelpTopic(QWidget& widget, const QString& topic);

/// The help topic of `widget`, or else of its nearest ancestor that has one; empty if there is
/// none.
[[nodiscard]] QString helpTopicOf(const QWidget* widget);

}  // namespace dubito
