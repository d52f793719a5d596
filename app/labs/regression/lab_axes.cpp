// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_axes.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "widgets/flow_layout.h"
#include "widgets/number_box.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kNumberWidth = 25 * kGrid;
/// Nobody wants the axes to jump between two keys.
constexpr int kTypingDelay = 500;  // ms

/// The ends of both ranges, in the order of the numbers.
std::array<double*, 4> endsOf(RegressionAxes& axes) {
  return {&axes.x.low, &axes.x.high, &axes.y.low, &axes.y.high};
}

bool hasExtent(Interval range) {
  return std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high;
}

/// `value` without digits that a range of this width does not show.
double rounded(double value, Interval range) {
  const double step = std::pow(10.0, std::floor(std::log10(range.high - range.low)) - 3.0);
  return QString::number(std::round(value / step) * step, 'g', 12).toDouble();
}

void setInvalid(QWidget& widget, bool invalid) {
  if (widget.property("invalid").toBool() != invalid) {
    widget.setProperty("invalid", invalid);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
  }
}

}  // namespace

LabAxes::LabAxes(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("labAxes"));
  auto* const layout = new FlowLayout(this, 2 * kGrid);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto add_range = [&](const QString& axis, std::size_t first, const char* low_name,
                             const char* high_name) {
    auto* const heading = new QLabel(axis, this);
    auto* const to = new QLabel(tr("to"), this);
    numbers_[first] = addNumber(tr("Lowest %1").arg(axis), low_name);
    numbers_[first + 1] = addNumber(tr("Highest %1").arg(axis), high_name);
    for (QWidget* const part :
         std::initializer_list<QWidget*>{heading, numbers_[first], to, numbers_[first + 1]}) {
      layout->addWidget(part);
    }
  };
  add_range(tr("x"), 0, "labAxesXLow", "labAxesXHigh");
  add_range(tr("y"), 2, "labAxesYLow", "labAxesYHigh");
  auto* const fit = new QPushButton(tr("Fit to data"), this);
  fit->setObjectName(QStringLiteral("labAxesFit"));
  fit->setToolTip(tr("Show all points. The wheel zooms, and dragging with Shift moves the view"));
  layout->addWidget(fit);
  fixed_ = new QCheckBox(tr("Fixed"), this);
  fixed_->setObjectName(QStringLiteral("labAxesFixed"));
  fixed_->setToolTip(tr("Keep these axes for other data, too"));
  layout->addWidget(fixed_);
  typing_.setSingleShot(true);
  typing_.setInterval(kTypingDelay);
  connect(&typing_, &QTimer::timeout, this, &LabAxes::takeNumbers);
  connect(fit, &QPushButton::clicked, this, [this] {
    // What was typed and is no range is given up.
    was_typed_.fill(false);
    showValidity({true, true});
    Q_EMIT fitRequested();
  });
  connect(fixed_, &QCheckBox::clicked, this, [this](bool fixed) {
    axes_.fixed = fixed;
    Q_EMIT axesChanged(axes_);
  });
  showNumbers();
}

NumberBox* LabAxes::addNumber(const QString& name, const char* object_name) {
  auto* const number = new NumberBox(NumberBox::Kind::kReal, this);
  number->setObjectName(QLatin1String(object_name));
  number->setAccessibleName(name);
  number->setFixedWidth(kNumberWidth);
  connect(number, &NumberBox::edited, this, [this, number] {
    was_typed_[static_cast<std::size_t>(std::ranges::find(numbers_, number) - numbers_.begin())] =
        true;
    typing_.start();
  });
  connect(number, &QAbstractSpinBox::editingFinished, this, &LabAxes::takeNumbers);
  return number;
}

void LabAxes::takeNumbers() {
  typing_.stop();
  if (std::ranges::find(was_typed_, true) == was_typed_.end()) {
    return;
  }
  RegressionAxes typed = axes_;
  const std::array<double*, 4> ends = endsOf(typed);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    // What is only shown has fewer digits than the range.
    if (was_typed_[i]) {
      *ends[i] = numbers_[i]->real().value_or(std::nan(""));
    }
  }
  const std::array<bool, 2> valid{hasExtent(typed.x), hasExtent(typed.y)};
  showValidity(valid);
  if (valid[0] && valid[1]) {
    axes_ = typed;
    was_typed_.fill(false);
    Q_EMIT axesChanged(axes_);
  }
}

void LabAxes::showValidity(const std::array<bool, 2>& valid) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    setInvalid(*numbers_[i], !valid[i / 2]);
    numbers_[i]->setToolTip(valid[i / 2] ? QString()
                                         : tr("The first number must be below the second one"));
  }
}

void LabAxes::setAxes(const RegressionAxes& axes) {
  axes_ = axes;
  fixed_->setChecked(axes.fixed);
  showNumbers();
}

void LabAxes::showNumbers() {
  const std::array<double*, 4> ends = endsOf(axes_);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Interval range = i < 2 ? axes_.x : axes_.y;
    const double shown = rounded(*ends[i], range);
    if (!was_typed_[i] && !numbers_[i]->hasFocus() && numbers_[i]->real() != shown) {
      numbers_[i]->setReal(shown);
    }
  }
}

}  // namespace dubito
