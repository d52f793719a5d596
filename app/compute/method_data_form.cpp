// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/method_data_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {

MethodDataForm::MethodDataForm(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  auto* const layout = new QFormLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(4 * kGrid);
  layout->setVerticalSpacing(2 * kGrid);
  fit_ = makeChooser(Role::kTrain, tr("Fitted on"), "fitChooser");
  calibration_ = makeChooser(Role::kCalibration, tr("Calibrated on"), "calibrationChooser");
  connect(&session_, &Session::workspaceChanged, this, &MethodDataForm::refresh);
  setNeeds({});
}

MethodDataForm::Chooser MethodDataForm::makeChooser(Role role, const QString& text,
                                                    const char* name) {
  Chooser chooser;
  chooser.role = role;
  chooser.label = new QLabel(text, this);
  chooser.label->setMinimumWidth(kFormLabelWidth);
  chooser.box = new QComboBox(this);
  chooser.box->setObjectName(QLatin1String(name));
  chooser.box->setAccessibleName(text);
  chooser.box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  static_cast<QFormLayout*>(layout())->addRow(chooser.label, chooser.box);
  connect(chooser.box, &QComboBox::currentIndexChanged, this, &MethodDataForm::edited);
  return chooser;
}

void MethodDataForm::setNeeds(const MethodNeeds& needs) {
  fit_.needed = needs.fit;
  calibration_.needed = needs.calibration;
  setVisible(needs.fit || needs.calibration);
  fill(fit_);
  fill(calibration_);
}

void MethodDataForm::fill(Chooser& chooser) {
  const DatasetPtr before = chosenIn(chooser);
  std::vector<DatasetEntry> entries = session_.datasets();
  std::erase_if(entries, [&](const DatasetEntry& entry) {
    const Role role = entry.dataset->info().role;
    return entry.ood || entry.dataset == session_.activeDataset() || role == Role::kUnlabelled ||
           (chooser.role == Role::kCalibration && role == Role::kTrain);
  });
  std::stable_partition(entries.begin(), entries.end(), [&](const DatasetEntry& entry) {
    return entry.dataset->info().role == chooser.role;
  });
  const QSignalBlocker blocker(chooser.box);
  chooser.box->clear();
  chooser.offered.clear();
  for (const DatasetEntry& entry : entries) {
    const Role role = entry.dataset->info().role;
    chooser.box->addItem(
        role == chooser.role
            ? entry.name
            : tr("%1 (%2)").arg(entry.name, QString::fromStdString(toString(role))));
    chooser.offered.push_back(entry.dataset);
  }
  const auto kept = std::find(chooser.offered.begin(), chooser.offered.end(), before);
  chooser.box->setCurrentIndex(kept != chooser.offered.end()
                                   ? static_cast<int>(kept - chooser.offered.begin())
                               : chooser.offered.empty() ? -1
                                                         : 0);
  chooser.box->setEnabled(!chooser.offered.empty());
  chooser.box->setPlaceholderText(tr("none open"));
  chooser.label->setVisible(chooser.needed);
  chooser.box->setVisible(chooser.needed);
}

void MethodDataForm::refresh() {
  fill(fit_);
  fill(calibration_);
  Q_EMIT edited();
}

DatasetPtr MethodDataForm::chosenIn(const Chooser& chooser) {
  const int position = chooser.box == nullptr ? -1 : chooser.box->currentIndex();
  return !chooser.needed || position < 0 ||
                 static_cast<std::size_t>(position) >= chooser.offered.size()
             ? nullptr
             : chooser.offered[static_cast<std::size_t>(position)];
}

QString MethodDataForm::problem() const {
  if (fit_.needed && !fit()) {
    return tr(
        "This method requires training items; open them, or set the role of a dataset to train "
        "(Edit dataset…)");
  }
  if (calibration_.needed && !calibration()) {
    return tr(
        "This method requires a calibration set; open one in addition to the evaluated images and "
        "set its role to calibration (Edit dataset…)");
  }
  return {};
}

}  // namespace dubito
