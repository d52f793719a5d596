// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_memory.h"

#include <QEvent>
#include <QSettings>
#include <QSplitter>
#include <QWidget>

#include "widgets/card_rows.h"

namespace dubito {
namespace {

constexpr QSize kUsualSize(1440, 900);
/// Room for borders and title bar; those of common desktops are smaller.
constexpr QSize kFrame(16, 56);
constexpr const char* kGeometry = "window/geometry";

QString keyOf(const QSplitter& splitter) {
  return QStringLiteral("window/") + splitter.objectName();
}

}  // namespace

QSize initialWindowSize(const QSize& available) {
  return kUsualSize.boundedTo(available - kFrame);
}

WindowMemory::WindowMemory(QWidget& window, QSettings& settings)
    : QObject(&window), window_(window), settings_(settings) {
  window_.installEventFilter(this);
  if (const QByteArray geometry = settings_.value(QLatin1String(kGeometry)).toByteArray();
      !geometry.isEmpty()) {
    window_.restoreGeometry(geometry);
    // A presentation ends with its window.
    window_.setWindowState(window_.windowState().setFlag(Qt::WindowFullScreen, false));
  }
  restoreSplitters();
}

void WindowMemory::restoreSplitters() {
  for (QSplitter* const splitter : window_.findChildren<QSplitter*>()) {
    if (const QByteArray state = settings_.value(keyOf(*splitter)).toByteArray();
        !state.isEmpty()) {
      splitter->restoreState(state);
      for (QWidget* const widget : {static_cast<QWidget*>(splitter), splitter->parentWidget()}) {
        if (auto* const rows = qobject_cast<CardRows*>(widget)) {
          rows->keepSizes();
        }
      }
    }
  }
}

void WindowMemory::save() const {
  settings_.setValue(QLatin1String(kGeometry), window_.saveGeometry());
  for (const QSplitter* const splitter : window_.findChildren<QSplitter*>()) {
    settings_.setValue(keyOf(*splitter), splitter->saveState());
  }
}

bool WindowMemory::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::Close) {
    save();
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace dubito
