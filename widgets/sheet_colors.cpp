// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sheet_colors.h"

#include <QApplication>
#include <QEvent>
#include <QStyle>
#include <QWidget>

namespace dubito {
namespace {

/// What is hidden inside `root`: styled as well, or when it is shown.
enum class Hidden { kNow, kWhenShown };

void styleInside(QWidget& root, Hidden hidden);

/// Styles a hidden widget and what is inside when it is shown. Deletes itself then.
class StyleWhenShown : public QObject {
 public:
  /// A child of `hidden`.
  explicit StyleWhenShown(QWidget& hidden) : QObject(&hidden), hidden_(hidden) {
    setObjectName(QLatin1String(kName));
    hidden.installEventFilter(this);
  }

  /// Makes sure that `hidden` will be styled.
  static void arrange(QWidget& hidden) {
    if (hidden.findChild<QObject*>(QLatin1String(kName), Qt::FindDirectChildrenOnly) == nullptr) {
      new StyleWhenShown(hidden);
    }
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == &hidden_ && event->type() == QEvent::Show) {
      hidden_.removeEventFilter(this);
      setObjectName({});
      deleteLater();
      styleInside(hidden_, Hidden::kWhenShown);
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  static constexpr char kName[] = "styleWhenShown";

  QWidget& hidden_;
};

void style(QWidget& widget) {
  if (!widget.testAttribute(Qt::WA_StyleSheet)) {
    return;  // not styled yet: the first time is when it is shown first
  }
  widget.style()->polish(&widget);
  QEvent event(QEvent::StyleChange);
  QCoreApplication::sendEvent(&widget, &event);
}

void styleInside(QWidget& root, Hidden hidden) {
  style(root);
  const QObjectList children = root.children();
  for (QObject* const child : children) {
    auto* const widget = qobject_cast<QWidget*>(child);
    if (widget == nullptr || widget->isWindow()) {
      continue;
    }
    if (hidden == Hidden::kWhenShown && widget->isHidden()) {
      StyleWhenShown::arrange(*widget);
    } else {
      styleInside(*widget, hidden);
    }
  }
}

}  // namespace

void changeSheetColors(QApplication& application, const QString& sheet) {
  // QApplication::setStyleSheet styles the widgets whose rules are cached; this empties the cache.
  QApplication::style()->unpolish(&application);
  application.setStyleSheet(sheet);
  const QWidgetList windows = QApplication::topLevelWidgets();
  for (QWidget* const window : windows) {
    // A hidden window may be rendered without being shown.
    styleInside(*window, window->isVisible() ? Hidden::kWhenShown : Hidden::kNow);
  }
}

}  // namespace dubito
