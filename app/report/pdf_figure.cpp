// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/pdf_figure.h"

#include <QSvgRenderer>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {
namespace {

QFont titleFont() {
  return pdfFont(9.5, true);
}
QFont captionFont() {
  return pdfFont(8.0);
}

double heightOrNone(const QString& text, const QFont& font, double width) {
  return text.isEmpty() ? 0.0 : PdfPages::heightOf(text, font, width);
}

}  // namespace

double PdfFigure::height() const {
  return titleHeight() + pictureHeight() + heightOrNone(figure_.caption, captionFont(), width_);
}

void PdfFigure::paint(PdfPages& pages, double left) const {
  const QRectF title(left, pages.y(), width_, titleHeight());
  pages.textAt(title, figure_.title, titleFont(), Theme::light().text);
  const QRectF picture(left, title.bottom(), width_, pictureHeight());
  QSvgRenderer renderer(figure_.svg);
  renderer.render(&pages.painter(), PdfPages::pixels(picture));
  paintTexts(pages.painter(), picture);
  pages.textAt({left, picture.bottom(), width_, 0.0}, figure_.caption, captionFont(),
               Theme::light().muted);
}

void PdfFigure::paintTexts(QPainter& painter, const QRectF& picture) const {
  const double points = picture.width() / std::max(1, figure_.size.width());
  for (const SvgText& text : figure_.texts) {
    painter.save();
    painter.translate(
        PdfPages::pixels(QRectF(picture.topLeft() + points * text.place, QSizeF())).topLeft());
    painter.rotate(text.degrees);
    painter.setFont(pdfFont(points * text.size, text.is_bold));
    painter.setPen(text.color);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text.words);
    const double left = text.alignment == Qt::AlignRight     ? -width
                        : text.alignment == Qt::AlignHCenter ? -0.5 * width
                                                             : 0.0;
    painter.drawText(QPointF(left, 0.0), text.words);
    painter.restore();
  }
}

double PdfFigure::titleHeight() const {
  return heightOrNone(figure_.title, titleFont(), width_);
}

double PdfFigure::pictureHeight() const {
  return width_ * figure_.size.height() / std::max(1, figure_.size.width());
}

}  // namespace dubito
