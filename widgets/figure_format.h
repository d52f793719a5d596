// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSizeF>
#include <QString>

namespace dubito {

struct Theme;

/// How a picture is exported for a document.
struct FigureFormat {
  double width_mm = 85.0;  ///< one column of a paper
  double height_mm = 65.0;
  double font_pt = 8.0;  ///< of tick labels and legends
  bool is_dark = false;
  bool has_title = true;  ///< title, value and caption above the picture
  /// Whether the user chose the sizes as pixels of a png, for a slide.
  bool in_pixels = false;

  friend bool operator==(const FigureFormat&, const FigureFormat&) = default;
};

/// Bounds of FigureFormat that are usable on a page.
inline constexpr double kMinFigureMm = 30.0;
inline constexpr double kMaxFigureMm = 600.0;
inline constexpr double kMinFigurePt = 4.0;
inline constexpr double kMaxFigurePt = 32.0;

/// Resolution of a png with a size.
inline constexpr double kFigureDpi = 300.0;
[[nodiscard]] constexpr double pixelsOfMm(double mm) {
  return mm * kFigureDpi / 25.4;
}
[[nodiscard]] constexpr double mmOfPixels(double pixels) {
  return pixels * 25.4 / kFigureDpi;
}
[[nodiscard]] constexpr double pixelsOfPoints(double points) {
  return points * kFigureDpi / 72.0;
}
[[nodiscard]] constexpr double pointsOfPixels(double pixels) {
  return pixels * 72.0 / kFigureDpi;
}

/// A picture to encode.
struct PictureRequest {
  QString suffix;  ///< "png", "svg" or "pdf"
  int scale = 2;   ///< multiplies the resolution of a png without a size
  FigureFormat format = {};
  /// Uses the size and font size of `format`; otherwise those on screen.
  bool has_size = false;
};

/// The format last chosen; the default until setFigureFormat() is called. GUI thread only.
[[nodiscard]] const FigureFormat& figureFormat();
/// Values outside the bounds are clamped. Notifies FigureFormatNotifier of changes.
void setFigureFormat(FigureFormat format);

/// Notifies of changes of figureFormat(), so that the program can remember it.
class FigureFormatNotifier : public QObject {
  Q_OBJECT
 public:
  [[nodiscard]] static FigureFormatNotifier& instance();

 Q_SIGNALS:
  void changed();
};

/// The theme of pictures in that format.
[[nodiscard]] Theme themeOf(const FigureFormat& format);

}  // namespace dubito
