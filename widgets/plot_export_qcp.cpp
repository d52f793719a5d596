// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_export_qcp.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "widgets/qcustomplot_wrapper.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kMargin = 2 * kGrid;

struct Page {
  QSize picture;
  int head = 0;
  [[nodiscard]] QSize size() const { return picture + QSize(2 * kMargin, 2 * kMargin + head); }
};

int lineHeight(const QString& text, const QFont& font) {
  return text.isEmpty() ? 0 : QFontMetrics(font).height() + 2;
}

constexpr int kNoteFlags = Qt::AlignLeft | Qt::TextWordWrap;

/// Unlike the subtitle, the note is never cut off.
int noteHeight(const QString& note, int width) {
  return note.isEmpty()
             ? 0
             : QFontMetrics(uiFont(TypeSize::kSmall))
                       .boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), kNoteFlags, note)
                       .height() +
                   2;
}

Page pageOf(const Picture& picture, const PlotCaption& caption) {
  return {picture.size, lineHeight(caption.title, uiFont(TypeSize::kBody, true)) +
                            lineHeight(caption.subtitle, uiFont(TypeSize::kSmall)) +
                            noteHeight(caption.note, picture.size.width())};
}

void paintPage(QCPPainter& painter, const Picture& picture, const Page& page,
               const PlotCaption& caption) {
  const Theme& theme = currentTheme();
  painter.fillRect(QRect(QPoint(0, 0), page.size()), theme.panel);
  int y = kMargin;
  const auto line = [&](const QString& text, const QFont& font, const QColor& color) {
    const int height = lineHeight(text, font);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRect(kMargin, y, page.picture.width(), height), Qt::AlignLeft, text);
    y += height;
  };
  line(caption.title, uiFont(TypeSize::kBody, true), theme.text);
  line(caption.subtitle, uiFont(TypeSize::kSmall), theme.muted);
  const int note_height = noteHeight(caption.note, page.picture.width());
  painter.drawText(QRect(kMargin, y, page.picture.width(), note_height), kNoteFlags, caption.note);
  y += note_height;
  painter.translate(kMargin, y);
  picture.paint(painter);
}

void paintOn(QPaintDevice& device, const Picture& picture, const Page& page,
             const PlotCaption& caption) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  paintPage(painter, picture, page, caption);
  painter.end();
}

QByteArray encodePng(const Picture& picture, const Page& page, const PlotCaption& caption,
                     int scale) {
  QImage image(page.size() * scale, QImage::Format_RGB32);
  image.setDotsPerMeterX(static_cast<int>(std::lround(picture.dpi / 0.0254)));
  image.setDotsPerMeterY(static_cast<int>(std::lround(picture.dpi / 0.0254)));
  image.setDevicePixelRatio(scale);
  QCPPainter painter;
  painter.begin(&image);
  painter.setMode(QCPPainter::pmNoCaching);
  paintPage(painter, picture, page, caption);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray encodeSvg(const Picture& picture, const Page& page, const PlotCaption& caption) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(page.size());
  generator.setViewBox(QRect(QPoint(0, 0), page.size()));
  generator.setResolution(picture.dpi);
  generator.setTitle(caption.title);
  generator.setDescription(caption.note.isEmpty() ? caption.subtitle
                                                  : caption.subtitle + u'\n' + caption.note);
  paintOn(generator, picture, page, caption);
  return bytes;
}

QByteArray encodePdf(const Picture& picture, const Page& page, const PlotCaption& caption) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    const int dpi = picture.dpi;
    writer.setResolution(dpi);
    writer.setTitle(caption.title);
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setPageSize(QPageSize(QSizeF(page.size()) * 72.0 / dpi, QPageSize::Point));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    paintOn(writer, picture, page, caption);
  }
  return bytes;
}

}  // namespace

QByteArray encodePicture(const Picture& picture, const QString& suffix, const PlotCaption& caption,
                         int scale) {
  const Page page = pageOf(picture, caption);
  if (suffix == QLatin1String("png")) {
    return encodePng(picture, page, caption, scale);
  }
  if (suffix == QLatin1String("svg")) {
    return encodeSvg(picture, page, caption);
  }
  if (suffix == QLatin1String("pdf")) {
    return encodePdf(picture, page, caption);
  }
  return {};
}

QByteArray encodePlot(QCustomPlot& plot, const QString& suffix, const PlotCaption& caption,
                      int scale) {
  const auto paint = [&plot](QCPPainter& painter) {
    plot.toPainter(&painter, plot.width(), plot.height());
  };
  return encodePicture({plot.size(), plot.logicalDpiX(), paint}, suffix, caption, scale);
}

}  // namespace dubito
