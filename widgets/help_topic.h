// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace dubito {

/// Names what `widget` shows, for help about it; empty: nothing of its own.
void setHelpTopic(QWidget& widget, const QString& topic);

/// The topic of `widget` or else of the nearest widget around it that has one; empty if none has.
[[nodiscard]] QString helpTopicOf(const QWidget* widget);

}  // namespace dubito
