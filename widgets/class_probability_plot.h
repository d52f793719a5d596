// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "widgets/item_view_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// The most probable classes of one item: a bar for the mean probability, a dot for each draw, the
/// value at the right; the predicted and the true class are marked by colour, weight and a word.
class ClassProbabilityPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit ClassProbabilityPlot(QWidget* parent = nullptr);
  ~ClassProbabilityPlot() override;

  void setProbabilities(ItemProbabilities value);
  [[nodiscard]] const ItemProbabilities& probabilities() const { return value_; }
  /// Rows at most, >= 1; the true class is shown in any case.
  void setMaximumClasses(int count);
  /// Class numbers of the rows, top to bottom.
  [[nodiscard]] const std::vector<int>& shownClasses() const { return shown_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;

 private:
  struct Parts;
  void chooseClasses();

  ItemProbabilities value_;
  int maximum_classes_ = 6;
  std::vector<int> shown_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
