// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/base/simplex_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// The distribution over the probabilities of three classes for one item.
struct SimplexValue {
  std::array<QString, 3> corners;         ///< class names: left, right, top
  std::optional<SimplexDensity> density;  ///< nullopt if there is no Dirichlet
  std::optional<Triple> mean;             ///< mean, drawn as a mark; nullopt: the plot is empty
  std::vector<Triple> draws;
  /// Shape [m, 2 m]: number of draws in each small triangle. In coordinates (m p_0, m p_1),
  /// counts[i][2 j] belongs to the triangle with the corners (i, j), (i + 1, j) and (i, j + 1), and
  /// counts[i][2 j + 1] to that with the corners (i + 1, j + 1), (i + 1, j) and (i, j + 1).
  Array<std::int64_t> counts;
  /// A line, such as the ellipse of a Gaussian, and marks that the mouse drags; may be empty.
  std::vector<Triple> outline = {};
  std::vector<Triple> handles = {};
  QString outline_name = {};  ///< in the legend
};

/// Plot of the probability simplex of three classes: a density with contour lines that enclose
/// given shares of the probability mass, draws as dots or as a histogram, mean and mode. The colour
/// scale is logarithmic for densities and linear for counts.
class SimplexPlot : public PlotBase {
  Q_OBJECT
 public:
  /// What the colours below the lines and marks show.
  enum class View { kDensity, kHistogram };

  explicit SimplexPlot(QWidget* parent = nullptr);
  ~SimplexPlot() override;

  void setValue(SimplexValue value);
  [[nodiscard]] const SimplexValue& value() const { return value_; }
  /// Moves the outline and its handles; everything else stays.
  void setOutline(std::vector<Triple> outline, std::vector<Triple> handles);
  void setView(View view);
  [[nodiscard]] View view() const { return view_; }
  /// Range of the colour scale for log densities, in nats.
  static constexpr double kDepth = 6.907755278982137;  // a factor of 1000

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 Q_SIGNALS:
  /// A handle is being dragged to `probs`, inside the triangle.
  void handleMoved(int index, const dubito::Triple& probs);
  /// The handle was released.
  void handleReleased();

 protected:
  void rebuild() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;
  void fitLegend(const QSize& room) override;

 private:
  [[nodiscard]] bool showsCounts() const;
  void addLines();
  void addMarks();
  void addOutline();
  /// The handle under the mouse; -1: none.
  [[nodiscard]] int handleAt(const QPointF& position) const;
  /// Probabilities at a position of the inner plot; outside the triangle, some are negative.
  [[nodiscard]] Triple probsAt(const QPointF& position) const;
  void addCorners();
  void addScale();

  SimplexValue value_;
  View view_ = View::kDensity;
  int dragged_ = -1;      ///< handle; -1: none
  double highest_ = 0.0;  ///< log density with the brightest colour
};

}  // namespace dubito
