// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QTabBar;

namespace dubito {

/// Header of the window: main actions, page tabs, and the View and Help menus. In a narrow window
/// the name of the program gives way to the tabs.
class HeaderBar : public QFrame {
  Q_OBJECT
 public:
  HeaderBar(QMenu* open_menu, QMenu* export_menu, QMenu* view_menu, QMenu* help_menu,
            QWidget* parent = nullptr);

  /// Adds a tab for a page. Tabs have the same indices as pages.
  void addPage(const QString& title);
  void setPage(int page);
  void setComputeOpen(bool open);
  /// Enables or disables the export button.
  void setExportEnabled(bool enabled);
  /// Shows `content` and the button for labels in place of tabs and actions.
  void showAlone(QWidget* content);
  /// Shows tabs and actions again; the content has no place then.
  void endAlone();

 Q_SIGNALS:
  void pageChosen(int page);
  void computeToggled(bool open);
  /// Labels are to be opened.
  void labelsRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();

  bool narrow_ = false;
  int roomy_width_ = 0;  ///< that everything needs
  QHBoxLayout* line_;
  QWidget* alone_ = nullptr;  ///< shown in place of the tabs
  QLabel* brand_;
  QPushButton* open_;
  QPushButton* open_labels_;
  QPushButton* compute_;
  QPushButton* export_;
  QTabBar* tabs_;
};

}  // namespace dubito
