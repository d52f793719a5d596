// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "app/page/page_list.h"
#include "app/page/screenshot_step.h"

class QKeyEvent;

namespace dubito {

/// A page of the window.
class Page : public QWidget {
  Q_OBJECT
 public:
  Page(PageId id, QWidget* parent) : QWidget(parent), id_(id) {}

  [[nodiscard]] PageId id() const { return id_; }
  /// Whether it computes or reads something.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Whether it will look the same until something happens.
  [[nodiscard]] virtual bool settled() const { return !busy(); }

  /// Whether undo() and redo() take back steps of its own, rather than selections and filters.
  [[nodiscard]] virtual bool hasHistory() const { return false; }
  virtual void undo() {}
  virtual void redo() {}
  [[nodiscard]] virtual QList<QKeySequence> undoKeys() const { return {QKeySequence::Undo}; }
  [[nodiscard]] virtual QList<QKeySequence> redoKeys() const { return {QKeySequence::Redo}; }
  /// A key that no widget has used, wherever the focus is; false: it is not one of the page.
  virtual bool takeKey(const QKeyEvent& /*event*/) { return false; }
  /// Whether the window is shown to an audience: what only sets the page up gives way then.
  virtual void setPresented(bool /*presented*/) {}
  /// The way to its pictures, for a window without a user that shows it.
  [[nodiscard]] virtual std::vector<ScreenshotStep> screenshots() {
    return {ScreenshotStep{.name = QLatin1String(describe(id_).key)}};
  }

 Q_SIGNALS:
  /// `message` states what is concerned, the reason and what to do.
  void failed(const QString& message);
  /// A note for the user.
  void noticed(const QString& message);
  /// The cause of `message`, which failed() reported, is gone.
  void withdrawn(const QString& message);
  /// Files were dropped on the page, where it asks for them.
  void pathsDropped(const QStringList& paths);
  /// undoKeys() or redoKeys() changed.
  void historyKeysChanged();

 private:
  PageId id_;
};

}  // namespace dubito
