// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "app/review/settings/review_keys.h"

class QComboBox;
class QLabel;
class QLayout;
class QPushButton;
class QTreeWidget;

namespace dubito {

class LabelFile;

/// The keys of the Review page, to be changed: a command is chosen, then its new key is pressed. A
/// key that has another meaning is refused.
class ReviewKeyList : public QWidget {
  Q_OBJECT
 public:
  /// `file` has the classes, which have keys too; `page` is the page whose window has keys of its
  /// own. All must outlive the widget.
  ReviewKeyList(ReviewKeys& keys, const LabelFile& file, const QWidget& page,
                QWidget* parent = nullptr);

  /// Shows the current keys and classes.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Capture { kNone, kReplace, kAdd };
  [[nodiscard]] QLayout* makePresets();
  void fillCommands();
  [[nodiscard]] QLayout* makeButtons();
  [[nodiscard]] ReviewCommand chosen() const;
  void startCapture(Capture capture);
  void endCapture();
  void take(const QKeySequence& key);
  /// Why the command cannot have this key, as a sentence; empty if it can.
  [[nodiscard]] QString conflict(const QKeySequence& key, ReviewCommand command) const;
  [[nodiscard]] QString conflictWithWindow(const QKeySequence& key) const;
  /// A class that has lost its own key to the command.
  [[nodiscard]] QString warning(ReviewCommand command) const;
  void say(const QString& text, bool is_error);

  ReviewKeys& keys_;
  const LabelFile& file_;
  const QWidget& page_;
  Capture capture_ = Capture::kNone;
  QComboBox* preset_;
  QTreeWidget* list_;
  QPushButton* change_;
  QLabel* message_;
};

}  // namespace dubito
