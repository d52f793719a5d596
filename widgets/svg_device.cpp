// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/svg_device.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QPixmap>
#include <QPolygonF>
#include <QtMath>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace dubito {
namespace {

QString number(double value) {
  const double rounded = std::round(1000.0 * value) / 1000.0;
  return QString::number(rounded == 0.0 ? 0.0 : rounded, 'g', 8);
}

QString attribute(const char* name, const QString& value) {
  return QStringLiteral(" %1=\"%2\"").arg(QLatin1String(name), value.toHtmlEscaped());
}

QString paintOf(const char* name, const QColor& color, double opacity) {
  QString text = attribute(name, color.name());
  const double alpha = color.alphaF() * opacity;
  if (alpha < 1.0) {
    text +=
        attribute(qPrintable(QStringLiteral("%1-opacity").arg(QLatin1String(name))), number(alpha));
  }
  return text;
}

QString dataOf(const QPainterPath& path) {
  QString text;
  const auto add = [&text](const char* command, const QPainterPath::Element& at) {
    text += QLatin1String(command) + number(at.x) + QLatin1Char(' ') + number(at.y);
  };
  for (int i = 0; i < path.elementCount(); ++i) {
    const QPainterPath::Element at = path.elementAt(i);
    switch (at.type) {
      case QPainterPath::MoveToElement:
        add("M", at);
        break;
      case QPainterPath::LineToElement:
        add("L", at);
        break;
      case QPainterPath::CurveToElement:
        add("C", at);
        break;
      case QPainterPath::CurveToDataElement:
        add(" ", at);
        break;
    }
  }
  return text;
}

/// A side of a rectangle: positive inside.
using Side = std::function<double(const QPointF&)>;

/// The part of a polygon inside a rectangle (Sutherland and Hodgman 1974).
QPolygonF clippedPolygon(QPolygonF polygon, const QRectF& clip) {
  const Side sides[] = {[&clip](const QPointF& p) { return p.x() - clip.left(); },
                        [&clip](const QPointF& p) { return clip.right() - p.x(); },
                        [&clip](const QPointF& p) { return p.y() - clip.top(); },
                        [&clip](const QPointF& p) { return clip.bottom() - p.y(); }};
  for (const Side& side : sides) {
    QPolygonF kept;
    for (qsizetype i = 0; i < polygon.size(); ++i) {
      const QPointF from = polygon[i == 0 ? polygon.size() - 1 : i - 1];
      const QPointF to = polygon[i];
      const double before = side(from);
      const double now = side(to);
      if ((before < 0.0) != (now < 0.0)) {
        kept << from + (to - from) * (before / (before - now));
      }
      if (now >= 0.0) {
        kept << to;
      }
    }
    polygon = kept;
  }
  return polygon;
}

/// The part of a segment inside a rectangle (Liang and Barsky 1984); nullopt: none.
std::optional<QLineF> clippedLine(const QPointF& from, const QPointF& to, const QRectF& clip) {
  double begin = 0.0;
  double end = 1.0;
  const QPointF way = to - from;
  const std::pair<double, double> bounds[] = {{-way.x(), from.x() - clip.left()},
                                              {way.x(), clip.right() - from.x()},
                                              {-way.y(), from.y() - clip.top()},
                                              {way.y(), clip.bottom() - from.y()}};
  for (const auto& [speed, room] : bounds) {
    if (speed == 0.0) {
      if (room < 0.0) {
        return std::nullopt;
      }
      continue;
    }
    const double at = room / speed;
    if (speed < 0.0) {
      begin = std::max(begin, at);
    } else {
      end = std::min(end, at);
    }
  }
  if (begin > end) {
    return std::nullopt;
  }
  return QLineF(from + begin * way, from + end * way);
}

QPainterPath clippedFill(const QPainterPath& path, const QRectF& clip) {
  QPainterPath inside;
  inside.setFillRule(path.fillRule());
  for (const QPolygonF& polygon : path.toSubpathPolygons()) {
    const QPolygonF kept = clippedPolygon(polygon, clip);
    if (kept.size() > 2) {
      inside.addPolygon(kept);
      inside.closeSubpath();
    }
  }
  return inside;
}

QPainterPath clippedStroke(const QPainterPath& path, const QRectF& clip) {
  QPainterPath inside;
  for (const QPolygonF& polygon : path.toSubpathPolygons()) {
    for (qsizetype i = 0; i + 1 < polygon.size(); ++i) {
      const auto kept = clippedLine(polygon[i], polygon[i + 1], clip);
      if (!kept) {
        continue;
      }
      if (inside.elementCount() == 0 || inside.currentPosition() != kept->p1()) {
        inside.moveTo(kept->p1());
      }
      inside.lineTo(kept->p2());
    }
  }
  return inside;
}

QPaintEngine::PaintEngineFeatures supported() {
  QPaintEngine::PaintEngineFeatures features = QPaintEngine::AllFeatures;
  // QPainter replaces what is left out by pictures.
  for (const QPaintEngine::PaintEngineFeature feature :
       {QPaintEngine::PatternBrush, QPaintEngine::PerspectiveTransform,
        QPaintEngine::LinearGradientFill, QPaintEngine::RadialGradientFill,
        QPaintEngine::ConicalGradientFill, QPaintEngine::PorterDuff, QPaintEngine::BlendModes,
        QPaintEngine::RasterOpModes}) {
    features &= ~QPaintEngine::PaintEngineFeatures(feature);
  }
  return features;
}

}  // namespace

/// Reads pen, brush, transform and clip from the painter whenever something is drawn.
class SvgEngine : public QPaintEngine {
 public:
  explicit SvgEngine(int dpi) : QPaintEngine(supported()), dpi_(dpi) {}

  [[nodiscard]] const QString& body() const { return body_; }

  bool begin(QPaintDevice* /*device*/) override {
    body_.clear();
    return true;
  }
  bool end() override { return true; }
  void updateState(const QPaintEngineState& /*state*/) override {}
  [[nodiscard]] Type type() const override { return QPaintEngine::User; }

  void drawPath(const QPainterPath& path) override {
    draw(painter()->combinedTransform().map(path), true);
  }

  using QPaintEngine::drawPolygon;
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    QPainterPath path;
    for (int i = 0; i < count; ++i) {
      if (i == 0) {
        path.moveTo(points[i]);
      } else {
        path.lineTo(points[i]);
      }
    }
    if (mode != PolylineMode) {
      path.closeSubpath();
    }
    path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    draw(painter()->combinedTransform().map(path), mode != PolylineMode);
  }

  void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override {
    drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
  }

  void drawImage(const QRectF& target, const QImage& image, const QRectF& source,
                 Qt::ImageConversionFlags /*flags*/) override {
    const QRectF place = painter()->combinedTransform().mapRect(target);
    const std::optional<QRectF> clip = clipRect();
    const QRectF shown = clip ? place.intersected(*clip) : place;
    if (shown.isEmpty() || image.isNull()) {
      return;
    }
    // Pixels at twice the resolution keep the edges of large ones sharp, and what is cut off exact.
    constexpr double kScale = 2.0;
    constexpr int kMaxSide = 8192;
    QImage pixels(
        (kScale * shown.size()).toSize().expandedTo({1, 1}).boundedTo({kMaxSide, kMaxSide}),
        QImage::Format_ARGB32);
    pixels.fill(Qt::transparent);
    QPainter inner(&pixels);
    inner.setRenderHint(QPainter::SmoothPixmapTransform,
                        painter()->testRenderHint(QPainter::SmoothPixmapTransform));
    inner.setOpacity(painter()->opacity());
    inner.scale(pixels.width() / shown.width(), pixels.height() / shown.height());
    inner.translate(-shown.topLeft());
    inner.drawImage(place, image, source);
    inner.end();
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    pixels.save(&buffer, "PNG");
    add(QStringLiteral("image"),
        attribute("x", number(shown.x())) + attribute("y", number(shown.y())) +
            attribute("width", number(shown.width())) +
            attribute("height", number(shown.height())) +
            attribute("preserveAspectRatio", QStringLiteral("none")) +
            attribute("xlink:href", QStringLiteral("data:image/png;base64,") +
                                        QString::fromLatin1(png.toBase64())));
  }

  void drawTextItem(const QPointF& position, const QTextItem& item) override {
    if (painter()->pen().style() == Qt::NoPen || item.text().trimmed().isEmpty()) {
      return;
    }
    const QTransform map = painter()->combinedTransform();
    const QPointF place = map.map(position);
    const QRectF box(position.x(), position.y() - item.ascent(), item.width(),
                     item.ascent() + item.descent());
    if (const auto clip = clipRect(); clip && !clip->intersects(map.mapRect(box))) {
      return;
    }
    const QFont font = item.font();
    constexpr double kPointsPerInch = 72.0;
    const double size =
        (font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * dpi_ / kPointsPerInch) *
        std::hypot(map.m11(), map.m12());
    const double degrees = qRadiansToDegrees(std::atan2(map.m12(), map.m11()));
    QString attributes =
        attribute("x", number(place.x())) + attribute("y", number(place.y())) +
        attribute("font-family", font.family() + QStringLiteral(", sans-serif")) +
        attribute("font-size", number(size)) +
        attribute("font-weight", QString::number(static_cast<int>(font.weight()))) +
        paintOf("fill", painter()->pen().color(), painter()->opacity());
    if (font.italic()) {
      attributes += attribute("font-style", QStringLiteral("italic"));
    }
    if (std::abs(degrees) > 0.01) {
      attributes +=
          attribute("transform", QStringLiteral("rotate(%1 %2 %3)")
                                     .arg(number(degrees), number(place.x()), number(place.y())));
    }
    body_ += QStringLiteral("<text%1 xml:space=\"preserve\">").arg(attributes) +
             item.text().toHtmlEscaped() + QStringLiteral("</text>\n");
  }

 private:
  /// What limits painting, in the coordinates of the picture; nullopt: nothing.
  [[nodiscard]] std::optional<QRectF> clipRect() const {
    if (!painter()->hasClipping()) {
      return std::nullopt;
    }
    return painter()->combinedTransform().mapRect(painter()->clipBoundingRect());
  }

  void add(const QString& element, const QString& attributes) {
    body_ += QLatin1Char('<') + element + attributes + QStringLiteral("/>\n");
  }

  void draw(const QPainterPath& path, bool has_inside) {
    const bool fills = has_inside && painter()->brush().style() != Qt::NoBrush;
    const bool strokes = painter()->pen().style() != Qt::NoPen;
    const std::optional<QRectF> clip = clipRect();
    if (path.isEmpty() || (!fills && !strokes)) {
      return;
    }
    const bool cuts = clip && !clip->contains(path.boundingRect());
    if (!cuts) {
      const QString data = attribute("d", dataOf(path));
      add(QStringLiteral("path"),
          data + (fills ? fillOf(path) : attribute("fill", QStringLiteral("none"))) +
              (strokes ? strokeOf() : QString()));
      return;
    }
    if (fills) {
      if (const QPainterPath inside = clippedFill(path, *clip); !inside.isEmpty()) {
        add(QStringLiteral("path"), attribute("d", dataOf(inside)) + fillOf(inside));
      }
    }
    if (strokes) {
      if (const QPainterPath inside = clippedStroke(path, *clip); !inside.isEmpty()) {
        add(QStringLiteral("path"), attribute("d", dataOf(inside)) +
                                        attribute("fill", QStringLiteral("none")) + strokeOf());
      }
    }
  }

  [[nodiscard]] QString fillOf(const QPainterPath& path) const {
    return paintOf("fill", painter()->brush().color(), painter()->opacity()) +
           (path.fillRule() == Qt::OddEvenFill ? attribute("fill-rule", QStringLiteral("evenodd"))
                                               : QString());
  }

  [[nodiscard]] QString strokeOf() const {
    const QPen pen = painter()->pen();
    const QTransform map = painter()->combinedTransform();
    const double scale = pen.isCosmetic() ? 1.0 : std::hypot(map.m11(), map.m12());
    const double width = (pen.widthF() > 0.0 ? pen.widthF() : 1.0) * scale;
    QString text = paintOf("stroke", pen.color(), painter()->opacity()) +
                   attribute("stroke-width", number(width));
    if (pen.style() != Qt::SolidLine) {
      QStringList dashes;
      for (const double dash : pen.dashPattern()) {
        dashes << number(dash * width);
      }
      text += attribute("stroke-dasharray", dashes.join(QLatin1Char(' ')));
    }
    const Qt::PenCapStyle cap = pen.capStyle();
    text += attribute("stroke-linecap", cap == Qt::FlatCap    ? QStringLiteral("butt")
                                        : cap == Qt::RoundCap ? QStringLiteral("round")
                                                              : QStringLiteral("square"));
    const Qt::PenJoinStyle join = pen.joinStyle();
    text += attribute("stroke-linejoin", join == Qt::RoundJoin   ? QStringLiteral("round")
                                         : join == Qt::BevelJoin ? QStringLiteral("bevel")
                                                                 : QStringLiteral("miter"));
    return text;
  }

  int dpi_;
  QString body_;
};

SvgDevice::SvgDevice(const QSize& size, const QSizeF& size_mm, int dpi)
    : size_(size), size_mm_(size_mm), dpi_(dpi), engine_(std::make_unique<SvgEngine>(dpi)) {}

SvgDevice::~SvgDevice() = default;

QPaintEngine* SvgDevice::paintEngine() const {
  return engine_.get();
}

int SvgDevice::metric(PaintDeviceMetric which) const {
  constexpr int kBits = 32;
  switch (which) {
    case PdmWidth:
      return size_.width();
    case PdmHeight:
      return size_.height();
    case PdmWidthMM:
      return static_cast<int>(std::lround(size_mm_.width()));
    case PdmHeightMM:
      return static_cast<int>(std::lround(size_mm_.height()));
    case PdmNumColors:
      return 0x7FFFFFFF;
    case PdmDepth:
      return kBits;
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return dpi_;
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(devicePixelRatioFScale());
  }
  return 0;
}

QByteArray SvgDevice::document(const QString& title, const QString& description) const {
  return (QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
                         "<svg width=\"%1mm\" height=\"%2mm\" viewBox=\"0 0 %3 %4\" "
                         "xmlns=\"http://www.w3.org/2000/svg\" "
                         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\">\n")
              .arg(number(size_mm_.width()), number(size_mm_.height()))
              .arg(size_.width())
              .arg(size_.height()) +
          QStringLiteral("<title>%1</title>\n<desc>%2</desc>\n")
              .arg(title.toHtmlEscaped(), description.toHtmlEscaped()) +
          engine_->body() + QStringLiteral("</svg>\n"))
      .toUtf8();
}

}  // namespace dubito
