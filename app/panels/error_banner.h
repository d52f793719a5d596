// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;

namespace dubito {

/// A banner across the window that shows error messages and notes until they are dismissed. Several
/// messages are stacked, newest first.
class ErrorBanner : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorBanner(QWidget* parent = nullptr);

  /// Adds a message, styled as an error or as a note. Command-line options in it are replaced with
  /// the terms of the window (withWindowLabels).
  void show(const QString& text, bool error);
  /// Removes the message `text` if it is shown.
  void withdraw(const QString& text);
  /// Removes all messages.
  void dismiss();
  [[nodiscard]] const QStringList& messages() const { return messages_; }

 private:
  void showTexts();

  static constexpr int kShown = 3;  ///< maximum number of messages displayed at once

  QLabel* text_;
  QStringList messages_;
};

}  // namespace dubito
