// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <limits>
#include <optional>
#include <vector>

namespace dubito {

/// Content of a CompareTable: runs as rows, metrics as columns.
struct CompareTableValue {
  struct Column {
    QString name;
    QString explanation;
    std::optional<bool> high_is_good;  ///< nullopt: neither direction is better
    QString topic = {};                ///< help topic, see setHelpTopic
    bool hidden = false;               ///< exported nevertheless
  };
  struct Cell {
    QString text;  ///< "98.22 ± 0.04 %"
    double value = std::numeric_limits<double>::quiet_NaN();
    QString tooltip = {};
    /// Id of the set of items evaluated; only values with the same id are ranked against each
    /// other.
    int items = 0;
    bool is_warning = false;  ///< drawn in the colour of errors, for example a broken guarantee
    /// Sample standard deviation over the seeds, exported in a column of its own; NaN: unknown.
    double std_dev = std::numeric_limits<double>::quiet_NaN();
  };
  struct Row {
    QString name;
    QString detail;
    /// Evaluated on different items from the run shown, and therefore drawn muted.
    bool other_items = false;
    int run = -1;        ///< colour index of the run's curves, see Theme::runColor; -1: no curve
    int dash = 0;        ///< dash pattern of the run's curves, see StyledCurve
    bool shown = false;  ///< whether the other pages show this run
    std::vector<Cell> cells;
    int marker = 0;       ///< marker of the run's curves, see StyledCurve
    bool drawn = true;    ///< of a legend: ticked, so that the plots draw the run
    bool hidden = false;  ///< exported nevertheless
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
  QString row_heading = {};  ///< of the names of the rows; empty: "run"
  /// The table is the legend of plots: each row has a tick, and rows and columns can be hidden.
  bool is_legend = false;
};

}  // namespace dubito
