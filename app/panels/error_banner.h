// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;

namespace dubito {

/// Says across the window what went wrong and how to mend it, until it is dismissed; never modal.
/// Several messages stand below each other, the newest first.
class ErrorBanner : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorBanner(QWidget* parent = nullptr);

  /// `error`: something failed; otherwise a note. Options of the command line are named as the
  /// window names them (inWindowWords).
  void show(const QString& text, bool error);
  /// Takes one message away, if it is shown.
  void withdraw(const QString& text);
  void dismiss();
  [[nodiscard]] const QStringList& messages() const { return messages_; }

 private:
  void showTexts();

  static constexpr int kShown = 3;

  QLabel* text_;
  QStringList messages_;
};

}  // namespace dubito
