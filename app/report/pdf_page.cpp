// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/pdf_page.h"

#include <QBuffer>
#include <QFontDatabase>
#include <QPageSize>
#include <QTextLayout>
#include <cmath>

#include "widgets/theme.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr int kPixelsPerPoint = PdfPages::kPixelsPerPoint;
constexpr double kMargin = 48.0;
constexpr double kFoot = 24.0;

/// Lays out the lines of `text` at `width`, in pixels.
void layOut(QTextLayout& layout, double width, Qt::Alignment alignment = Qt::AlignLeft) {
  QTextOption option(alignment);
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  double y = 0.0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width * kPixelsPerPoint);
    line.setPosition({0.0, y});
    y += line.height();
  }
  layout.endLayout();
}

}  // namespace

QFont pdfFont(double points, bool bold) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPixelSize(static_cast<int>(std::lround(points * kPixelsPerPoint)));
  font.setBold(bold);
  // Hinting would round advances to screen pixels at this size.
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

PdfPages::PdfPages(QIODevice& device, const QString& title, int page_count)
    : title_(title), page_total_(page_count), writer_(&device) {
  writer_.setPageSize(QPageSize(QPageSize::A4));
  writer_.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer_.setResolution(72 * kPixelsPerPoint);
  writer_.setTitle(title);
  writer_.setCreator(QStringLiteral("Dubito"));
  painter_.begin(&writer_);
  const QSizeF page = writer_.pageLayout().fullRect(QPageLayout::Point).size();
  width_ = page.width() - 2.0 * kMargin;
  height_ = page.height() - 2.0 * kMargin - kFoot;
  beginPage();
}

void PdfPages::beginPage() {
  if (page_++ > 0) {
    writer_.newPage();
  }
  painter_.resetTransform();
  painter_.translate(kMargin * kPixelsPerPoint, kMargin * kPixelsPerPoint);
  const QString number =
      page_total_ > 0 ? tr("%1 of %2").arg(page_).arg(page_total_) : QString::number(page_);
  painter_.setFont(pdfFont(8.0));
  painter_.setPen(Theme::light().muted);
  const QRectF foot(0.0, (height_ + kFoot - 10.0) * kPixelsPerPoint, width_ * kPixelsPerPoint,
                    12.0 * kPixelsPerPoint);
  const double number_width = QFontMetricsF(pdfFont(8.0)).horizontalAdvance(number);
  painter_.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, number);
  painter_.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter,
                    QFontMetricsF(pdfFont(8.0))
                        .elidedText(title_, Qt::ElideRight, foot.width() - 2.0 * number_width));
  y_ = 0.0;
}

bool PdfPages::ensureSpace(double points) {
  if (y_ + points <= height_ || y_ == 0.0) {
    return false;
  }
  beginPage();
  return true;
}

double PdfPages::heightOf(const QString& text, const QFont& font, double width) {
  QTextLayout layout(text, font);
  layOut(layout, width);
  return layout.boundingRect().height() / kPixelsPerPoint;
}

void PdfPages::text(const QString& text, const QFont& font, const QColor& color, double left) {
  QTextLayout layout(text, font);
  layOut(layout, width_ - left);
  painter_.setPen(color);
  for (int i = 0; i < layout.lineCount(); ++i) {
    const QTextLine line = layout.lineAt(i);
    const double height = line.height() / kPixelsPerPoint;
    ensureSpace(height);
    painter_.setPen(color);
    line.draw(&painter_,
              QPointF(left * kPixelsPerPoint, y_ * kPixelsPerPoint - line.position().y()));
    y_ += height;
  }
}

void PdfPages::textAt(const QRectF& place, const QString& text, const QFont& font,
                      const QColor& color, Qt::Alignment alignment) {
  QTextLayout layout(text, font);
  layOut(layout, place.width(), alignment);
  painter_.setPen(color);
  layout.draw(&painter_, place.topLeft() * kPixelsPerPoint);
}

QRectF PdfPages::pixels(const QRectF& points) {
  return {points.topLeft() * kPixelsPerPoint, points.size() * kPixelsPerPoint};
}

QByteArray pdfOf(const QString& title, const std::function<void(PdfPages&)>& write) {
  // The first pass counts the pages, the second prints the count.
  int count = 0;
  QByteArray bytes;
  for (int pass = 0; pass < 2; ++pass) {
    bytes.clear();
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    PdfPages pages(buffer, title, count);
    write(pages);
    count = pages.pageCount();
  }
  return bytes;
}

void addPdfHeading(const QString& text, double with, PdfPages& pages) {
  pages.skip(pages.y() > 0.0 ? kPdfGap : 0.0);
  pages.ensureSpace(24.0 + with);
  pages.text(text, pdfFont(13.0, true), Theme::light().text);
  pages.skip(4.0);
}

}  // namespace dubito
