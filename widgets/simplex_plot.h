// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/base/simplex_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// What is known of the probabilities of three classes of one item.
struct SimplexValue {
  std::array<QString, 3> corners;         ///< class names: left, right, top
  std::optional<SimplexDensity> density;  ///< nothing: there is no Dirichlet
  std::optional<Triple> mean;             ///< marked; nothing: the plot is empty
  std::vector<Triple> draws;
  /// [m, 2 m], draws in small triangles: counts[i][2 j] lies between the corners (i, j), (i + 1, j)
  /// and (i, j + 1) in m times (p_0, p_1), counts[i][2 j + 1] between (i + 1, j + 1), (i + 1, j)
  /// and (i, j + 1).
  Array<std::int64_t> counts;
};

/// The triangle of all probabilities of three classes: the density with lines that enclose shares
/// of it, draws as dots or as a histogram, mean and mode. Colours are logarithmic for densities,
/// linear for counts.
class SimplexPlot : public PlotBase {
  Q_OBJECT
 public:
  /// What lies in colour below the lines and marks.
  enum class View { kDensity, kHistogram };

  explicit SimplexPlot(QWidget* parent = nullptr);
  ~SimplexPlot() override;

  void setValue(SimplexValue value);
  [[nodiscard]] const SimplexValue& value() const { return value_; }
  void setView(View view);
  [[nodiscard]] View view() const { return view_; }
  /// Nats from the brightest to the darkest colour of a density.
  static constexpr double kDepth = 6.907755278982137;  // a factor of 1000

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;

 private:
  [[nodiscard]] bool showsCounts() const;
  void addLines();
  void addMarks();
  void addCorners();
  void addScale();

  SimplexValue value_;
  View view_ = View::kDensity;
  double highest_ = 0.0;  ///< log density of the brightest colour
};

}  // namespace dubito
