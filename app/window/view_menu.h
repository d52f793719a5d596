// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMenu>

class QSettings;

namespace dubito {

/// View menu: themes and further actions.
class ViewMenu : public QMenu {
  Q_OBJECT
 public:
  /// `settings` stores the theme and outlives the menu; `more` is placed below the themes.
  ViewMenu(QSettings& settings, const QList<QAction*>& more, QWidget* parent = nullptr);

  /// Adds the panels menu below the themes.
  void addPanels(QMenu& panels);

 private:
  QAction* below_themes_;
};

}  // namespace dubito
