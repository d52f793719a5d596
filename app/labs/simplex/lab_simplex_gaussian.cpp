// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/simplex/lab_simplex_gaussian.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>
#include <array>
#include <cmath>
#include <utility>

#include "app/labs/lab_set_up.h"
#include "app/labs/lab_values.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxClasses = 3;
constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPairs{{{0, 1}, {0, 2}, {1, 2}}};
constexpr std::array<const char*, 3> kPairNames{"ρ₁₂", "ρ₁₃", "ρ₂₃"};
constexpr std::array<const char*, 3> kMeanNames{"μ₁", "μ₂", "μ₃"};
constexpr std::array<const char*, 3> kDeviationNames{"σ₁", "σ₂", "σ₃"};
constexpr int kNameWidth = 6 * kGrid;
constexpr int kLogitBoxWidth = 25 * kGrid;

void setCovariance(LogitGaussian& gaussian, std::size_t pair, double covariance) {
  const std::size_t n = gaussian.mean.size();
  const auto [a, b] = kPairs.at(pair);
  gaussian.covariance[a * n + b] = covariance;
  gaussian.covariance[b * n + a] = covariance;
}

}  // namespace

LabSimplexGaussian::LabSimplexGaussian(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("simplexGaussian"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  presets_ = new QComboBox(this);
  presets_->setObjectName(QStringLiteral("simplexPreset"));
  presets_->setAccessibleName(tr("Gaussian"));
  addInfos(*presets_, gaussianPresets());
  presets_->setPlaceholderText(tr("Own Gaussian"));
  layout->addWidget(presets_);
  explanation_ = new WrappedLabel(this);
  explanation_->setObjectName(QStringLiteral("simplexExplanation"));
  explanation_->setProperty("role", QStringLiteral("muted"));
  layout->addWidget(explanation_);
  means_ = addSliders(
      tr("Means of the logits"), "simplexMean", kMeanNames, {-8.0, 8.0},
      [](std::size_t k) { return tr("Mean of the logit of class %1").arg(k + 1); },
      &LabSimplexGaussian::applyMean);
  deviations_ = addSliders(
      tr("Standard deviations"), "simplexDeviation", kDeviationNames, {0.0, 6.0},
      [](std::size_t k) { return tr("Standard deviation of the logit of class %1").arg(k + 1); },
      &LabSimplexGaussian::applyDeviation);
  correlations_ = addSliders(
      tr("Correlations"), "simplexCorrelation", kPairNames, {-1.0, 1.0},
      [](std::size_t pair) {
        return tr("Correlation of the logits of classes %1 and %2")
            .arg(kPairs.at(pair).first + 1)
            .arg(kPairs.at(pair).second + 1);
      },
      &LabSimplexGaussian::applyCorrelation);
  connect(presets_, &QComboBox::activated, this, &LabSimplexGaussian::choosePreset);
  presets_->setCurrentIndex(0);
  choosePreset();
}

std::vector<ValueSlider*> LabSimplexGaussian::addSliders(
    const QString& heading, const char* object, const std::array<const char*, 3>& names,
    const SliderRange& range, QString (*tip)(std::size_t number),
    void (LabSimplexGaussian::*apply)(std::size_t, double)) {
  auto* const label = new QLabel(heading, this);
  label->setFont(uiFont(TypeSize::kBody, true));
  layout()->addWidget(label);
  std::vector<ValueSlider*> sliders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto* const slider = new ValueSlider(QString::fromUtf8(names.at(i)), this);
    slider->setObjectName(QStringLiteral("%1%2").arg(QLatin1String(object)).arg(i + 1));
    slider->setNameWidth(kNameWidth);
    slider->setBoxWidth(kLogitBoxWidth);
    slider->setToolTip(tip(i));
    slider->setRange(range);
    const auto change = [this, apply, i](double value, bool moving) {
      (this->*apply)(i, value);
      Q_EMIT edited(moving);
    };
    connect(slider, &ValueSlider::moved, this, [change](double value) { change(value, true); });
    connect(slider, &ValueSlider::settled, this, [change](double value) { change(value, false); });
    layout()->addWidget(slider);
    sliders.push_back(slider);
  }
  return sliders;
}

void LabSimplexGaussian::choosePreset() {
  const auto index = static_cast<std::size_t>(presets_->currentIndex());
  if (index < gaussianPresets().size()) {
    value_ = gaussianPresets()[index].make();
    showValue();
    explanation_->setText(labText(gaussianPresets()[index].explanation));
    explanation_->show();
    Q_EMIT presetChosen();
  }
}

void LabSimplexGaussian::setValue(const LogitGaussian& gaussian) {
  value_ = gaussian;
  presets_->setCurrentIndex(-1);
  // Without its text, but with its height: a slider must not move away while it is dragged.
  explanation_->setMinimumHeight(explanation_->height());
  explanation_->setText(tr("Own values"));
  showValue();
}

void LabSimplexGaussian::setExplained(const LogitGaussian& gaussian, const QString& explanation) {
  setValue(gaussian);
  explanation_->setText(explanation);
  explanation_->show();
}

void LabSimplexGaussian::applyMean(std::size_t k, double mean) {
  LogitGaussian changed = value_;
  changed.mean[k] = mean;
  setValue(changed);
}

void LabSimplexGaussian::applyDeviation(std::size_t k, double deviation) {
  const std::size_t n = classes();
  LogitGaussian changed = value_;
  changed.covariance[k * n + k] = deviation * deviation;
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    const auto [a, b] = kPairs.at(i);
    if (b < n && (a == k || b == k)) {
      setCovariance(changed, i,
                    correlations_[i]->value() * std::sqrt(changed.covariance[a * n + a]) *
                        std::sqrt(changed.covariance[b * n + b]));
    }
  }
  setValue(changed);
}

void LabSimplexGaussian::applyCorrelation(std::size_t pair, double correlation) {
  const std::size_t n = classes();
  const auto [a, b] = kPairs.at(pair);
  LogitGaussian changed = value_;
  setCovariance(
      changed, pair,
      correlation * std::sqrt(value_.covariance[a * n + a] * value_.covariance[b * n + b]));
  setValue(changed);
}

void LabSimplexGaussian::showValue() {
  const std::size_t n = classes();
  for (std::size_t k = 0; k < kMaxClasses; ++k) {
    means_[k]->setVisible(k < n);
    deviations_[k]->setVisible(k < n);
    if (k < n) {
      means_[k]->setValue(value_.mean[k]);
      deviations_[k]->setValue(std::sqrt(value_.covariance[k * n + k]));
    }
  }
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    const auto [a, b] = kPairs.at(i);
    correlations_[i]->setVisible(b < n);
    if (b < n) {
      const double scale =
          std::sqrt(value_.covariance[a * n + a]) * std::sqrt(value_.covariance[b * n + b]);
      // Without variance a correlation means nothing; the slider keeps the value for later.
      if (scale > 0.0) {
        correlations_[i]->setValue(value_.covariance[a * n + b] / scale);
      }
    }
  }
}

}  // namespace dubito
