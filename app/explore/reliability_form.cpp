// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/reliability_form.h"

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
      binning_(new QComboBox(this)),
      class_(new QComboBox(this)),
      with_ood_(new QCheckBox(tr("OOD items count as wrong"), this)) {
  setObjectName(QStringLiteral("reliabilityForm"));
  setProperty("role", QStringLiteral("card"));
  bins_->setObjectName(QStringLiteral("reliabilityBins"));
  bins_->setRange(5, 100);  // fewer show little, more are too thin to see
  binning_->setObjectName(QStringLiteral("reliabilityWidth"));
  binning_->addItems({tr("equal width"), tr("equal mass")});
  binning_->setToolTip(tr("Equal mass: the same number of items in every bin; ties stay together"));
  class_->setObjectName(QStringLiteral("reliabilityClass"));
  class_->setToolTip(
      tr("Confidence in the predicted class, or the probability of one class for all items"));
  with_ood_->setObjectName(QStringLiteral("reliabilityOod"));
  auto* const layout = new QFormLayout(this);
  layout->setContentsMargins(4 * kGrid, 3 * kGrid, 4 * kGrid, 3 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addRow(tr("Bins"), bins_);
  layout->addRow(tr("Binning"), binning_);
  layout->addRow(tr("Probability of"), class_);
  layout->addRow(with_ood_);
  setChoices({}, false);
  connect(bins_, &QSpinBox::valueChanged, this, &ReliabilityForm::emitOptions);
  connect(binning_, &QComboBox::currentIndexChanged, this, &ReliabilityForm::emitOptions);
  connect(class_, &QComboBox::currentIndexChanged, this, &ReliabilityForm::emitOptions);
  connect(with_ood_, &QCheckBox::toggled, this, &ReliabilityForm::emitOptions);
}

void ReliabilityForm::setChoices(const std::vector<QString>& classes, bool has_ood) {
  with_ood_->setEnabled(has_ood);
  with_ood_->setToolTip(has_ood ? QString() : tr("This run has no OOD items"));
  // There may be thousands of classes.
  if (class_->count() > 0 && classes == classes_) {
    return;
  }
  classes_ = classes;
  const QSignalBlocker quiet(class_);
  class_->clear();
  class_->addItem(tr("predicted class (top-label)"));
  class_->addItems(QStringList(classes.begin(), classes.end()));
}

void ReliabilityForm::setOptions(const ReliabilityOptions& options) {
  const QSignalBlocker bins(bins_);
  const QSignalBlocker width(binning_);
  const QSignalBlocker of(class_);
  const QSignalBlocker ood(with_ood_);
  bins_->setValue(static_cast<int>(options.bins));
  binning_->setCurrentIndex(options.equal_mass ? 1 : 0);
  class_->setCurrentIndex(options.of_class ? static_cast<int>(*options.of_class) + 1 : 0);
  with_ood_->setChecked(options.with_ood);
}

void ReliabilityForm::emitOptions() {
  ReliabilityOptions options;
  options.bins = bins_->value();
  options.equal_mass = binning_->currentIndex() == 1;
  if (class_->currentIndex() > 0) {
    options.of_class = class_->currentIndex() - 1;
  }
  options.with_ood = with_ood_->isChecked();
  Q_EMIT edited(options);
}

}  // namespace dubito
