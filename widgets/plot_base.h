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

/// Common base of all plots: theme fonts and colours, few round ticks, a light grid below the data,
/// exact values on hover, wheel zoom within the full range, double-click to reset, and export of
/// the picture and of the plotted numbers through the context menu.
class PlotBase : public QWidget {
  Q_OBJECT
 public:
  ~PlotBase() override;

  /// Exactly the plotted numbers.
  [[nodiscard]] virtual PlotTable table() const = 0;
  [[nodiscard]] QString csv() const { return toCsv(table()); }

  /// Two lines above an exported picture: the title, then method, dataset, N and conventions.
  void setCaption(const QString& title, const QString& subtitle);

  /// Writes the plot; the suffix (png, svg, pdf, csv) chooses the format. Pictures have the current
  /// size, png at twice the resolution; svg always shows the full range.
  [[nodiscard]] Status saveAs(const QString& path);

  /// Renders the full range of the plot as an SVG of `size` without a caption. For plots that are
  /// hidden and have no parent.
  [[nodiscard]] QByteArray renderSvg(const QSize& size);

  /// Replaces the dialog that asks for a file name; for tests.
  void setFilePrompt(Exporter::FilePrompt question);

  /// Shows the full range.
  void resetZoom();
  /// True if some axis does not show its full range; a button at the lower left then resets it.
  [[nodiscard]] bool isZoomed() const;
  [[nodiscard]] Exporter& exporter() { return *exporter_; }
  /// Adds the context menu entries above those of the exporter.
  void addViewActions(QMenu& menu);

  /// Tooltip text at `position`, in inner plot coordinates; empty: no tooltip.
  [[nodiscard]] virtual QString hoverText(const QPointF& position) const = 0;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// Saving failed; `message` is shown to the user.
  void failed(const QString& message);

 protected:
  explicit PlotBase(QWidget* parent);

  [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
  /// Rebuilds everything from the value and the current theme, then queues one replot.
  virtual void rebuild() = 0;
  /// Applies colours, fonts and grid to one axis. `short_title`, if given, replaces a title longer
  /// than the axis; a title of parts separated by " · " loses the last ones.
  void styleAxis(QCPAxis& axis, const QString& title, const QString& short_title = {});
  /// Limits zooming of `axis` to [low, high]; resets the zoom if the range has changed.
  void setFullRange(QCPAxis& axis, double low, double high);
  /// Enables wheel and drag on `axes` of `rect`.
  void enableZoom(QCPAxisRect& rect, const QList<QCPAxis*>& axes, bool drag);
  /// Limits the aspect ratio of the data area of `rect` to at most `ratio` in either direction; 0:
  /// no limit. The area grows up to `wanted_width` pixels wide, but to no more than 1.6 times its
  /// height.
  void setAspectLimit(QCPAxisRect& rect, double ratio, int wanted_width = 0);
  /// Queues one replot, however often it is called.
  void replotSoon();
  /// Replots one buffered layer alone. Before the first full replot, which creates the buffers,
  /// queues a full one instead.
  void replotLayer(const QString& name);

  /// Left button and mouse moves over the inner plot, in its coordinates. Return true to consume
  /// the event.
  virtual bool mousePressed(const QPointF& /*position*/) { return false; }
  virtual bool mouseMoved(const QPointF& /*position*/) { return false; }
  virtual bool mouseReleased(const QPointF& /*position*/) { return false; }
  /// The left button was released where it was pressed, and no handler consumed it.
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
  /// The picture as an encoded file; empty if the format is unknown.
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
  bool has_buffers_ = false;  ///< a full replot has created the paint buffers
};

}  // namespace dubito
