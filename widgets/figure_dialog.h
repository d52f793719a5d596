// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

#include "widgets/figure_format.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;

namespace dubito {

/// Asks for the size, font size and look of a picture for a document or a slide.
class FigureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit FigureDialog(const FigureFormat& format, QWidget* parent = nullptr);

  [[nodiscard]] FigureFormat format() const;
  /// "pdf", "svg" or "png".
  [[nodiscard]] QString suffix() const;

 private:
  /// Sizes that many want; all choices stay open.
  void takePreset(int index);
  /// Shows all sizes in the unit chosen.
  void showSizes(const FigureFormat& format);

  QComboBox* preset_;
  QComboBox* unit_;
  bool in_pixels_ = false;  ///< unit of the numbers in the boxes
  QComboBox* kind_;
  QDoubleSpinBox* width_;
  QDoubleSpinBox* height_;
  QDoubleSpinBox* font_;
  QComboBox* theme_;
  QCheckBox* title_;
};

}  // namespace dubito
