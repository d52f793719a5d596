// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/base/simplex_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// Distribution over the probabilities of three classes of one item.
struct SimplexValue {
  std::array<QString, 3> corners;         ///< class names: left, right, top
  std::optional<SimplexDensity> density;  ///< nullopt: no Dirichlet
  std::optional<Triple> mean;             ///< marked; nullopt: the plot is empty
  std::vector<Triple> draws;
  /// [m, 2 m], draws counted in small triangles. In units of 1/m in (p_0, p_1), counts[i][2 j] has
  /// the corners (i, j), (i + 1, j) and (i, j + 1), and counts[i][2 j + 1] the corners
  /// (i + 1, j + 1), (i + 1, j) and (i, j + 1).
  Array<std::int64_t> counts;
};

/// The probability simplex of three classes: the density with contour lines that enclose given
/// shares of the mass, draws as dots or as a histogram, mean and mode. Colours are logarithmic for
/// densities, linear for counts.
class SimplexPlot : public PlotBase {
  Q_OBJECT
 public:
  /// Coloured layer below the lines and marks.
  enum class View { kDensity, kHistogram };

  explicit SimplexPlot(QWidget* parent = nullptr);
  ~SimplexPlot() override;

  void setValue(SimplexValue value);
  [[nodiscard]] const SimplexValue& value() const { return value_; }
  void setView(View view);
  [[nodiscard]] View view() const { return view_; }
  /// Range of the density colours, in nats.
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
