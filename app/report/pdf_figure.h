// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/pdf_page.h"
#include "app/report/report_content.h"

namespace dubito {

/// A figure in a column of `width` points, with title above and caption below, if it has them. The
/// figure must outlive this.
class PdfFigure {
 public:
  PdfFigure(const ReportFigure& figure, double width) : figure_(figure), width_(width) {}

  [[nodiscard]] double height() const;
  /// Paints it at y() of the page, without moving y().
  void paint(PdfPages& pages, double left) const;

 private:
  [[nodiscard]] double titleHeight() const;
  [[nodiscard]] double pictureHeight() const;
  void paintTexts(QPainter& painter, const QRectF& picture) const;

  const ReportFigure& figure_;
  double width_;
};

}  // namespace dubito
