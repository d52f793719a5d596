// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QString>

#include "app/review/labels/decision_text.h"

class QMenu;

namespace dubito {

struct LabelFormat;
class Reviewer;

/// Writes the labels for other programs: a button with a menu of the formats.
class ReviewExport : public QPushButton {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewExport(Reviewer& reviewer, QWidget* parent = nullptr);

  /// For tests: the next file dialog is skipped and returns `name`.
  void setNextFileName(const QString& name) { next_file_name_ = name; }

 Q_SIGNALS:
  /// The labels are in the file. `details`: what it does not hold, a line each.
  void written(const QString& text, const QString& details);

 private:
  /// Adds the choices for undecided images and for shapes.
  void addChoices(QMenu& menu);
  void exportAs(const LabelFormat& format);

  Reviewer& reviewer_;
  QString next_file_name_;
};

}  // namespace dubito
