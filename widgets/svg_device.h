// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <memory>

namespace dubito {

class SvgEngine;

/// A paint device that writes SVG. Unlike QSvgGenerator, it clips what is painted, so that a zoomed
/// curve ends at its axes. Clipping cuts the geometry itself, which every viewer shows alike. A
/// text is one <text> element in the coordinates of the picture, rotated about its own place.
class SvgDevice : public QPaintDevice {
 public:
  /// A picture of `size` units that is `size_mm` large. `dpi` converts the sizes of fonts.
  SvgDevice(const QSize& size, const QSizeF& size_mm, int dpi);
  ~SvgDevice() override;

  /// The document; call it after painting.
  [[nodiscard]] QByteArray document(const QString& title, const QString& description) const;
  [[nodiscard]] QPaintEngine* paintEngine() const override;

 protected:
  [[nodiscard]] int metric(PaintDeviceMetric which) const override;

 private:
  QSize size_;
  QSizeF size_mm_;
  int dpi_;
  std::unique_ptr<SvgEngine> engine_;
};

}  // namespace dubito
