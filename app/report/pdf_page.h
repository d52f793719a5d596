// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QPdfWriter>
#include <QString>

namespace dubito {

/// A PDF of A4 pages, filled from top to bottom; lengths are in points. Content that does not fit
/// moves to the next page; the footer has the page number and the document title.
class PdfPages {
 public:
  /// Painter resolution: fonts have integer pixel sizes, so a point is several pixels.
  static constexpr int kPixelsPerPoint = 10;

  /// `page_count` is printed after each page number; 0: not known yet.
  PdfPages(QIODevice& device, const QString& title, int page_count);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double y() const { return y_; }
  [[nodiscard]] int pageCount() const { return page_; }
  [[nodiscard]] QPainter& painter() { return painter_; }

  void skip(double points) { y_ += points; }
  /// Starts a new page unless `points` fit below; returns true if it did.
  bool need(double points);
  /// A paragraph across the width from `left`; may span pages.
  void text(const QString& text, const QFont& font, const QColor& color, double left = 0.0);
  /// Text within a rectangle on this page; must fit.
  void textAt(const QRectF& place, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft);
  /// Converts points to painter coordinates.
  [[nodiscard]] static QRectF pixels(const QRectF& points);
  /// Height of `text` at `width`.
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

/// The report font at `points`, in the units of PdfPages.
[[nodiscard]] QFont pdfFont(double points, bool bold = false);

}  // namespace dubito
