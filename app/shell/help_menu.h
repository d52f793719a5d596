// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <functional>

class QKeySequence;
class QMainWindow;

namespace dubito {

class GlossaryDialog;
class TextWindow;
class Tour;
struct LaboratoryInfo;

/// The Help menu: glossary, laboratories, keyboard shortcuts, tour, About. Its actions are also
/// added to the window, so that their shortcuts work everywhere.
class HelpMenu : public QMenu {
  Q_OBJECT
 public:
  /// `page` returns the current page; `tour` outlives the menu.
  HelpMenu(QMainWindow& window, Tour& tour, std::function<QWidget*()> page);

 private:
  void add(const char* name, const QString& text, const QKeySequence& keys,
           const std::function<void()>& action);
  /// The laboratory or the entry of the glossary that belongs to what is under the mouse.
  void showTopic();
  void showGlossary(const QString& topic);
  /// The page of the user guide on the laboratories; on one of them, if it is not null.
  void showLaboratories(const LaboratoryInfo* laboratory);
  /// Of the widget under the mouse, else of the focused widget, else of the page.
  [[nodiscard]] QString topic() const;
  void showKeys();
  /// How to review the labels of another program.
  void showLabels();
  void showAbout();

  QMainWindow& window_;
  std::function<QWidget*()> page_;
  GlossaryDialog* glossary_ = nullptr;
  TextWindow* keys_ = nullptr;
  TextWindow* about_ = nullptr;
  TextWindow* labels_ = nullptr;
  TextWindow* laboratories_ = nullptr;
};

}  // namespace dubito
