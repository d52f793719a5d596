// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>

#include "core/labs/regression/regression_preset.h"

class QCheckBox;

namespace dubito {

class NumberBox;

/// The row above the plots of a laboratory that shows and sets the ranges of their axes.
class LabAxes : public QWidget {
  Q_OBJECT
 public:
  explicit LabAxes(QWidget* parent = nullptr);

  /// Shows these ranges; a number that is being typed stays.
  void setAxes(const RegressionAxes& axes);

 Q_SIGNALS:
  /// The user typed a range, or fixed or released the axes.
  void axesChanged(const dubito::RegressionAxes& axes);
  /// The user wants the ranges that fit the data.
  void fitRequested();

 private:
  NumberBox* addNumber(const QString& name, const char* object_name);
  /// Takes over the numbers that were typed, unless a range has no extent.
  void takeNumbers();
  /// Marks the numbers of x and y that are no range.
  void showValidity(const std::array<bool, 2>& valid);
  void showNumbers();

  RegressionAxes axes_{{0.0, 1.0}, {0.0, 1.0}, false};
  std::array<NumberBox*, 4> numbers_{};  ///< ends of x, ends of y
  std::array<bool, 4> was_typed_{};      ///< since they were taken over
  QCheckBox* fixed_;
  QTimer typing_;  ///< runs while somebody types
};

}  // namespace dubito
