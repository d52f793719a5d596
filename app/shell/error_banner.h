// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>
#include <QHash>
#include <QSet>
#include <QStringList>
#include <functional>

class QLabel;
class QToolButton;

namespace dubito {

/// A banner across the window that shows error messages and notes until they are dismissed. Several
/// messages are stacked, newest first.
class ErrorBanner : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorBanner(QWidget* parent = nullptr);

  /// Adds a message, styled as an error or as a note. It is shown as it is: of an Error, its
  /// errorText().
  void show(const QString& text, bool error);
  /// A button next to the messages.
  struct Offer {
    QString label;
    QString tooltip;
    std::function<void()> act;
  };
  /// Offers what removes the cause of the message `text`, as long as it is shown.
  void offer(const QString& text, const Offer& offer);
  /// Offers lines of a program to copy.
  void offerLines(const QString& text, const QString& lines);
  /// Removes the message `text` if it is shown.
  void withdraw(const QString& text);
  /// Removes all messages.
  void dismiss();
  [[nodiscard]] const QStringList& messages() const { return messages_; }
  /// The colour of its edge: orange if any message is an error, blue if all are notes.
  [[nodiscard]] QColor edgeColor() const;

 private:
  void showTexts();
  void restyle();
  /// The offer of the newest message that has one; nullptr if there is none.
  [[nodiscard]] const Offer* newestOffer() const;
  void showOffer();

  static constexpr int kShown = 3;  ///< maximum number of messages displayed at once

  QLabel* text_;
  QToolButton* offer_;
  QStringList messages_;
  QSet<QString> errors_;          ///< those of messages_ that are no notes
  QHash<QString, Offer> offers_;  ///< by message
};

}  // namespace dubito
