// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "core/measures/laplace_bridge.h"

class QComboBox;
class QLabel;

namespace dubito {

class ValueSlider;
struct SliderRange;

/// The editor of a Gaussian over two or three logits: a preset, means, standard deviations and
/// correlations. What is not moved keeps its exact value.
class LabSimplexGaussian : public QWidget {
  Q_OBJECT
 public:
  explicit LabSimplexGaussian(QWidget* parent = nullptr);

  /// Shows a Gaussian that was changed elsewhere; emits nothing.
  void setValue(const LogitGaussian& gaussian);
  /// setValue() for a Gaussian with an explanation, which is shown until it changes.
  void setExplained(const LogitGaussian& gaussian, const QString& explanation);
  [[nodiscard]] const LogitGaussian& value() const { return value_; }

 Q_SIGNALS:
  /// The user changed the Gaussian; `moving`: and is still dragging a slider.
  void edited(bool moving);
  void presetChosen();

 private:
  [[nodiscard]] std::size_t classes() const { return value_.mean.size(); }
  /// A slider per name, called `object` and its number from 1 on; `apply` takes its value over.
  [[nodiscard]] std::vector<ValueSlider*> addSliders(
      const QString& heading, const char* object, const std::array<const char*, 3>& names,
      const SliderRange& range, QString (*tip)(std::size_t number),
      void (LabSimplexGaussian::*apply)(std::size_t, double));
  void choosePreset();
  void applyMean(std::size_t k, double mean);
  void applyDeviation(std::size_t k, double deviation);
  void applyCorrelation(std::size_t pair, double correlation);
  void showValue();

  LogitGaussian value_;
  QComboBox* presets_;
  QLabel* explanation_;
  std::vector<ValueSlider*> means_;
  std::vector<ValueSlider*> deviations_;
  std::vector<ValueSlider*> correlations_;  ///< of the pairs (0, 1), (0, 2), (1, 2)
};

}  // namespace dubito
