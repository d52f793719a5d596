// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

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
  /// Arranges the entries for a legend outside the data area: in as few lines as `width` allows.
  void fitLines(int width);
  /// Width of the entries with full names, including room for summaries ("0.9876") even if there
  /// are none. The heading may be wider.
  [[nodiscard]] int fullWidth() const;
  [[nodiscard]] QString heading() const { return heading_; }

 private:
  /// Number of entries per line, and the width of such a line.
  struct Columns {
    int count;
    int width;
  };
  /// The largest number of columns whose lines fit into `width` with the current names.
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

/// Adds a legend above the axes, where it covers nothing, only as high as its lines.
[[nodiscard]] CurveLegend* addLegendAbove(QCustomPlot& plot);

}  // namespace dubito
