// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>

namespace dubito {
namespace {

QDoubleSpinBox* makeBox(const char* name, double low, double high, const QString& unit,
                        double value, QWidget* parent) {
  auto* const box = new QDoubleSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setDecimals(1);
  box->setRange(low, high);
  box->setSuffix(QLatin1Char(' ') + unit);
  box->setValue(value);
  return box;
}

QComboBox* makeChoice(const char* name, QWidget* parent) {
  auto* const box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  return box;
}

}  // namespace

FigureDialog::FigureDialog(const FigureFormat& format, QWidget* parent)
    : QDialog(parent),
      kind_(makeChoice("figureKind", this)),
      width_(makeBox("figureWidth", kMinFigureMm, kMaxFigureMm, tr("mm"), format.width_mm, this)),
      height_(
          makeBox("figureHeight", kMinFigureMm, kMaxFigureMm, tr("mm"), format.height_mm, this)),
      font_(makeBox("figureFont", kMinFigurePt, kMaxFigurePt, tr("pt"), format.font_pt, this)),
      theme_(makeChoice("figureTheme", this)),
      title_(new QCheckBox(tr("Title and caption"), this)) {
  setObjectName(QStringLiteral("figureDialog"));
  setWindowTitle(tr("Figure for a paper"));
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
  form->addRow(tr("Format"), kind_);
  form->addRow(tr("Width"), width_);
  form->addRow(tr("Height"), height_);
  form->addRow(tr("Font size"), font_);
  form->addRow(tr("Theme"), theme_);
  form->addRow(QString(), title_);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

FigureFormat FigureDialog::format() const {
  return {.width_mm = width_->value(),
          .height_mm = height_->value(),
          .font_pt = font_->value(),
          .is_dark = theme_->currentData().toBool(),
          .has_title = title_->isChecked()};
}

QString FigureDialog::suffix() const {
  return kind_->currentData().toString();
}

}  // namespace dubito
