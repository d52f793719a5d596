// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QMenu;
class QPushButton;
class QTabBar;

namespace dubito {

/// The line at the top: few verbs, the pages as tabs, the menus of view and help.
class HeaderBar : public QFrame {
  Q_OBJECT
 public:
  HeaderBar(QMenu* open_menu, QMenu* export_menu, QMenu* view_menu, QMenu* help_menu,
            QWidget* parent = nullptr);

  /// Adds a tab; its number is that of the page.
  void addPage(const QString& title);
  void setPage(int page);
  void setComputeOpen(bool open);
  /// Export needs something to export.
  void setExportEnabled(bool enabled);

 Q_SIGNALS:
  void pageChosen(int page);
  void computeToggled(bool open);

 private:
  QPushButton* compute_;
  QPushButton* export_;
  QTabBar* tabs_;
};

}  // namespace dubito
