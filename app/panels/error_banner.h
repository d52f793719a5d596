// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QHash>
#include <QStringList>

class QLabel;
class QToolButton;

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
  /// Offers lines of a program to copy, as long as the message `text` is shown.
  void offerLines(const QString& text, const QString& lines);
  /// Removes the message `text` if it is shown.
  void withdraw(const QString& text);
  /// Removes all messages.
  void dismiss();
  [[nodiscard]] const QStringList& messages() const { return messages_; }

 private:
  void showTexts();
  /// The lines that the newest of the messages with lines offers.
  [[nodiscard]] QString offeredLines() const;
  void showOffer();
  void copyLines();

  static constexpr int kShown = 3;  ///< maximum number of messages displayed at once

  QLabel* text_;
  QToolButton* copy_;
  QStringList messages_;
  QHash<QString, QString> lines_;  ///< by message
};

}  // namespace dubito
