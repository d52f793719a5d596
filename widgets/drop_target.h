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

/// Empty state of a page: an icon, a line that says what to drop, and a button for the alternative
/// action. Accepts dropped files.
class DropTarget : public QWidget {
  Q_OBJECT
 public:
  explicit DropTarget(QWidget* parent = nullptr);

  /// "Drop a model or images here", and a muted second line.
  void setTexts(const QString& headline, const QString& detail);
  /// Text of the button; an empty one hides it.
  void setAction(const QString& text);

 Q_SIGNALS:
  void pathsDropped(const QStringList& paths);
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
