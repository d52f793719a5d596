// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/value_slider.h"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "widgets/marked_slider.h"
#include "widgets/number_box.h"
#include "widgets/plot_table.h"
#include "widgets/text_width.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Even, so that the middle of a range symmetric around 1 is exactly 1.
constexpr int kSteps = 1000;
constexpr int kKeySteps = 10;
constexpr int kPageSteps = 50;
constexpr int kBoxWidth = 22 * kGrid;
/// All that fit into the box.
constexpr int kShownDigits = 4;

/// Rounded to so many significant digits: enough to read and to reproduce.
double rounded(double value, int digits) {
  return QString::number(value, 'g', digits).toDouble();
}

}  // namespace

ValueSlider::ValueSlider(const QString& name, QWidget* parent)
    : QWidget(parent),
      name_(new QLabel(name, this)),
      slider_(new MarkedSlider(this)),
      box_(new NumberBox(NumberBox::Kind::kReal, this)) {
  setObjectName(QStringLiteral("valueSlider"));
  setTextWidth(*name_, kFormLabelWidth);
  name_->setBuddy(slider_);
  slider_->setObjectName(QStringLiteral("slider"));
  slider_->setAccessibleName(name);
  slider_->setMinimumHeight(6 * kGrid);
  box_->setObjectName(QStringLiteral("box"));
  box_->setAccessibleName(name);
  setTextWidth(*box_, kBoxWidth);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(name_);
  layout->addWidget(slider_, 1);
  layout->addWidget(box_);
  setFocusProxy(slider_);
  connect(slider_, &QSlider::valueChanged, this, &ValueSlider::applyStep);
  connect(slider_, &QSlider::sliderReleased, this, [this] { Q_EMIT settled(value_); });
  connect(box_, &NumberBox::edited, this, &ValueSlider::applyText);
  connect(box_, &NumberBox::editingFinished, this, &ValueSlider::finishText);
  setRange({});
}

void ValueSlider::setRange(const SliderRange& range) {
  range_ = range;
  showing_ = true;
  slider_->setRange(0, range.whole ? static_cast<int>(range.high - range.low) : kSteps);
  slider_->setSingleStep(range.whole ? 1 : kKeySteps);
  slider_->setPageStep(range.whole ? std::max(1, slider_->maximum() / 10) : kPageSteps);
  showing_ = false;
  box_->setRange(range.low, range.high);
  setValue(value_);
}

void ValueSlider::setValue(double value) {
  value_ = std::clamp(value, range_.low, range_.high);
  showValue();
  showNumber();
}

void ValueSlider::setNameWidth(int width) {
  setTextWidth(*name_, width);
}

void ValueSlider::setBoxWidth(int width) {
  setTextWidth(*box_, width);
}

bool ValueSlider::isDragged() const {
  return slider_->isSliderDown();
}

void ValueSlider::setMark(std::optional<double> value, const QString& meaning) {
  mark_ = value;
  slider_->setMark(value ? std::optional(stepOf(*value)) : std::nullopt);
  slider_->setToolTip(value ? meaning : QString());
}

int ValueSlider::stepOf(double value) const {
  const double inside = std::clamp(value, range_.low, range_.high);
  if (range_.whole) {
    return static_cast<int>(std::lround(inside - range_.low));
  }
  const double share = range_.logarithmic
                           ? std::log(inside / range_.low) / std::log(range_.high / range_.low)
                           : (inside - range_.low) / (range_.high - range_.low);
  return static_cast<int>(std::lround(share * kSteps));
}

double ValueSlider::valueAt(int step) const {
  if (range_.whole) {
    return range_.low + step;
  }
  const double share = static_cast<double>(step) / kSteps;
  const double value =
      range_.logarithmic
          ? std::pow(10.0, std::log10(range_.low) * (1.0 - share) + std::log10(range_.high) * share)
          : range_.low + (range_.high - range_.low) * share;
  // Slider steps are coarser than double precision.
  return rounded(value, range_.digits);
}

void ValueSlider::showValue() {
  showing_ = true;
  slider_->setValue(stepOf(value_));
  showing_ = false;
}

void ValueSlider::showNumber() {
  const double number = range_.whole ? value_ : rounded(value_, kShownDigits);
  box_->setToolTip(number == value_ ? QString() : exactText(value_));
  // Leave text alone that is being typed.
  if (box_->real() != value_) {
    box_->setReal(number);
  }
}

void ValueSlider::applyStep(int step) {
  if (showing_) {
    return;
  }
  value_ = std::clamp(valueAt(step), range_.low, range_.high);
  showNumber();
  if (isDragged()) {
    Q_EMIT moved(value_);
  } else {
    Q_EMIT settled(value_);
  }
}

void ValueSlider::applyText() {
  const std::optional<double> typed = box_->real();
  // What is being typed may be incomplete.
  if (!typed || *typed < range_.low || *typed > range_.high ||
      (range_.whole && *typed != std::floor(*typed))) {
    return;
  }
  value_ = *typed;
  showValue();
  Q_EMIT settled(value_);
}

void ValueSlider::finishText() {
  const double before = value_;
  if (const std::optional<double> typed = box_->real()) {
    const double inside = std::clamp(*typed, range_.low, range_.high);
    const double nearest = range_.whole ? std::round(inside) : inside;
    if (nearest != *typed) {
      value_ = nearest;
    }
  }
  // The box must not show a number that is not used.
  if (value_ != before || box_->real() != value_) {
    setValue(value_);
  }
  if (value_ != before) {
    Q_EMIT settled(value_);
  }
}

}  // namespace dubito
