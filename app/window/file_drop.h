// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

#include "app/session/workbench.h"

namespace dubito {

/// Files that are dropped anywhere on the window, or given as arguments.
class FileDrop : public QObject {
  Q_OBJECT
 public:
  /// Watches `window`; both outlive this.
  FileDrop(Workbench& workbench, QWidget& window);

  /// Opens paths or specifications of datasets.
  void open(const QStringList& paths, bool ood);
  /// The same; but where a dataset could be either in or out of distribution, a small menu at
  /// `position` asks, unless `ood` says it.
  void drop(const QStringList& paths, bool ood, const QPoint& position);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Workbench& workbench_;
  QWidget& window_;
};

}  // namespace dubito
