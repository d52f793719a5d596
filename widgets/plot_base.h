// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <unordered_map>
#include <utility>

#include "core/base/expected.h"
#include "widgets/exporter.h"
#include "widgets/plot_table.h"

class QMenu;
class QToolButton;
class QCPAxis;
class QCPAxisRect;
class QCustomPlot;

namespace dubito {

/// What all plots share: fonts and colours of the theme, few round ticks, light grid below the
/// data, exact values on hovering, wheel zoom inside the full range, double click to reset, and
/// export of the picture and of exactly the plotted numbers through the context menu.
class PlotBase : public QWidget {
  Q_OBJECT
 public:
  ~PlotBase() override;

  /// Exactly the plotted numbers.
  [[nodiscard]] virtual PlotTable table() const = 0;
  [[nodiscard]] QString csv() const { return toCsv(table()); }

  /// Two lines above an exported picture: what it shows, and method, data set, N and conventions.
  void setCaption(const QString& title, const QString& subtitle);

  /// Writes the plot; the suffix (png, svg, pdf, csv) chooses the format. Pictures are taken at the
  /// present size, png at twice the resolution; svg always shows the full range.
  [[nodiscard]] Status saveAs(const QString& path);

  /// The full range of the plot as an SVG of `size` without a caption, for a plot that is not shown
  /// and has no parent.
  [[nodiscard]] QByteArray drawnAt(const QSize& size);

  /// A test puts its own answer in place of the dialog that asks for a file name.
  void setFileQuestion(Exporter::FileQuestion question);

  /// Shows all data.
  void resetZoom();
  /// Some axis does not show its full range; a button at the lower left says so and resets it.
  [[nodiscard]] bool isZoomed() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// The entries of the context menu above those of the exporter.
  void addViewActions(QMenu& menu);

  /// What the tooltip says at `position` (in the coordinates of the inner plot); empty: nothing.
  [[nodiscard]] virtual QString hoverText(const QPointF& position) const = 0;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// Saving did not work; `message` is for people.
  void failed(const QString& message);

 protected:
  explicit PlotBase(QWidget* parent);

  [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
  /// Builds everything anew from the value and the current theme; then asks for one queued replot.
  virtual void rebuild() = 0;
  /// Colours, fonts and grid of one axis.
  /// Where the axis is too short for its title `short_title` takes its place, if there is one; a
  /// title of parts that " · " separates loses the last ones.
  void styleAxis(QCPAxis& axis, const QString& title, const QString& short_title = {});
  /// Keeps zooming of `axis` inside [low, high]; shows all of it where it is another range than
  /// before.
  void setFullRange(QCPAxis& axis, double low, double high);
  /// Lets wheel and drag act on `axes` of `rect`.
  void enableZoom(QCPAxisRect& rect, const QList<QCPAxis*>& axes, bool drag);
  /// The data area of `rect` is at most `ratio` times as wide as high and as high as wide; 0: any.
  /// It grows as wide as `wanted_width` pixels, though to no more than 1.6 times its height.
  void setAspectLimit(QCPAxisRect& rect, double ratio, int wanted_width = 0);
  /// One replot soon, however often it is asked for.
  void replotSoon();

  /// The left button and moves of the mouse over the inner plot, in its coordinates; true where
  /// they were used: nobody else gets them then.
  virtual bool mousePressed(const QPointF& /*position*/) { return false; }
  virtual bool mouseMoved(const QPointF& /*position*/) { return false; }
  virtual bool mouseReleased(const QPointF& /*position*/) { return false; }
  /// The left button was released where it was pressed, and nobody used that.
  virtual void clicked(const QPointF& /*position*/) {}

  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool dispatchMouse(QEvent& event);
  void fitPlot();
  void showZoom();
  void fitAxisTitles();
  void fitTicks();
  /// The picture as a file in memory; empty where the format is not known.
  [[nodiscard]] QByteArray encoded(const QString& suffix, int scale);

  QCustomPlot* plot_;
  std::unordered_map<QCPAxis*, std::pair<double, double>> full_ranges_;
  struct AxisTitle {
    QString whole;
    QString shortened;
  };
  std::unordered_map<QCPAxis*, AxisTitle> axis_titles_;
  QPointF pressed_;
  QCPAxisRect* aspect_rect_ = nullptr;
  double aspect_limit_ = 0.0;
  int wanted_width_ = 0;
  QString title_;
  QString subtitle_;
  Exporter* exporter_;
  QToolButton* zoom_mark_;
  bool exporting_ = false;
};

}  // namespace dubito
