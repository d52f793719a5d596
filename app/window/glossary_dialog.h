// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "app/panels/glossary.h"

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace dubito {

/// Measures and metrics on the left with a filter above, the selected entry on the right.
/// Non-modal.
class GlossaryDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GlossaryDialog(QWidget* parent = nullptr);

  /// Opens or raises the dialog at the entry of a topic; an unknown or empty topic keeps the
  /// current entry. Clears the filter.
  void open(const QString& topic);
  /// Topic of the entry shown; empty if the filter matches none.
  [[nodiscard]] QString topic() const;
  /// Topics in the list, top to bottom.
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
