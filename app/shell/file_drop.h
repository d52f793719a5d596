// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

#include "app/session/session.h"
#include "app/workbench/file_opener.h"

namespace dubito {

/// Opens files that are dropped on the window or passed as program arguments.
class FileDrop : public QObject {
  Q_OBJECT
 public:
  /// Handles drop events of `window`. Both arguments must outlive this object.
  FileDrop(Session& session, FileOpener& opener, QWidget& window);

  /// Opens paths or dataset specifications; `ood`: as OOD datasets.
  void open(const QStringList& paths, bool ood);
  /// Like open(). If a dataset could be in or out of distribution and `ood` is false, asks the user
  /// in a menu at `position`.
  void drop(const QStringList& paths, bool ood, const QPoint& position);
  /// Like drop(), with the menu at the mouse; as OOD datasets while Shift is pressed.
  void dropAtMouse(const QStringList& paths);
  /// Folders and tables are labels of images from now on, rather than datasets and predictions.
  void setPrefersLabels(bool prefers) { prefers_labels_ = prefers; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Session& session_;
  FileOpener& opener_;
  QWidget& window_;
  bool prefers_labels_ = false;
};

}  // namespace dubito
