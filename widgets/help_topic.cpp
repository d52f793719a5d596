// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help_topic.h"

#include <QVariant>
#include <QWidget>

namespace dubito {
namespace {

constexpr const char* kTopic = "helpTopic";

}  // namespace

void setHelpTopic(QWidget& widget, const QString& topic) {
  widget.setProperty(kTopic, topic);
}

QString helpTopicOf(const QWidget* widget) {
  for (; widget != nullptr; widget = widget->parentWidget()) {
    if (const QString topic = widget->property(kTopic).toString(); !topic.isEmpty()) {
      return topic;
    }
  }
  return {};
}

}  // namespace dubito
