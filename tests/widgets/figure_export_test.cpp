// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QXmlStreamReader>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "tests/widgets/preview_data.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/figure_dialog.h"
#include "widgets/figure_format.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

constexpr double kMmPerPoint = 25.4 / 72.0;

/// A text of an SVG, with the box that it takes.
struct PictureText {
  QString words;
  double size = 0.0;
  QRectF box;
};

struct Svg {
  QSizeF mm;
  QRectF view;
  std::vector<PictureText> texts;
  std::vector<QPointF> points;  ///< of all paths
  QByteArray bytes;

  [[nodiscard]] QString words() const {
    QStringList all;
    for (const PictureText& text : texts) {
      all << text.words;
    }
    return all.join(u'\n');
  }
  /// Texts beyond the page, of which half a unit is tolerated.
  [[nodiscard]] QString textsOutside() const {
    QStringList outside;
    for (const PictureText& text : texts) {
      if (!view.adjusted(-0.5, -0.5, 0.5, 0.5).contains(text.box)) {
        outside << text.words;
      }
    }
    return outside.join(u'\n');
  }
};

PictureText textOf(QXmlStreamReader& reader) {
  const QXmlStreamAttributes attributes = reader.attributes();
  const QPointF place(attributes.value("x").toDouble(), attributes.value("y").toDouble());
  PictureText text;
  text.size = attributes.value("font-size").toDouble();
  const bool is_bold = attributes.value("font-weight").toInt() > 500;
  const QString turned = attributes.value("transform").toString();
  text.words = reader.readElementText();
  QFont font = uiFont(TypeSize::kSmall, is_bold);
  font.setPixelSize(static_cast<int>(std::lround(text.size)));
  const double width = QFontMetricsF(font).horizontalAdvance(text.words.trimmed());
  // Letters reach from the base line about 0.8 of the size up and 0.25 down.
  const QRectF box(0.0, -0.8 * text.size, width, 1.05 * text.size);
  QTransform map = QTransform::fromTranslate(place.x(), place.y());
  static const QRegularExpression kTurn("^rotate\\(([-0-9.]+) ");
  map.rotate(kTurn.match(turned).captured(1).toDouble());
  text.box = map.mapRect(box);
  return text;
}

Svg parsed(const QByteArray& bytes) {
  Svg svg;
  svg.bytes = bytes;
  QXmlStreamReader reader(bytes);
  while (!reader.atEnd()) {
    reader.readNext();
    if (!reader.isStartElement()) {
      continue;
    }
    const QXmlStreamAttributes attributes = reader.attributes();
    if (reader.name() == QLatin1String("svg")) {
      const auto mm = [&](const char* name) {
        return attributes.value(QLatin1String(name)).toString().remove("mm").toDouble();
      };
      svg.mm = QSizeF(mm("width"), mm("height"));
      const QStringList box = attributes.value("viewBox").toString().split(u' ');
      svg.view = QRectF(box.value(0).toDouble(), box.value(1).toDouble(), box.value(2).toDouble(),
                        box.value(3).toDouble());
    } else if (reader.name() == QLatin1String("text")) {
      svg.texts.push_back(textOf(reader));
    } else if (reader.name() == QLatin1String("path")) {
      static const QRegularExpression kPoint("[MLC ](-?[0-9.e-]+) (-?[0-9.e-]+)");
      auto points = kPoint.globalMatch(attributes.value("d").toString());
      while (points.hasNext()) {
        const QRegularExpressionMatch match = points.next();
        svg.points.emplace_back(match.captured(1).toDouble(), match.captured(2).toDouble());
      }
    }
  }
  return svg;
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The figure that `exporter` writes in `format`.
QByteArray figureOf(Exporter& exporter, const FigureFormat& format, const char* suffix) {
  const TempDir folder;
  const QString path = QString::fromStdString(folder.file(std::string("figure.") + suffix));
  return exporter.saveFigure(path, format) ? contentOf(path) : QByteArray();
}

CurvePlotValue twoCurves() {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kRoc;
  value.summary_name = "AUROC";
  value.x_label = "false positive rate";
  value.y_label = "true positive rate";
  value.curves.push_back({{"confidence", {0.0, 0.1, 1.0}, {0.0, 0.9, 1.0}, 0.95}});
  value.curves.push_back({{"entropy", {0.0, 0.2, 1.0}, {0.0, 0.8, 1.0}, 0.9}});
  return value;
}

}  // namespace

class FigureExportTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    applyTheme(*qApp, Theme::darkTheme());
    setFigureFormat({});
    plot_ = std::make_unique<CurvePlot>();
    plot_->setCurves(twoCurves());
    plot_->setCaption("Reliability", "MC dropout, 50 draws · MNIST test · N 2 000", "ECE 1.14 %");
    shown(*plot_);
  }
  void cleanup() {
    plot_.reset();
    applyTheme(*qApp, Theme::light());
  }

  void aFigureHasTheSizeAndFontAskedFor() {
    const FigureFormat format{.width_mm = 120.0, .height_mm = 90.0, .font_pt = 7.0};
    const Svg svg = parsed(figureOf(plot_->exporter(), format, "svg"));
    QCOMPARE(svg.mm, QSizeF(120.0, 90.0));
    const double mm_per_unit = svg.mm.width() / svg.view.width();
    QVERIFY(std::abs(svg.mm.height() / svg.view.height() - mm_per_unit) < 0.01 * mm_per_unit);
    int small = 0;
    for (const PictureText& text : svg.texts) {
      const double points = text.size * mm_per_unit / kMmPerPoint;
      small += std::abs(points - 7.0) < 0.2 ? 1 : 0;
      QVERIFY2(points > 6.5, qPrintable(text.words));
    }
    QVERIFY(small >= 5);
    const QByteArray pdf = figureOf(plot_->exporter(), format, "pdf");
    static const QRegularExpression kBox("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]");
    const QRegularExpressionMatch box = kBox.match(QString::fromLatin1(pdf));
    QVERIFY(box.hasMatch());
    QVERIFY(std::abs(box.captured(1).toDouble() - 120.0 / kMmPerPoint) <= 1.0);
    QVERIFY(std::abs(box.captured(2).toDouble() - 90.0 / kMmPerPoint) <= 1.0);
    const QImage png = QImage::fromData(figureOf(plot_->exporter(), format, "png"));
    QVERIFY(std::abs(png.width() - 120.0 / 25.4 * 300.0) < 6.0);
  }

  void nothingIsCutOffAtThePage() {
    for (const double width : {60.0, 85.0, 180.0}) {
      const FigureFormat format{.width_mm = width, .height_mm = 70.0, .font_pt = 8.0};
      const Svg svg = parsed(figureOf(plot_->exporter(), format, "svg"));
      QVERIFY2(svg.textsOutside().isEmpty(), qPrintable(svg.textsOutside()));
      QVERIFY(!svg.points.empty());
      for (const QPointF& point : svg.points) {
        QVERIFY(svg.view.adjusted(-1, -1, 1, 1).contains(point));
      }
    }
  }

  void aZoomedCurveEndsAtItsAxes() {
    QCustomPlot& inner = innerPlot(*plot_);
    inner.xAxis->setRange(0.4, 0.5);
    inner.yAxis->setRange(0.85, 0.95);
    QVERIFY(plot_->isZoomed());
    const TempDir folder;
    const QString path = QString::fromStdString(folder.file("zoomed.svg"));
    QVERIFY(plot_->saveAs(path).has_value());
    const Svg svg = parsed(contentOf(path));
    for (const QPointF& point : svg.points) {
      QVERIFY(svg.view.adjusted(-1, -1, 1, 1).contains(point));
    }
    QVERIFY(plot_->isZoomed());
  }

  void theTitleNamesValueAndRunUnlessItIsNotWanted() {
    FigureFormat format;
    const QString with = parsed(figureOf(plot_->exporter(), format, "svg")).words();
    QVERIFY2(with.contains("ECE 1.14"), qPrintable(with));
    QVERIFY2(with.contains("MC dropout"), qPrintable(with));
    format.has_title = false;
    const QString without = parsed(figureOf(plot_->exporter(), format, "svg")).words();
    QVERIFY(!without.contains("Reliability") && !without.contains("MC dropout"));
    QVERIFY(without.contains("false positive rate") || without.contains("FPR"));
  }

  void figuresAreLightUnlessDarkIsChosen() {
    FigureFormat format;
    const QByteArray light = figureOf(plot_->exporter(), format, "svg");
    QVERIFY(light.contains(Theme::light().panel.name().toLatin1()));
    QVERIFY(!light.contains(Theme::darkTheme().panel.name().toLatin1()));
    format.is_dark = true;
    const QByteArray dark = figureOf(plot_->exporter(), format, "svg");
    QVERIFY(dark.contains(Theme::darkTheme().panel.name().toLatin1()));
    // The window keeps its own theme.
    QVERIFY(currentTheme() == Theme::darkTheme());
    const TempDir folder;
    const QString path = QString::fromStdString(folder.file("plain.svg"));
    QVERIFY(plot_->saveAs(path).has_value());
    QVERIFY(!contentOf(path).contains(Theme::darkTheme().panel.name().toLatin1()));
  }

  void aMatrixIsAFigureToo() {
    ConfusionMatrix matrix;
    ConfusionValue value;
    value.class_names = QStringList{"ant", "bee", "cat"};
    value.counts = Array<std::int64_t>::fromVector({3, 3}, {2000, 1, 0, 0, 7, 2, 3, 0, 9});
    matrix.setValue(value);
    matrix.resize(300, 300);
    const Svg svg =
        parsed(figureOf(matrix.exporter(), {.width_mm = 85.0, .height_mm = 85.0}, "svg"));
    QCOMPARE(svg.mm, QSizeF(85.0, 85.0));
    QVERIFY2(svg.textsOutside().isEmpty(), qPrintable(svg.textsOutside()));
    QVERIFY(svg.words().contains("predicted"));
  }

  void aSlideHasItsSizeInPixels() {
    FigureDialog dialog({});
    partOf<QComboBox>(dialog, "figureSize").setCurrentIndex(2);  // 16:9
    QCOMPARE(dialog.suffix(), "png");
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureWidth").suffix(), " px");
    for (const QSize size : {QSize(1920, 1080), QSize(1000, 701), QSize(1440, 1080)}) {
      partOf<QDoubleSpinBox>(dialog, "figureWidth").setValue(size.width());
      partOf<QDoubleSpinBox>(dialog, "figureHeight").setValue(size.height());
      const FigureFormat format = dialog.format();
      QVERIFY(format.in_pixels);
      QCOMPARE(QImage::fromData(figureOf(plot_->exporter(), format, "png")).size(), size);
      // The dialog shows again what was chosen.
      const FigureDialog again(format);
      QCOMPARE(partOf<QDoubleSpinBox>(again, "figureWidth").value(),
               static_cast<double>(size.width()));
      QCOMPARE(partOf<QDoubleSpinBox>(again, "figureFont").value(), 32.0);
    }
  }

  void theUnitCanBeChanged() {
    FigureDialog dialog({.width_mm = 127.0, .height_mm = 63.5, .font_pt = 9.6});
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureWidth").value(), 127.0);
    auto& unit = partOf<QComboBox>(dialog, "figureUnit");
    unit.setCurrentIndex(1);
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureWidth").value(), 1500.0);
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureHeight").value(), 750.0);
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureFont").value(), 40.0);
    unit.setCurrentIndex(0);
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureWidth").value(), 127.0);
    QCOMPARE(partOf<QDoubleSpinBox>(dialog, "figureWidth").suffix(), " mm");
    QCOMPARE(dialog.format().font_pt, 9.6);
    QVERIFY(!dialog.format().in_pixels);
  }

  void theDialogAsksAndIsRemembered() {
    QSignalSpy changed(&FigureFormatNotifier::instance(), &FigureFormatNotifier::changed);
    const TempDir folder;
    QString suggested;
    plot_->setFilePrompt([&](const QString& name, const QString&) {
      suggested = name;
      return QString::fromStdString(folder.file("chosen"));
    });
    QMenu menu;
    plot_->exporter().addTo(menu);
    for (QAction* const action : menu.actions()) {
      if (action->text() == QString::fromUtf8("Figure for a paper or slide…")) {
        action->trigger();
      }
    }
    auto* const dialog = plot_->findChild<FigureDialog*>("figureDialog");
    QVERIFY(dialog != nullptr);
    QVERIFY(!dialog->format().is_dark && dialog->format().has_title);
    partOf<QDoubleSpinBox>(*dialog, "figureWidth").setValue(100.0);
    partOf<QDoubleSpinBox>(*dialog, "figureHeight").setValue(50.0);
    partOf<QDoubleSpinBox>(*dialog, "figureFont").setValue(9.0);
    partOf<QComboBox>(*dialog, "figureTheme").setCurrentIndex(1);
    partOf<QCheckBox>(*dialog, "figureTitle").setChecked(false);
    partOf<QComboBox>(*dialog, "figureKind").setCurrentIndex(1);
    dialog->accept();
    QCOMPARE(suggested, "reliability.svg");
    QCOMPARE(changed.count(), 1);
    const FigureFormat wanted{
        .width_mm = 100.0, .height_mm = 50.0, .font_pt = 9.0, .is_dark = true, .has_title = false};
    QVERIFY(figureFormat() == wanted);
    QCOMPARE(parsed(contentOf(QString::fromStdString(folder.file("chosen.svg")))).mm,
             QSizeF(100.0, 50.0));
    setFigureFormat({.width_mm = 1.0, .height_mm = 1e9, .font_pt = 0.0});
    QCOMPARE(figureFormat().width_mm, kMinFigureMm);
    QCOMPARE(figureFormat().height_mm, kMaxFigureMm);
    QCOMPARE(figureFormat().font_pt, kMinFigurePt);
  }

 private:
  std::unique_ptr<CurvePlot> plot_;
};

}  // namespace dubito::test

#include "figure_export_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::FigureExportTest)
