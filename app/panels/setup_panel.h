// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dubito {

/// A label whose plain text wraps; `role` chooses its style.
[[nodiscard]] QLabel* makeLabel(const char* role, const char* name, QWidget* parent);

/// Frame of the panels that open next to the pages to set something up: a title, a line that names
/// what is set up, a form that scrolls, and below it Close and the button that applies the form.
/// Never modal.
class SetupPanel : public QFrame {
  Q_OBJECT

 Q_SIGNALS:
  void closed();

 protected:
  /// `prefix` begins the object names of title, target and scroll area.
  SetupPanel(const char* prefix, const QString& title, QWidget* parent);

  /// Names what is set up, below the title.
  void setTarget(const QString& text);
  /// The layout inside the scroll area; its parentWidget() is the parent of what is added.
  [[nodiscard]] QVBoxLayout* contentLayout() { return content_layout_; }
  /// Adds a widget below the scroll area, above the buttons.
  void addBelow(QWidget* widget);
  /// Completes the panel, after everything else: the Tab key reaches the buttons last. Returns the
  /// button that applies the form.
  QPushButton* addButtons(const QString& text, const char* name, const char* close_name);

 private:
  QLabel* target_;
  QVBoxLayout* content_layout_;
  QVBoxLayout* layout_;
};

}  // namespace dubito
