// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

#include "widgets/application_filter.h"

namespace dubito {
namespace {

class WheelGuard : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    const QEvent::Type type = event->type();
    if ((type != QEvent::Wheel && type != QEvent::Polish) || !isGuarded(watched)) {
      return false;
    }
    auto& control = static_cast<QWidget&>(*watched);
    if (type == QEvent::Polish) {
      // Qt would give it the focus before it sees the wheel.
      if (control.focusPolicy() == Qt::WheelFocus) {
        control.setFocusPolicy(Qt::StrongFocus);
      }
      return false;
    }
    if (control.hasFocus()) {
      return false;
    }
    event->ignore();  // then the parent gets it
    return true;
  }

 private:
  static bool isGuarded(const QObject* object) {
    return qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
           qobject_cast<const QComboBox*>(object) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(object) != nullptr &&
            qobject_cast<const QScrollBar*>(object) == nullptr);
  }
};

}  // namespace

void guardWheel(QApplication& application) {
  installOnce<WheelGuard>(application, QStringLiteral("wheelGuard"));
}

}  // namespace dubito
