// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/base/array.h"
#include "widgets/exporter.h"
#include "widgets/plot_table.h"

namespace dubito {

/// What a confusion matrix shows.
struct ConfusionValue {
  QStringList class_names;     ///< [K]
  Array<std::int64_t> counts;  ///< [K, K], rows by true class, columns by predicted class
};

/// A cell: items of one true class that are predicted as another, or the same.
struct ConfusionCell {
  int label = 0;
  int predicted = 0;
  friend bool operator==(const ConfusionCell&, const ConfusionCell&) = default;
};

/// Counts of true against predicted classes as a grid of cells. Right ones on the diagonal are
/// blue, mistakes orange, both the stronger the larger their share of the true class; the share of
/// a mistake is drawn by its square root, so that rare ones are seen. A click or Return chooses a
/// cell, the arrow keys walk. From two classes to thousands: where cells have no room for figures
/// or names, these are thinned out.
class ConfusionMatrix : public QWidget {
  Q_OBJECT
 public:
  explicit ConfusionMatrix(QWidget* parent = nullptr);

  void setValue(ConfusionValue value);
  [[nodiscard]] const ConfusionValue& value() const { return value_; }
  /// The cell with a frame; none: nothing is chosen.
  void setSelected(std::optional<ConfusionCell> cell);
  [[nodiscard]] std::optional<ConfusionCell> selected() const { return selected_; }

  /// One row for each cell that is not empty: true, predicted, items, share of the true class.
  [[nodiscard]] PlotTable table() const;
  [[nodiscard]] QString csv() const { return toCsv(table()); }
  /// The picture under two lines: what it shows, and of what.
  void setCaption(const QString& title, const QString& subtitle);
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// The matrix as an SVG of `size` without a caption, for one that is not shown.
  [[nodiscard]] QByteArray drawnAt(const QSize& size);

  /// The middle of a cell in the coordinates of the widget.
  [[nodiscard]] QPointF centreOf(ConfusionCell cell) const;
  /// "4 taken for 9: 12 items, 1.22 % of the true class".
  [[nodiscard]] QString describe(ConfusionCell cell) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// The cells are square.
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 Q_SIGNALS:
  void cellChosen(int label, int predicted);
  /// The chosen cell was clicked again.
  void cleared();
  /// The matrix could not be saved.
  void failed(const QString& message);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int classes() const { return static_cast<int>(value_.class_names.size()); }
  [[nodiscard]] std::int64_t countAt(int label, int predicted) const;
  [[nodiscard]] double shareAt(int label, int predicted) const;
  [[nodiscard]] QColor colorAt(int label, int predicted) const;
  [[nodiscard]] std::optional<ConfusionCell> cellAt(const QPointF& position) const;
  /// What stands around the grid.
  struct Margins {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;
    int widest_name = 0;
  };
  [[nodiscard]] Margins margins() const;
  /// Where the grid lies, and every how many classes a name fits.
  void layOut();
  void paintColors();
  void paintMatrix(QPainter& painter, double pixel_ratio);
  void paintNames(QPainter& painter) const;
  void paintCounts(QPainter& painter) const;
  void choose(ConfusionCell cell);

  ConfusionValue value_;
  std::vector<std::int64_t> row_sums_;
  std::optional<ConfusionCell> selected_;
  ConfusionCell cursor_;
  QRectF grid_;
  int name_step_ = 1;
  QString title_;
  QString subtitle_;
  Exporter* exporter_;
  QImage colors_;  ///< one pixel a cell
  QImage scaled_;  ///< the same averaged, where cells are smaller than pixels
};

}  // namespace dubito
