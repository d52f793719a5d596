// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_kernel_sliders.h"

#include <QVBoxLayout>
#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "app/labs/lab_values.h"
#include "core/labs/gaussian/kernel.h"
#include "widgets/options_form.h"
#include "widgets/text_width.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr QLatin1String kKernelField("kernel");
/// Of the ends of a slider, relative to the value in the text.
constexpr double kSliderFactor = 30.0;
constexpr int kSliderDigits = 3;
/// For four digits.
constexpr int kSliderBoxWidth = 16 * kGrid;

/// The value of the option `name`; nullptr if there is no such option of this type.
template <class Value>
Value* storageOf(const std::vector<Field>& fields, std::string_view name) {
  const auto found =
      std::ranges::find_if(fields, [name](const Field& field) { return field.info.name == name; });
  if (found == fields.end()) {
    return nullptr;
  }
  Value* const* const value = std::get_if<Value*>(&found->value);
  return value == nullptr ? nullptr : *value;
}

/// The ends are numbers that the text can have, too.
double sliderEnd(double value) {
  const double inside = std::clamp(value, kMinKernelParameter, kMaxKernelParameter);
  return QString::number(inside, 'g', kSliderDigits).toDouble();
}

SliderRange sliderRangeAround(double value) {
  return {.low = sliderEnd(value / kSliderFactor),
          .high = sliderEnd(value * kSliderFactor),
          .logarithmic = true,
          .digits = kSliderDigits};
}

std::vector<std::string> keysOf(const std::vector<KernelParameter>& parameters) {
  std::vector<std::string> keys;
  for (const KernelParameter& parameter : parameters) {
    // Of another kernel, a parameter of this name has another tip.
    keys.push_back(parameter.base == nullptr ? parameter.key
                                             : parameter.base->key + ("." + parameter.key));
  }
  return keys;
}

}  // namespace

LabKernelSliders* LabKernelSliders::ofFields(const std::vector<Field>& fields, OptionsForm& form) {
  auto* const kernel = storageOf<std::string>(fields, "kernel");
  auto* const optimise = storageOf<bool>(fields, "optimise");
  return kernel == nullptr || optimise == nullptr ? nullptr
                                                  : new LabKernelSliders(*kernel, *optimise, form);
}

LabKernelSliders::LabKernelSliders(std::string& kernel, bool& optimise, OptionsForm& form)
    : QWidget(&form), kernel_(kernel), optimise_(optimise), form_(form) {
  setObjectName(QStringLiteral("labKernelSliders"));
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid);
  connect(&form, &OptionsForm::edited, this, [this](const QString& name) {
    if (name == kKernelField) {
      showText();
    }
  });
  showText();
}

void LabKernelSliders::showText() {
  const auto kernel = parseKernel(kernel_);
  const std::vector<KernelParameter> parameters =
      kernel ? kernel->parameters() : std::vector<KernelParameter>();
  if (keysOf(parameters) != keys_) {
    for (ValueSlider* const slider : std::exchange(sliders_, {})) {
      delete slider;
    }
    keys_ = keysOf(parameters);
    if (kernel) {
      makeSliders(*kernel);
    }
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double value = parameters[i].value;
    // The handle stays where it is unless the text has left the range.
    if (value < sliders_[i]->range().low || value > sliders_[i]->range().high) {
      sliders_[i]->setRange(sliderRangeAround(value));
    }
    sliders_[i]->setValue(value);
  }
  setVisible(!sliders_.empty());
}

void LabKernelSliders::makeSliders(const Kernel& kernel) {
  const std::vector<KernelParameter> parameters = kernel.parameters();
  int name_width = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const KernelParameter& parameter = parameters[i];
    const QString name = labText(parameter.name.c_str());
    auto* const slider = new ValueSlider(name, this);
    slider->setObjectName(QStringLiteral("labKernelSlider%1").arg(i));
    slider->setRange(sliderRangeAround(parameter.value));
    slider->setToolTip(
        tr("%1 of %2, on a logarithmic scale. Moving it changes the text of the kernel and "
           "switches its fit off, so that the kernel is used as it is written")
            .arg(name, parameter.base == nullptr ? tr("a constant factor")
                                                 : QLatin1String(parameter.base->key)));
    slider->setBoxWidth(kSliderBoxWidth);
    name_width = std::max(name_width, usualTextWidth(name) + kGrid);
    connect(slider, &ValueSlider::moved, this, [this, i](double value) { rewrite(i, value); });
    connect(slider, &ValueSlider::settled, this, [this, i](double value) { rewrite(i, value); });
    layout()->addWidget(slider);
    sliders_.push_back(slider);
  }
  for (ValueSlider* const slider : sliders_) {
    slider->setNameWidth(name_width);
  }
}

void LabKernelSliders::rewrite(std::size_t index, double value) {
  const auto kernel = parseKernel(kernel_);
  // A handle that is released where it was changes nothing.
  if (!kernel || index >= kernel->parameterCount() || kernel->parameters()[index].value == value) {
    return;
  }
  kernel_ = kernel->withParameter(index, value).text();
  optimise_ = false;
  form_.reload();
  Q_EMIT kernelChanged();
}

}  // namespace dubito
