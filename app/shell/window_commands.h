// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include "app/page/page.h"

class QAction;
class QWidget;

namespace dubito {

/// The commands of the window that have a key or a place in the command palette. They are actions
/// of the window, whose names begin with "command", and only say what is asked for.
class WindowCommands : public QObject {
  Q_OBJECT
 public:
  /// Adds the actions to `window`, which outlives this object.
  explicit WindowCommands(QWidget& window);

  [[nodiscard]] QAction& cancel() { return *cancel_; }
  [[nodiscard]] QAction& reopen() { return *reopen_; }
  [[nodiscard]] QAction& undo() { return *undo_; }
  [[nodiscard]] QAction& redo() { return *redo_; }
  [[nodiscard]] QAction& palette() { return *palette_; }
  /// The commands that lead away from a review: other pages and computations.
  [[nodiscard]] const QList<QAction*>& hiddenInReview() const { return hidden_in_review_; }

 Q_SIGNALS:
  void openRequested();
  /// `method`: its name, to be chosen before; empty: the present one.
  void computeRequested(const QString& method);
  void cancelRequested();
  /// The run that was closed last.
  void reopenRequested();
  void pageRequested(dubito::PageId page);
  void undoRequested();
  void redoRequested();
  /// No item is to be selected.
  void clearRequested();
  /// An enlarged panel is to be restored; without one, as clearRequested().
  void backRequested();
  /// Another image is to be shown: the next (1) or the previous (-1).
  void stepRequested(int step);
  /// The pixels that matter for the class of the image are to be shown or hidden.
  void whyRequested();
  void paletteRequested();

 private:
  QAction* add(const char* name, const QString& text, const QKeySequence& keys,
               void (WindowCommands::*requested)());

  QWidget& window_;
  QAction* cancel_;
  QAction* reopen_;
  QAction* undo_;
  QAction* redo_;
  QAction* palette_;
  QList<QAction*> hidden_in_review_;
};

}  // namespace dubito
