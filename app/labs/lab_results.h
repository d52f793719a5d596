// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace dubito {

class LabBar;

/// The column at the right of a laboratory: its controls, what it says, and its plots and tables.
class LabResults : public QWidget {
  Q_OBJECT
 public:
  explicit LabResults(QWidget* parent);

  [[nodiscard]] QVBoxLayout& rows() const { return *rows_; }
  LabBar* addBar();
  /// A text that wraps, to be filled later.
  QLabel* addText(const char* name);
  /// The result in a sentence, in large letters.
  QLabel* addSentence(const char* name);
  /// What went wrong or must be known; hidden until there is something.
  QLabel* addNotes(const char* name);
  /// A row that gets `stretch` of the height.
  QHBoxLayout* addRow(int stretch = 0);

 private:
  QVBoxLayout* rows_;
};

}  // namespace dubito
