// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/application_filter.h"

namespace dubito {
namespace {

constexpr char kZoomsByWheel[] = "zoomsByWheel";

class WheelGuard : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    const QEvent::Type type = event->type();
    if (type == QEvent::Wheel && scrollsInstead(*watched, static_cast<QWheelEvent&>(*event))) {
      event->ignore();  // then the parent gets it
      return true;
    }
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
    event->ignore();
    return true;
  }

 private:
  static bool scrollsInstead(const QObject& object, const QWheelEvent& wheel) {
    if (!object.property(kZoomsByWheel).toBool() || wheel.modifiers() != Qt::NoModifier) {
      return false;
    }
    for (const QObject* parent = object.parent(); parent != nullptr; parent = parent->parent()) {
      if (const auto* const area = qobject_cast<const QScrollArea*>(parent)) {
        const QScrollBar& bar = *area->verticalScrollBar();
        return bar.minimum() < bar.maximum();
      }
    }
    return false;
  }
  static bool isGuarded(const QObject* object) {
    return qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
           qobject_cast<const QComboBox*>(object) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(object) != nullptr &&
            qobject_cast<const QScrollBar*>(object) == nullptr);
  }
};

}  // namespace

void setZoomsByWheel(QWidget& widget) {
  widget.setProperty(kZoomsByWheel, true);
}

void guardWheel(QApplication& application) {
  installOnce<WheelGuard>(application, QStringLiteral("wheelGuard"));
}

}  // namespace dubito
