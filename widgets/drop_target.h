// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QMimeData;
class QPushButton;

namespace dubito {

/// Local files and folders in `data`; empty if there are none.
[[nodiscard]] QStringList droppedPaths(const QMimeData& data);

/// Content of an empty page: an icon, a line that says which files to drop, and a button for an
/// alternative action. Accepts dropped files.
class DropTarget : public QWidget {
  Q_OBJECT
 public:
  /// Object names begin with `name`.
  explicit DropTarget(QWidget* parent = nullptr, const QString& name = QStringLiteral("drop"));

  /// Sets the headline ("Drop a model or images here") and a muted second line.
  void setTexts(const QString& headline, const QString& detail);
  /// Sets the text of the button; an empty text hides the button.
  void setAction(const QString& text);

 Q_SIGNALS:
  void pathsDropped(const QStringList& paths);
  /// The button was pressed.
  void primaryRequested();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* headline_;
  QLabel* detail_;
  QPushButton* primary_;
  bool hovered_ = false;
};

}  // namespace dubito
