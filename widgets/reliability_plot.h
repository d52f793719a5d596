// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// A reliability diagram: accuracy per bin as bars (empty bins stay blank), Wilson intervals, the
/// diagonal, and a strip of counts on a logarithmic axis below.
class ReliabilityPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit ReliabilityPlot(QWidget* parent = nullptr);
  ~ReliabilityPlot() override;

  void setDiagram(ReliabilityDiagram diagram);
  /// Axis names; by default "confidence" and "accuracy".
  void setQuantities(const QString& probability, const QString& share);
  [[nodiscard]] const ReliabilityDiagram& diagram() const { return diagram_; }
  /// Fixes the count axis for up to `items` items; nullopt: from the bins.
  void setCountCeiling(std::optional<std::int64_t> items);
  /// Marks a bin without emitting a signal.
  void setSelectedBin(std::optional<int> bin);
  [[nodiscard]] std::optional<int> selectedBin() const { return selected_; }

  /// The same bins for the selected items only: their accuracies as marks, their counts as the
  /// filled part of the strip. nullopt: no selection.
  void setSelected(std::optional<ReliabilityDiagram> selected);
  [[nodiscard]] const std::optional<ReliabilityDiagram>& selected() const {
    return selected_items_;
  }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// Column of bin `bin` was clicked; the bin may be empty.
  void binSelected(int bin);
  /// The marked bin was clicked again.
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
