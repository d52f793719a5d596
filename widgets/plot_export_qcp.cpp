// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_export_qcp.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <cmath>

#include "widgets/qcustomplot_wrapper.h"
#include "widgets/svg_device.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kMargin = 2 * kGrid;
constexpr double kMmPerInch = 25.4;
constexpr double kPointsPerInch = 72.0;
constexpr int kTextFlags = Qt::AlignLeft | Qt::TextWordWrap;

struct Page {
  QSize picture;
  int head = 0;
  [[nodiscard]] QSize size() const { return picture + QSize(2 * kMargin, 2 * kMargin + head); }
};

/// Points of a document per point on screen.
double scaleOf(const PictureRequest& request) {
  return request.has_size ? request.format.font_pt / static_cast<double>(TypeSize::kSmall) : 1.0;
}

/// No line is cut off: long ones wrap.
int textHeight(const QString& text, const QFont& font, int width) {
  return text.isEmpty()
             ? 0
             : QFontMetrics(font)
                       .boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), kTextFlags, text)
                       .height() +
                   2;
}

QFont titleFont() {
  return uiFont(TypeSize::kBody, true);
}

int headHeight(const PlotCaption& caption, int width) {
  const QFont small = uiFont(TypeSize::kSmall);
  return textHeight(caption.title, titleFont(), width) +
         textHeight(caption.subtitle, small, width) + textHeight(caption.note, small, width);
}

Page pageOf(const PlotPicture& picture, const PlotCaption& caption) {
  return {picture.size, headHeight(caption, picture.size.width())};
}

void paintPage(QCPPainter& painter, const PlotPicture& picture, const Page& page,
               const PlotCaption& caption) {
  const Theme& theme = currentTheme();
  painter.fillRect(QRect(QPoint(0, 0), page.size()), theme.panel);
  int y = kMargin;
  const auto line = [&](const QString& text, const QFont& font, const QColor& color) {
    const int height = textHeight(text, font, page.picture.width());
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRect(kMargin, y, page.picture.width(), height), kTextFlags | Qt::TextDontClip,
                     text);
    y += height;
  };
  line(caption.title, titleFont(), theme.text);
  line(caption.subtitle, uiFont(TypeSize::kSmall), theme.muted);
  line(caption.note, uiFont(TypeSize::kSmall), theme.muted);
  painter.translate(kMargin, y);
  picture.paint(painter);
}

void paintOn(QPaintDevice& device, const PlotPicture& picture, const Page& page,
             const PlotCaption& caption, double scale) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.scale(scale, scale);
  paintPage(painter, picture, page, caption);
  painter.end();
}

int dotsPerMeter(double dpi) {
  return static_cast<int>(std::lround(1000.0 * dpi / kMmPerInch));
}

QByteArray encodePng(const PlotPicture& picture, const Page& page, const PlotCaption& caption,
                     const PictureRequest& request) {
  const double scale = request.has_size ? scaleOf(request) * kFigureDpi / picture.dpi
                                        : static_cast<double>(request.scale);
  const QSize pixels = request.has_size ? QSizeF(pixelsOfMm(request.format.width_mm),
                                                 pixelsOfMm(request.format.height_mm))
                                              .toSize()
                                        : (scale * QSizeF(page.size())).toSize();
  QImage image(pixels, QImage::Format_RGB32);
  image.fill(currentTheme().panel);
  // Fonts keep the size of the screen while painting.
  image.setDotsPerMeterX(dotsPerMeter(picture.dpi));
  image.setDotsPerMeterY(dotsPerMeter(picture.dpi));
  image.setDevicePixelRatio(scale);
  QCPPainter painter;
  painter.begin(&image);
  painter.setMode(QCPPainter::pmNoCaching);
  paintPage(painter, picture, page, caption);
  painter.end();
  if (request.has_size) {
    image.setDotsPerMeterX(dotsPerMeter(kFigureDpi));
    image.setDotsPerMeterY(dotsPerMeter(kFigureDpi));
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

/// Size of the page in millimetres.
QSizeF pageMm(const Page& page, const PictureRequest& request, int dpi) {
  return request.has_size ? QSizeF(request.format.width_mm, request.format.height_mm)
                          : QSizeF(page.size()) * kMmPerInch / dpi;
}

QByteArray encodeSvg(const PlotPicture& picture, const Page& page, const PlotCaption& caption,
                     const PictureRequest& request) {
  SvgDevice device(page.size(), pageMm(page, request, picture.dpi), picture.dpi);
  paintOn(device, picture, page, caption, 1.0);
  return device.document(caption.title, caption.note.isEmpty()
                                            ? caption.subtitle
                                            : caption.subtitle + u'\n' + caption.note);
}

QByteArray encodePdf(const PlotPicture& picture, const Page& page, const PlotCaption& caption,
                     const PictureRequest& request) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(picture.dpi);
    writer.setTitle(caption.title);
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    // An exact match: a page that is nearly as large as a common one would become that one.
    writer.setPageSize(QPageSize(pageMm(page, request, picture.dpi) * kPointsPerInch / kMmPerInch,
                                 QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    paintOn(writer, picture, page, caption, scaleOf(request));
  }
  return bytes;
}

}  // namespace

PlotCaption captionFor(const PictureRequest& request, const QString& title, const QString& subtitle,
                       const QString& note) {
  return request.format.has_title ? PlotCaption{title, subtitle, note} : PlotCaption{{}, {}, note};
}

QSize pictureRoom(const PictureRequest& request, const PlotCaption& caption, int dpi) {
  const QSizeF page = QSizeF(request.format.width_mm, request.format.height_mm) * dpi /
                      (kMmPerInch * scaleOf(request));
  const int width = static_cast<int>(std::lround(page.width())) - 2 * kMargin;
  const int height = static_cast<int>(std::lround(page.height())) - 2 * kMargin;
  return QSize(width, height - headHeight(caption, width)).expandedTo({1, 1});
}

QByteArray encodePicture(const PlotPicture& picture, const PictureRequest& request,
                         const PlotCaption& caption) {
  const Page page = pageOf(picture, caption);
  if (request.suffix == QLatin1String("png")) {
    return encodePng(picture, page, caption, request);
  }
  if (request.suffix == QLatin1String("svg")) {
    return encodeSvg(picture, page, caption, request);
  }
  if (request.suffix == QLatin1String("pdf")) {
    return encodePdf(picture, page, caption, request);
  }
  return {};
}

QByteArray encodePlot(QCustomPlot& plot, const QSize& room, const PictureRequest& request,
                      const PlotCaption& caption) {
  const auto paint = [&plot, &room](QCPPainter& painter) {
    painter.save();
    painter.translate((room.width() - plot.width()) / 2, (room.height() - plot.height()) / 2);
    plot.toPainter(&painter, plot.width(), plot.height());
    painter.restore();
  };
  return encodePicture({room, plot.logicalDpiX(), paint}, request, caption);
}

}  // namespace dubito
