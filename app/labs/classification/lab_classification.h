// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/classification/classification_runner.h"
#include "app/labs/classification/lab_classification_data.h"
#include "app/labs/lab_methods_view.h"
#include "widgets/class_map_plot.h"
#include "widgets/curve_plot.h"

class QCheckBox;
class QComboBox;

namespace dubito {

class ColorScale;
class ValueSlider;
struct ClassMapInfo;

/// The classification laboratory: points of several classes, one map per method, and a table of
/// scores.
class LabClassification
    : public LabMethodsView<ClassificationRunner, LabClassificationData, ClassMapPlot> {
 public:
  explicit LabClassification(const LabParts& parts, QWidget* parent = nullptr);

 private:
  [[nodiscard]] QWidget* buildMapBar(QWidget* parent);
  [[nodiscard]] int columnsOf(int count) const override;
  void showPlot(std::size_t index) override;
  /// The ends of the colours and the meaning of the chosen map.
  void showCommon() override;
  [[nodiscard]] CompareTableValue tableValue() const override;
  [[nodiscard]] QString tableCaption() const override;
  /// The reliability diagram.
  void showDetails() override;
  void addShown(ClassificationPreset& preset) const override;
  void showPreset(const ClassificationPreset& preset) override;
  void forgetSource(ClassData& edited) const override;
  void forgetLabels(ClassData& edited) const override;
  void addPoint(double x1, double x2, ClassData& edited) const override;
  void completeOwn(ClassData& edited) const override;
  [[nodiscard]] const ClassMapInfo& chosenMap() const;

  LabCard<CurvePlot> reliability_;
  QComboBox* maps_;
  ColorScale* scale_;
  QCheckBox* functions_;
  ValueSlider* zoom_;
};

}  // namespace dubito
