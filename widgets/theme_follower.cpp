// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme_follower.h"

#include <QEvent>
#include <QWidget>
#include <utility>

#include "widgets/theme.h"

namespace dubito {

ThemeFollower::ThemeFollower(QWidget& widget, std::function<void()> restyle)
    : QObject(&widget), widget_(widget), restyle_(std::move(restyle)) {
  widget.installEventFilter(this);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
    is_due_ = true;
    if (!canWait()) {
      catchUp();
    }
  });
}

void ThemeFollower::catchUp() {
  if (std::exchange(is_due_, false)) {
    restyle_();
  }
}

bool ThemeFollower::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) {
    catchUp();
  }
  return QObject::eventFilter(watched, event);
}

bool ThemeFollower::canWait() const {
  const QWidget* root = &widget_;
  while (root->parentWidget() != nullptr) {
    root = root->parentWidget();
  }
  // A widget of a program without a window is only rendered, which shows nothing.
  return root->isVisible() && !widget_.isVisible();
}

}  // namespace dubito
