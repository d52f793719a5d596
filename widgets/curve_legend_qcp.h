// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <cstddef>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// A legend position and the number of curve points it covers.
struct LegendSpot {
  QRect rect;
  std::ptrdiff_t covered = 0;
};

/// The rectangle of `size` inside `area` that covers the fewest `points` and, among ties, the
/// fewest `guides` (a diagonal). Candidates: the corners, then the middles of the sides, then a
/// grid.
[[nodiscard]] LegendSpot emptySpot(const QRect& area, const QSize& size,
                                   const std::vector<QPointF>& points,
                                   const std::vector<QPointF>& guides);

/// Samples a polyline at most about 4 px apart, so that long straight segments count too.
void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels);

/// One legend entry.
struct LegendEntry {
  QCPGraph* graph = nullptr;
  QString name;        ///< elided if it does not fit
  QString short_name;  ///< used if the names do not fit; may be empty
  QString summary;     ///< never elided; may be empty
};

/// A legend without a frame: a muted heading, then one entry per graph.
class CurveLegend : public QCPLegend {
 public:
  CurveLegend();

  void setEntries(const QString& heading, std::vector<LegendEntry> entries);
  /// Elides the names so that no line is wider than `width`; `shortened` forces short names where
  /// available.
  void fitTo(int width, bool shortened = false);
  /// Lays the entries out for a place outside the data area: several per line, in as few lines as
  /// `width` allows.
  void fitLines(int width);
  /// Width of the lines with full names and room for summaries ("0.9876"), present or not. The
  /// heading may be wider.
  [[nodiscard]] int fullWidth() const;
  [[nodiscard]] QString heading() const { return heading_; }

 private:
  /// Entries per line, and the width of such lines.
  struct Columns {
    int count;
    int width;
  };
  /// The largest count that fits the current names.
  [[nodiscard]] Columns columnsIn(int width) const;
  void arrange(FillOrder order, int wrap);
  void nameGraphs(int width, bool shortened);

  QString heading_;
  QCPTextElement* heading_text_ = nullptr;  ///< null if there is no heading
  std::vector<LegendEntry> entries_;
  /// Arguments of the last fit; 0: not fitted yet.
  int fitted_width_ = 0;
  bool fitted_shortened_ = false;
};

}  // namespace dubito
