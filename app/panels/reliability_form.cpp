// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/reliability_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {

ReliabilityForm::ReliabilityForm(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      bins_(new QSpinBox(this)),
      width_(new QComboBox(this)),
      of_(new QComboBox(this)),
      with_ood_(new QCheckBox(tr("OOD items count as wrong"), this)) {
  setObjectName(QStringLiteral("reliabilityForm"));
  setProperty("role", QStringLiteral("card"));
  bins_->setObjectName(QStringLiteral("reliabilityBins"));
  bins_->setRange(5, 100);  // fewer show little, more are too thin to see
  width_->setObjectName(QStringLiteral("reliabilityWidth"));
  width_->addItems({tr("equal width"), tr("equal mass")});
  width_->setToolTip(tr("Equal mass: the same number of items in every bin; ties stay together"));
  of_->setObjectName(QStringLiteral("reliabilityClass"));
  of_->setToolTip(
      tr("Confidence in the predicted class, or the probability of one class for all items"));
  with_ood_->setObjectName(QStringLiteral("reliabilityOod"));
  auto* const layout = new QFormLayout(this);
  layout->setContentsMargins(4 * kGrid, 3 * kGrid, 4 * kGrid, 3 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addRow(tr("Bins"), bins_);
  layout->addRow(tr("Binning"), width_);
  layout->addRow(tr("Probability of"), of_);
  layout->addRow(with_ood_);
  setChoices({}, false);
  connect(bins_, &QSpinBox::valueChanged, this, &ReliabilityForm::emitOptions);
  connect(width_, &QComboBox::currentIndexChanged, this, &ReliabilityForm::emitOptions);
  connect(of_, &QComboBox::currentIndexChanged, this, &ReliabilityForm::emitOptions);
  connect(with_ood_, &QCheckBox::toggled, this, &ReliabilityForm::emitOptions);
}

void ReliabilityForm::setChoices(const std::vector<QString>& classes, bool has_ood) {
  with_ood_->setEnabled(has_ood);
  with_ood_->setToolTip(has_ood ? QString() : tr("This run has no OOD items"));
  // There may be thousands of classes.
  if (of_->count() > 0 && classes == classes_) {
    return;
  }
  classes_ = classes;
  const QSignalBlocker quiet(of_);
  of_->clear();
  of_->addItem(tr("predicted class (top-label)"));
  of_->addItems(QStringList(classes.begin(), classes.end()));
}

void ReliabilityForm::setOptions(const ReliabilityOptions& options) {
  const QSignalBlocker bins(bins_);
  const QSignalBlocker width(width_);
  const QSignalBlocker of(of_);
  const QSignalBlocker ood(with_ood_);
  bins_->setValue(static_cast<int>(options.bins));
  width_->setCurrentIndex(options.equal_mass ? 1 : 0);
  of_->setCurrentIndex(options.of_class ? static_cast<int>(*options.of_class) + 1 : 0);
  with_ood_->setChecked(options.with_ood);
}

void ReliabilityForm::emitOptions() {
  ReliabilityOptions options;
  options.bins = bins_->value();
  options.equal_mass = width_->currentIndex() == 1;
  if (of_->currentIndex() > 0) {
    options.of_class = of_->currentIndex() - 1;
  }
  options.with_ood = with_ood_->isChecked();
  Q_EMIT edited(options);
}

}  // namespace dubito
