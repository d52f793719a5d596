// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "widgets/item_view_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// The most probable classes of one item, one row each: a bar for the mean probability, a dot per
/// draw, and the value at the right. The predicted and the true class are marked by colour, font
/// weight and text. On the logit scale, a tick marks the mean of the draws in place of the bar.
class ClassProbabilityPlot : public PlotBase {
  Q_OBJECT
 public:
  enum class Scale { kProbability, kLogit };

  explicit ClassProbabilityPlot(QWidget* parent = nullptr);
  ~ClassProbabilityPlot() override;

  void setProbabilities(ItemProbabilities value);
  [[nodiscard]] const ItemProbabilities& probabilities() const { return value_; }
  /// Without logits in the value, kLogit also shows probabilities.
  void setScale(Scale scale);
  [[nodiscard]] Scale scale() const { return scale_; }
  /// Maximum number of rows, >= 1; the true class is always included.
  void setMaxClasses(int count);
  /// Class indices of the rows, top to bottom.
  [[nodiscard]] const std::vector<int>& shownClasses() const { return shown_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;

 private:
  struct Parts;
  void chooseClasses();
  [[nodiscard]] bool showsLogits() const;
  /// Positions [T] of the dots of class `c`, and the position of the mark for their mean.
  [[nodiscard]] std::vector<double> drawsOf(std::size_t c) const;
  [[nodiscard]] double markOf(std::size_t c) const;
  void addDots(std::size_t c, double height, const QColor& color);
  void addBar(std::size_t c, double height, const QColor& color, const QString& name);
  /// Number of classes without a row, and their total probability.
  [[nodiscard]] int hiddenClasses() const;
  [[nodiscard]] double hiddenProbability() const;
  /// The full axis range.
  [[nodiscard]] std::pair<double, double> fullRange() const;

  ItemProbabilities value_;
  Scale scale_ = Scale::kProbability;
  int maximum_classes_ = 6;
  std::vector<int> shown_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
