// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace dubito {

/// Sets the help topic of `widget`; empty: none.
void setHelpTopic(QWidget& widget, const QString& topic);

/// The topic of `widget` or of its nearest ancestor that has one; empty if none has.
[[nodiscard]] QString helpTopicOf(const QWidget* widget);

}  // namespace dubito
