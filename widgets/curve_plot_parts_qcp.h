// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "widgets/curve_legend_qcp.h"
#include "widgets/curve_plot.h"
#include "widgets/plot_parts_qcp.h"

namespace dubito {

/// Pixels around the legend of a CurvePlot.
inline constexpr int kLegendMargin = 4;
/// Up to this width, in pixels, the axes of a ROC curve whose legend is elsewhere may be wider than
/// high.
inline constexpr int kWidthWithoutLegend = 320;

inline bool isOfSelection(const StyledCurve& styled) {
  return styled.role == StyledCurve::Role::kSelection;
}

/// Neither a selection curve nor a reference (references can belong to a selection).
inline bool isOfAll(const StyledCurve& styled) {
  return styled.role == StyledCurve::Role::kRun || styled.role == StyledCurve::Role::kBackground;
}

/// Whether a curve changes with the selected items.
inline bool followsSelection(const StyledCurve& styled) {
  return isOfSelection(styled) || styled.role == StyledCurve::Role::kReference;
}

struct CurvePlot::Parts {
  std::vector<QCPGraph*> graphs;
  std::vector<QCPErrorBars*> bars;
  std::vector<QCPAbstractItem*> shade;  ///< rectangle and name; empty: none
  QCPGraph* baseline = nullptr;
  QCPGraph* marker = nullptr;
  QCPGraph* level = nullptr;
  CurveLegend* legend = nullptr;
  bool has_selected_layer = false;
  bool selected_is_painted = false;  ///< the layer has a buffer

  /// Inputs that decide where the legend fits, apart from the curves and the marker.
  struct Surroundings {
    QRect area;
    QSize legend;
    QCPRange x;
    QCPRange y;
    friend bool operator==(const Surroundings&, const Surroundings&) = default;
  };
  /// State at the last placement; nullopt: place the legend again.
  std::optional<Surroundings> placed_in;
  bool legend_outside = false;  ///< above the axes instead of inside
  /// Widget size for which `legend_outside` was decided; nullopt: decide again.
  std::optional<QSize> side_chosen_for;
  /// While the level is dragged: from the mouse to the line, in pixels.
  std::optional<double> grabbed_at;
};

}  // namespace dubito
