// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFont>
#include <QPainter>
#include <QPdfWriter>
#include <QString>
#include <functional>

namespace dubito {

/// A PDF of A4 pages, filled from top to bottom. Lengths are in points. Content that does not fit
/// on a page moves to the next one. Footers show the page number and the document title.
class PdfPages {
 public:
  /// Resolution of the painter. Fonts have integer pixel sizes, so a point must be several pixels.
  static constexpr int kPixelsPerPoint = 10;

  /// `page_count` is printed after each page number; 0 if not known yet.
  PdfPages(QIODevice& device, const QString& title, int page_count);

  [[nodiscard]] double width() const { return width_; }
  /// Distance of the next content from the top of the page.
  [[nodiscard]] double y() const { return y_; }
  [[nodiscard]] int pageCount() const { return page_; }
  [[nodiscard]] QPainter& painter() { return painter_; }

  void skip(double points) { y_ += points; }
  /// Starts a new page if the current one has less than `points` of free height. Returns true if a
  /// page was started.
  bool ensureSpace(double points);
  /// Adds a paragraph between `left` and the right margin; it may span several pages.
  void text(const QString& text, const QFont& font, const QColor& color, double left = 0.0);
  /// Draws text inside the rectangle `place` on the current page, without moving y(). The text must
  /// fit.
  void textAt(const QRectF& place, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft);
  /// Converts points to painter coordinates.
  [[nodiscard]] static QRectF pixels(const QRectF& points);
  /// Height of `text` if wrapped at `width`.
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

/// A PDF with page numbers and the number of pages; `write` is called twice and adds the content.
[[nodiscard]] QByteArray pdfOf(const QString& title, const std::function<void(PdfPages&)>& write);

/// Space between parts of a page, in points.
inline constexpr double kPdfGap = 14.0;
/// Adds a heading, on a page that has room for `with` more points.
void addPdfHeading(const QString& text, double with, PdfPages& pages);

/// The report font with a size of `points`, for the painter of PdfPages.
[[nodiscard]] QFont pdfFont(double points, bool bold = false);

}  // namespace dubito
