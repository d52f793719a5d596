// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMenu>

class QSettings;

namespace dubito {

/// The View menu: themes and further actions.
class ViewMenu : public QMenu {
  Q_OBJECT
 public:
  /// `settings` stores the chosen theme and must outlive the menu. The actions `more` are added
  /// below the themes.
  ViewMenu(QSettings& settings, const QList<QAction*>& more, QWidget* parent = nullptr);

  /// Adds the submenu `panels` below the themes.
  void addPanels(QMenu& panels);
  /// Adds a switch of the whole window at the end.
  void addSwitch(QAction& action);

 private:
  QAction* below_themes_;
};

}  // namespace dubito
