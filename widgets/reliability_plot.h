// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A reliability diagram: a bar per non-empty bin for the accuracy, with its Wilson interval, the
/// diagonal, and below a strip with the number of items per bin on a logarithmic axis.
class ReliabilityPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit ReliabilityPlot(QWidget* parent = nullptr);
  ~ReliabilityPlot() override;

  void setDiagram(ReliabilityDiagram diagram);
  /// Sets the names of the x and the y axis. Default: "confidence" and "accuracy".
  void setQuantities(const QString& probability, const QString& share);
  [[nodiscard]] const ReliabilityDiagram& diagram() const { return diagram_; }
  /// Sets the upper end of the count axis to `items`; nullopt: computed from the bins.
  void setCountCeiling(std::optional<std::int64_t> items);
  /// Marks a bin without emitting a signal; nullopt: none.
  void setSelectedBin(std::optional<int> bin);
  [[nodiscard]] std::optional<int> selectedBin() const { return selected_; }

  /// Sets the diagram of the selected items, which has the same bins. Its accuracies are drawn as
  /// marks, its counts as the filled part of the strip. nullopt: no selection.
  void setSelected(std::optional<ReliabilityDiagram> selected);
  [[nodiscard]] const std::optional<ReliabilityDiagram>& selected() const {
    return selected_items_;
  }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// The column of a bin, possibly empty, was clicked.
  void binSelected(int bin);
  /// The marked bin was clicked again, which clears the selection.
  void selectionCleared();

 protected:
  void rebuild() override;
  void clicked(const QPointF& position) override;

 private:
  struct Parts;
  void fillSelected();
  [[nodiscard]] std::optional<int> binAt(const QPointF& position) const;

  ReliabilityDiagram diagram_;
  QString probability_;
  QString share_;
  std::optional<ReliabilityDiagram> selected_items_;
  std::optional<std::int64_t> count_ceiling_;
  std::optional<int> selected_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
