// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dubito {

/// Base class of the setup panels, which open next to the pages and are not modal: a title, a line
/// with the model or dataset concerned, a scrolling form, and below it Close and Apply buttons.
class SetupPanel : public QFrame {
  Q_OBJECT
 public:
  /// What would be lost if the panel were closed now, as a sentence with the file or object
  /// concerned; empty: nothing.
  [[nodiscard]] virtual QString unsavedEdits() const { return {}; }
  /// Whether saveEdits() can succeed.
  [[nodiscard]] virtual bool canSaveEdits() const { return false; }
  /// Saves and applies the edits.
  virtual void saveEdits() {}
  /// Takes the edits back.
  virtual void discardEdits() {}

 Q_SIGNALS:
  /// The panel has nothing to show any more.
  void closed();
  /// The user wants to close the panel.
  void closeRequested();

 protected:
  /// `prefix` is the prefix of the object names of title, target and scroll area.
  SetupPanel(const char* prefix, const QString& title, QWidget* parent);

  /// Sets the line below the title, which names the model or dataset concerned.
  void setTarget(const QString& text);
  /// The layout inside the scroll area; use its parentWidget() as parent of added widgets.
  [[nodiscard]] QVBoxLayout* contentLayout() { return content_layout_; }
  /// Adds a widget below the scroll area, above the buttons.
  void addBelow(QWidget* widget);
  /// Adds the Close button and a button with `text`, which applies the form, and returns the
  /// latter. `name` and `close_name` are object names. Call this last, so that the buttons come
  /// last in the tab order.
  QPushButton* addButtons(const QString& text, const char* name, const char* close_name);

 private:
  QLabel* target_;
  QVBoxLayout* content_layout_;
  QVBoxLayout* layout_;
};

}  // namespace dubito
