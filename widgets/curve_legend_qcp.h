// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <cstddef>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// A place for a legend, and how many points of curves it covers.
struct LegendSpot {
  QRect rect;
  std::ptrdiff_t covered = 0;
};

/// The rectangle of `size` inside `area` that covers the fewest of `points` and, among equals, the
/// fewest of `guides` (a diagonal): corners first, then the middles of the sides, then a raster.
[[nodiscard]] LegendSpot emptySpot(const QRect& area, const QSize& size,
                                   const std::vector<QPointF>& points,
                                   const std::vector<QPointF>& guides);

/// Pixels along a polyline, at most about 4 px apart, so that long straight parts count too.
void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels);

/// A line of a legend.
struct LegendEntry {
  QCPGraph* graph = nullptr;
  QString name;        ///< elided where there is no room
  QString short_name;  ///< takes its place where the names have no room; may be empty
  QString summary;     ///< always whole; may be empty
};

/// A legend without a frame: a muted heading, then one entry a graph.
class CurveLegend : public QCPLegend {
 public:
  CurveLegend();

  void setEntries(const QString& heading, std::vector<LegendEntry> entries);
  /// Names the graphs so that no line is wider than `width`; with `shortened` by their short names,
  /// if they have any, in any case.
  void fitTo(int width, bool shortened = false);
  /// The same for a place outside of the data: several entries a line, in as few lines as `width`
  /// has room for.
  void fitLines(int width);
  /// So wide are its lines with whole names and room for summaries, there or not ("0.9876"). The
  /// heading may be wider.
  [[nodiscard]] int wholeWidth() const;
  [[nodiscard]] QString heading() const { return heading_; }

 private:
  /// How many entries stand in a line, and how wide such lines are.
  struct Columns {
    int count;
    int width;
  };
  /// The most for the present names.
  [[nodiscard]] Columns columnsIn(int width) const;
  void arrange(FillOrder order, int wrap);
  void nameGraphs(int width, bool shortened);

  QString heading_;
  QCPTextElement* heading_text_ = nullptr;  ///< as long as there is a heading
  std::vector<LegendEntry> entries_;
  /// What the names were last fitted to; 0: not yet.
  int fitted_width_ = 0;
  bool fitted_shortened_ = false;
};

}  // namespace dubito
