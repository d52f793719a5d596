// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "app/panels/glossary.h"

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace dubito {

/// Measures and metrics at the left, what the chosen one is at the right, a line that filters the
/// list above it. Not modal.
class GlossaryDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GlossaryDialog(QWidget* parent = nullptr);

  /// Opens, or comes to the front, at the entry of a topic; an unknown or empty one leaves the
  /// entry that was shown. The filter is emptied.
  void open(const QString& topic);
  /// Topic of the entry that is shown; empty if the filter leaves none.
  [[nodiscard]] QString topic() const;
  /// Topics in the list, from top to bottom.
  [[nodiscard]] QStringList listed() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void choose(const QString& topic);
  void step(int by);
  void showEntry();

  std::vector<GlossaryEntry> entries_;
  QLineEdit* filter_;
  QListWidget* list_;
  QTextBrowser* text_;
};

}  // namespace dubito
