// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/presentation.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QWidget>

#include "app/shell/page_stack.h"
#include "widgets/theme.h"

namespace dubito {

Presentation::Presentation(PageStack& pages, QWidget& window)
    : QObject(&window), pages_(pages), window_(window) {
  action_ = new QAction(tr("Presentation"), this);
  action_->setObjectName(QStringLiteral("commandPresent"));
  action_->setToolTip(tr("Show the page alone on the whole screen, with larger text; Esc returns"));
  action_->setShortcut(Qt::Key_F11);
  action_->setShortcutContext(Qt::ApplicationShortcut);
  action_->setCheckable(true);
  window.addAction(action_);
  connect(action_, &QAction::triggered, this, &Presentation::show);
  window.installEventFilter(this);
}

void Presentation::show(bool on) {
  action_->setChecked(on);
  if (on_ == on) {
    return;
  }
  on_ = on;
  for (Page* const page : pages_.all()) {
    page->setPresented(on);
  }
  Q_EMIT changed(on);
  if (auto* const application = qobject_cast<QApplication*>(QCoreApplication::instance())) {
    setLookScale(*application, on ? kScale : 1.0);
  }
  window_.setWindowState(window_.windowState().setFlag(Qt::WindowFullScreen, on));
}

bool Presentation::end() {
  const bool was_on = on_;
  show(false);
  return was_on;
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
  // The next window has usual text.
  if (watched == &window_ && event->type() == QEvent::Close) {
    show(false);
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace dubito
