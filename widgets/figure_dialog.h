// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include "widgets/figure_format.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace dubito {

/// Asks for the size, font size and look of a picture for a document.
class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit FigureDialog(const FigureFormat& format, QWidget* parent = nullptr);

  [[nodiscard]] FigureFormat format() const;
  /// "pdf", "svg" or "png".
  [[nodiscard]] QString suffix() const;

 private:
  QComboBox* kind_;
  QDoubleSpinBox* width_;
  QDoubleSpinBox* height_;
  QDoubleSpinBox* font_;
  QComboBox* theme_;
  QCheckBox* title_;
};

}  // namespace dubito
