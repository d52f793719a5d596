// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMenu>

class QSettings;

namespace dubito {

/// How the window looks: its theme, and what else is given.
class ViewMenu : public QMenu {
  Q_OBJECT
 public:
  /// `settings` keep the choice and outlive the menu; `more` stands below the themes.
  ViewMenu(QSettings& settings, const QList<QAction*>& more, QWidget* parent = nullptr);

  /// Puts the menu of the panels below the themes.
  void addPanels(QMenu& panels);

 private:
  QAction* below_themes_;
};

}  // namespace dubito
