// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <cmath>
#include <utility>

namespace dubito {
namespace {

/// A common size.
struct SizePreset {
  const char* name;
  double width;
  double height;
  double font;
  bool in_pixels;
};
constexpr SizePreset kPresets[] = {
    {QT_TRANSLATE_NOOP("FigureDialog", "Paper, one column"), 85.0, 65.0, 8.0, false},
    {QT_TRANSLATE_NOOP("FigureDialog", "Slide, 16:9"), 1920.0, 1080.0, 32.0, true},
    {QT_TRANSLATE_NOOP("FigureDialog", "Half a slide, 16:9"), 960.0, 900.0, 32.0, true},
    {QT_TRANSLATE_NOOP("FigureDialog", "Slide, 4:3"), 1440.0, 1080.0, 32.0, true}};

QDoubleSpinBox* makeBox(const char* name, QWidget* parent) {
  auto* const box = new QDoubleSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  return box;
}

void showValue(QDoubleSpinBox& box, double low, double high, const QString& unit, int decimals,
               double value) {
  box.setDecimals(decimals);
  box.setRange(low, high);
  box.setSuffix(QLatin1Char(' ') + unit);
  box.setValue(value);
}

QComboBox* makeChoice(const char* name, QWidget* parent) {
  auto* const box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  return box;
}

}  // namespace

FigureDialog::FigureDialog(const FigureFormat& format, QWidget* parent)
    : QDialog(parent),
      preset_(makeChoice("figureSize", this)),
      unit_(makeChoice("figureUnit", this)),
      kind_(makeChoice("figureKind", this)),
      width_(makeBox("figureWidth", this)),
      height_(makeBox("figureHeight", this)),
      font_(makeBox("figureFont", this)),
      theme_(makeChoice("figureTheme", this)),
      title_(new QCheckBox(tr("Title and caption"), this)) {
  setObjectName(QStringLiteral("figureDialog"));
  setWindowTitle(tr("Figure for a paper or slide"));
  preset_->addItem(tr("As below"));
  for (const SizePreset& preset : kPresets) {
    preset_->addItem(tr(preset.name));
  }
  unit_->addItem(tr("Millimetres and points"), false);
  unit_->addItem(tr("Pixels"), true);
  unit_->setToolTip(tr("Pixels of a PNG; PDF and SVG have 300 of them per inch"));
  unit_->setCurrentIndex(unit_->findData(format.in_pixels));
  showSizes(format);
  kind_->addItem(tr("PDF"), QStringLiteral("pdf"));
  kind_->addItem(tr("SVG"), QStringLiteral("svg"));
  kind_->addItem(tr("PNG, 300 dpi"), QStringLiteral("png"));
  theme_->addItem(tr("Light"), false);
  theme_->addItem(tr("Dark"), true);
  theme_->setCurrentIndex(theme_->findData(format.is_dark));
  title_->setObjectName(QStringLiteral("figureTitle"));
  title_->setToolTip(tr("Off if the caption is written in the document"));
  title_->setChecked(format.has_title);
  auto* const buttons =
      new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  buttons->setObjectName(QStringLiteral("figureButtons"));
  auto* const form = new QFormLayout(this);
  form->addRow(tr("Size"), preset_);
  form->addRow(tr("Unit"), unit_);
  form->addRow(tr("Format"), kind_);
  form->addRow(tr("Width"), width_);
  form->addRow(tr("Height"), height_);
  form->addRow(tr("Font size"), font_);
  form->addRow(tr("Theme"), theme_);
  form->addRow(QString(), title_);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(preset_, &QComboBox::currentIndexChanged, this, &FigureDialog::takePreset);
  connect(unit_, &QComboBox::currentIndexChanged, this, [this] { showSizes(this->format()); });
}

void FigureDialog::showSizes(const FigureFormat& format) {
  in_pixels_ = unit_->currentData().toBool();
  for (const auto& [box, mm] :
       {std::pair(width_, format.width_mm), std::pair(height_, format.height_mm)}) {
    if (in_pixels_) {
      showValue(*box, std::ceil(pixelsOfMm(kMinFigureMm)), std::floor(pixelsOfMm(kMaxFigureMm)),
                tr("px"), 0, pixelsOfMm(mm));
    } else {
      showValue(*box, kMinFigureMm, kMaxFigureMm, tr("mm"), 1, mm);
    }
  }
  if (in_pixels_) {
    showValue(*font_, std::ceil(pixelsOfPoints(kMinFigurePt)),
              std::floor(pixelsOfPoints(kMaxFigurePt)), tr("px"), 0,
              pixelsOfPoints(format.font_pt));
  } else {
    showValue(*font_, kMinFigurePt, kMaxFigurePt, tr("pt"), 1, format.font_pt);
  }
}

void FigureDialog::takePreset(int index) {
  if (index == 0) {
    return;
  }
  const SizePreset& preset = kPresets[index - 1];
  unit_->setCurrentIndex(unit_->findData(preset.in_pixels));
  width_->setValue(preset.width);
  height_->setValue(preset.height);
  font_->setValue(preset.font);
  if (preset.in_pixels) {
    kind_->setCurrentIndex(kind_->findData(QStringLiteral("png")));
  }
}

FigureFormat FigureDialog::format() const {
  const auto mm = [this](const QDoubleSpinBox& box) {
    return in_pixels_ ? mmOfPixels(box.value()) : box.value();
  };
  return {.width_mm = mm(*width_),
          .height_mm = mm(*height_),
          .font_pt = in_pixels_ ? pointsOfPixels(font_->value()) : font_->value(),
          .is_dark = theme_->currentData().toBool(),
          .has_title = title_->isChecked(),
          .in_pixels = in_pixels_};
}

QString FigureDialog::suffix() const {
  return kind_->currentData().toString();
}

}  // namespace dubito
