// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include "widgets/card.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace dubito {

class OptionsForm;

/// The column at the left of a laboratory in which data, methods and options are chosen: a card of
/// fixed width whose rows scroll.
class LabSetUp : public Card {
  Q_OBJECT
 public:
  LabSetUp(const QString& title, const char* name, int width, QWidget* parent);

  /// The parent of the rows, and their layout.
  [[nodiscard]] QWidget* body() const { return body_; }
  [[nodiscard]] QVBoxLayout& rows() const { return *rows_; }
  void addHeading(const QString& text);
  /// A muted text that wraps, to be filled later.
  QLabel* addText(const char* name);
  /// A list to choose from, to be filled later.
  QComboBox* addList(const QString& title, const char* name);
  /// A list with a heading above it, and below it a text named `name` + "Text".
  QComboBox* addChoice(const QString& title, const char* name, QLabel*& text);
  /// A number of 0 or more, with its label before it.
  std::pair<QLabel*, QSpinBox*> addNumber(const QString& title, const char* name,
                                          const QString& tip);
  OptionsForm* addForm(const char* name);

 private:
  QWidget* body_;
  QVBoxLayout* rows_;
};

}  // namespace dubito
