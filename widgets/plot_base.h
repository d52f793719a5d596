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

class ThemeFollower;

/// Base class of all plots: fonts and colours of the theme, a few round ticks, a light grid below
/// the data, and exact values on hover. The wheel zooms within the full range, dragging with Shift
/// moves the view, and a double-click resets the zoom. The context menu exports the picture and the
/// plotted numbers.
class PlotBase : public QWidget {
  Q_OBJECT
 public:
  ~PlotBase() override;

  /// The plotted numbers, in full precision.
  [[nodiscard]] virtual PlotTable table() const = 0;
  [[nodiscard]] QString csv() const { return toCsv(table()); }

  /// Sets the lines above an exported picture: the title with the headline value ("ECE 1.14 %"; may
  /// be empty), and below it method, dataset, N and conventions.
  void setCaption(const QString& title, const QString& subtitle, const QString& value = {});

  /// Writes the plot in the format given by the suffix of `path`: png, svg, pdf or csv. Pictures
  /// have the current size and show what is zoomed into; a png has twice the resolution.
  [[nodiscard]] Status saveAs(const QString& path);

  /// Renders the full range of the plot as an SVG of `size` without a caption. Only for plots that
  /// are hidden and have no parent.
  [[nodiscard]] QByteArray renderSvg(const QSize& size);

  /// For tests: replaces the dialog that asks for a file name.
  void setFilePrompt(Exporter::FilePrompt question);

  /// Shows the full range.
  virtual void resetZoom();
  /// True if some axis does not show its full range. A button at the lower left then resets the
  /// zoom.
  [[nodiscard]] virtual bool isZoomed() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Adds the context menu entries of the plot itself, such as resetting the zoom.
  void addViewActions(QMenu& menu);

  /// Tooltip text at `position` in the coordinates of the inner QCustomPlot; empty: no tooltip.
  [[nodiscard]] virtual QString hoverText(const QPointF& position) const = 0;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// Saving failed; `message` is shown to the user.
  void failed(const QString& message);

 protected:
  explicit PlotBase(QWidget* parent);

  [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
  /// Rebuilds the plot from its value and the current theme, then queues one replot.
  virtual void rebuild() = 0;
  /// Arranges what depends on the size of the plot, which is laid out in `room` next: on screen,
  /// or in a picture of another size.
  virtual void fitLegend(const QSize& /*room*/) {}
  /// Called before and after a picture is exported, see isExporting().
  virtual void exportingChanged() {}
  [[nodiscard]] bool isExporting() const { return exporting_; }
  /// Applies colours, fonts and grid to an axis. If `title` is longer than the axis, `short_title`
  /// is shown instead, if given; else the last parts of `title`, separated by " · ", are omitted.
  void styleAxis(QCPAxis& axis, const QString& title, const QString& short_title = {});
  /// Limits zooming of `axis` to [low, high]. Resets the zoom if this range has changed.
  void setFullRange(QCPAxis& axis, double low, double high);
  /// Enables zooming `axes` of `rect` with the wheel, and moving them by dragging: with Shift, and
  /// if `drag` also without.
  void enableZoom(QCPAxisRect& rect, const QList<QCPAxis*>& axes, bool drag);
  /// Whether dragging moves the view without Shift, too.
  void setDragPans(bool pans);
  /// Shows or hides the button that resets the zoom; to be called if isZoomed() may have changed
  /// for another reason than the range of an axis.
  void showZoom();
  /// Limits the aspect ratio of the data area of `rect`: neither side may exceed `ratio` times the
  /// other (0: no limit). However, the area may be up to `wanted_width` pixels wide as long as the
  /// width does not exceed 1.6 times the height.
  void setAspectLimit(QCPAxisRect& rect, double ratio, int wanted_width = 0);
  /// Draws the plot anew when it is painted next; several calls cause only one.
  void replotSoon();
  /// Draws only the buffered layer `name` anew, unless replotSoon() is about to draw all.
  void replotLayer(const QString& name);

  // Handlers for the left mouse button and mouse moves, with positions in the coordinates of the
  // inner QCustomPlot. They return true to consume the event.
  virtual bool mousePressed(const QPointF& /*position*/) { return false; }
  virtual bool mouseMoved(const QPointF& /*position*/) { return false; }
  virtual bool mouseReleased(const QPointF& /*position*/) { return false; }
  /// Called when the left button is released where it was pressed and no handler consumed the
  /// event.
  virtual void clicked(const QPointF& /*position*/) {}

  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool dispatchMouse(QEvent& event);
  /// Lays out the inner plot in its new size.
  void layOut();
  void fitPlot();
  /// Lays out the inner plot in `room`, in the coordinates of this widget.
  void fitInto(const QRect& room);
  /// fitInto() until the layout has settled.
  void layOutIn(const QRect& room);
  void fitAxisTitles();
  void fitTicks();
  /// The picture as requested; empty if the format is unknown.
  [[nodiscard]] QByteArray encoded(const PictureRequest& request);

  QCustomPlot* plot_;
  std::unordered_map<QCPAxis*, std::pair<double, double>> full_ranges_;
  struct AxisTitle {
    QString whole;
    QString shortened;
  };
  std::unordered_map<QCPAxis*, AxisTitle> axis_titles_;
  QPointF pressed_;
  bool drag_pans_ = false;
  bool pans_ = false;  ///< the button is down with Shift
  QCPAxisRect* aspect_rect_ = nullptr;
  double aspect_limit_ = 0.0;
  int wanted_width_ = 0;
  QString title_;
  QString subtitle_;
  QString value_text_;
  Exporter* exporter_;
  ThemeFollower* theme_follower_;
  QToolButton* zoom_mark_;
  bool exporting_ = false;
  bool is_stale_ = true;  ///< to be drawn anew before it is painted
};

}  // namespace dubito
