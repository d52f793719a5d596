// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dubito {

/// A label with word-wrapped plain text; `role` selects its style.
[[nodiscard]] QLabel* makeLabel(const char* role, const char* name, QWidget* parent);

/// Frame of the setup panels that open next to the pages: a title, a line with the target, a
/// scrolling form, and below it Close and Apply buttons. Never modal.
class SetupPanel : public QFrame {
  Q_OBJECT

 Q_SIGNALS:
  void closed();

 protected:
  /// `prefix` starts the object names of title, target and scroll area.
  SetupPanel(const char* prefix, const QString& title, QWidget* parent);

  /// Names the target, below the title.
  void setTarget(const QString& text);
  /// The layout inside the scroll area; use its parentWidget() as parent of added widgets.
  [[nodiscard]] QVBoxLayout* contentLayout() { return content_layout_; }
  /// Adds a widget below the scroll area, above the buttons.
  void addBelow(QWidget* widget);
  /// Completes the panel; call last, so that the Tab key reaches the buttons last. Returns the
  /// button that applies the form.
  QPushButton* addButtons(const QString& text, const char* name, const char* close_name);

 private:
  QLabel* target_;
  QVBoxLayout* content_layout_;
  QVBoxLayout* layout_;
};

}  // namespace dubito
