// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

#include "app/session/workbench.h"

namespace dubito {

/// Files dropped on the window or given as arguments.
class FileDrop : public QObject {
  Q_OBJECT
 public:
  /// Watches `window`; both arguments outlive this object.
  FileDrop(Workbench& workbench, QWidget& window);

  /// Opens paths or dataset specifications.
  void open(const QStringList& paths, bool ood);
  /// Like open, but if a dataset could be either in or out of distribution, a menu at `position`
  /// asks, unless `ood` is set.
  void drop(const QStringList& paths, bool ood, const QPoint& position);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Workbench& workbench_;
  QWidget& window_;
};

}  // namespace dubito
