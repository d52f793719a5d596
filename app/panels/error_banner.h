// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;

namespace dubito {

/// Shows errors and how to fix them across the window until dismissed; never modal. Several
/// messages are stacked, newest first.
class ErrorBanner : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorBanner(QWidget* parent = nullptr);

  /// `error`: an error, otherwise a note. Command line options are translated to window terms
  /// (withWindowLabels).
  void show(const QString& text, bool error);
  /// Removes one message if it is shown.
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
