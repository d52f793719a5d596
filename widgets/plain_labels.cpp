// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_labels.h"

#include <QEvent>
#include <QLabel>

#include "widgets/application_filter.h"

namespace dubito {
namespace {

/// Labels are polished once, before they are first laid out; tooltips and the texts of message
/// boxes are labels too.
class PlainLabels : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Polish) {
      auto* const label = qobject_cast<QLabel*>(watched);
      if (label != nullptr && label->textFormat() == Qt::AutoText) {
        label->setTextFormat(Qt::PlainText);
      }
    }
    return false;
  }
};

}  // namespace

void showTextsAsPlain(QApplication& application) {
  installOnce<PlainLabels>(application, QStringLiteral("plainLabels"));
}

}  // namespace dubito
