// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "app/words/glossary_entries.h"

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace dubito {

/// The glossary: a filter and a list of measures and metrics on the left, the selected entry on the
/// right. Not modal.
class GlossaryDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GlossaryDialog(QWidget* parent = nullptr);

  /// Opens or raises the dialog, clears the filter and shows the entry of `topic`. If the topic is
  /// unknown or empty, keeps the current entry.
  void open(const QString& topic);
  /// Topic of the entry shown; empty if no entry matches the filter.
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
