// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_light.h"

#include <QFormLayout>
#include <QPushButton>
#include <QSlider>

#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

/// Steps of a slider on each side of its middle.
constexpr int kSteps = 100;

QSlider* makeSlider(const char* name, QWidget* parent) {
  auto* const slider = new QSlider(Qt::Horizontal, parent);
  slider->setObjectName(QLatin1String(name));
  slider->setRange(-kSteps, kSteps);
  slider->setMinimumWidth(50 * kGrid);
  return slider;
}

}  // namespace

ReviewLight::ReviewLight(ZoomView& image) : QFrame(&image, Qt::Popup), image_(image) {
  setObjectName(QStringLiteral("reviewLight"));
  setFrameShape(QFrame::StyledPanel);
  brightness_ = makeSlider("reviewBrightness", this);
  contrast_ = makeSlider("reviewContrast", this);
  auto* const reset = new QPushButton(tr("As stored"), this);
  reset->setObjectName(QStringLiteral("reviewLightReset"));
  auto* const form = new QFormLayout(this);
  form->addRow(tr("Brightness"), brightness_);
  form->addRow(tr("Contrast"), contrast_);
  form->addRow(reset);
  connect(brightness_, &QSlider::valueChanged, this, &ReviewLight::apply);
  connect(contrast_, &QSlider::valueChanged, this, &ReviewLight::apply);
  connect(reset, &QPushButton::clicked, this, [this] {
    brightness_->setValue(0);
    contrast_->setValue(0);
  });
}

void ReviewLight::toggle() {
  if (isVisible()) {
    close();
    return;
  }
  adjustSize();
  move(image_.mapToGlobal(QPoint(image_.width() - width(), 0)));
  show();
  brightness_->setFocus();
}

void ReviewLight::apply() {
  image_.setLight(static_cast<double>(brightness_->value()) / kSteps,
                  static_cast<double>(contrast_->value()) / kSteps);
}

}  // namespace dubito
