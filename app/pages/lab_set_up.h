// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/card.h"

class QLabel;
class QVBoxLayout;

namespace dubito {

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

 private:
  QWidget* body_;
  QVBoxLayout* rows_;
};

}  // namespace dubito
