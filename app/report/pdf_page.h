// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QPdfWriter>
#include <QString>

namespace dubito {

/// A PDF of A4 pages that is filled from top to bottom; lengths are in points. What does not fit on
/// the rest of a page begins on the next; every page has its number and the title of the document
/// at its foot.
class PdfPages {
 public:
  /// Of the painter; fonts have whole pixels, so a point is several of them.
  static constexpr int kPixelsPerPoint = 10;

  /// `page_count` is written behind each number; 0: not known yet.
  PdfPages(QIODevice& device, const QString& title, int page_count);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double y() const { return y_; }
  [[nodiscard]] int pageCount() const { return page_; }
  [[nodiscard]] QPainter& painter() { return painter_; }

  void skip(double points) { y_ += points; }
  /// Begins a new page unless `points` fit below; true if it did.
  bool need(double points);
  /// A paragraph over the whole width from `left` on, its lines on several pages if need be.
  void text(const QString& text, const QFont& font, const QColor& color, double left = 0.0);
  /// Lines of text in a place on this page, which is high enough.
  void textAt(const QRectF& place, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft);
  /// In the coordinates of the painter.
  [[nodiscard]] static QRectF pixels(const QRectF& points);
  /// What `text` takes at `width`.
  [[nodiscard]] static double heightOf(const QString& text, const QFont& font, double width);

 private:
  void beginPage();

  QString title_;
  int page_total_;
  QPdfWriter writer_;
  QPainter painter_;
  double width_ = 0.0;
  double height_ = 0.0;
  double y_ = 0.0;
  int page_ = 0;
};

/// The font of the report at `points`; sizes are in the units of PdfPages.
[[nodiscard]] QFont pdfFont(double points, bool bold = false);

}  // namespace dubito
