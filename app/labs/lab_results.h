// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <initializer_list>
#include <string>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace dubito {

class Card;
class LabBar;
class LabPlayer;

/// The column at the right of a laboratory: its controls, what it says, and its plots and tables.
class LabResults : public QWidget {
  Q_OBJECT
 public:
  explicit LabResults(QWidget* parent);

  [[nodiscard]] QVBoxLayout& rows() const { return *rows_; }
  /// The controls of `runner`, which outlives this.
  LabBar* addBar(LabPlayer& runner);
  /// A text that wraps, to be filled later.
  QLabel* addText(const char* name);
  /// The result in a sentence, in large letters.
  QLabel* addSentence(const char* name);
  /// What went wrong or must be known; hidden until there is something.
  QLabel* addNotes(const char* name);
  /// A row that gets `stretch` of the height.
  QHBoxLayout* addRow(int stretch = 0);
  /// A row of cards, equally wide and at least `height` high.
  QHBoxLayout* addCards(std::initializer_list<Card*> cards, int height);

 private:
  QVBoxLayout* rows_;
};

/// A column of further cards in a row, with `stretch` of its width.
QVBoxLayout* addColumn(QBoxLayout& row, int stretch);

/// Shows why a laboratory stopped and what must be known about its result, one line each, in a
/// label of LabResults::addNotes(); hides it if there is nothing.
void showNotes(QLabel& notes, const QString& error, const std::vector<std::string>& warnings = {});

}  // namespace dubito
