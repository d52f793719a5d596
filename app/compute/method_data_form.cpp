// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/method_data_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <limits>

#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Data of the entry that holds items out.
constexpr char kHoldOut[] = "hold out";
constexpr std::int64_t kMaxSuggested = 1000;
constexpr std::int64_t kSuggestedShare = 5;  // one fifth

}  // namespace

MethodDataForm::MethodDataForm(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  auto* const layout = new QFormLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(4 * kGrid);
  layout->setVerticalSpacing(2 * kGrid);
  fit_ = makeChooser(Role::kTrain, tr("Fitted on"), "fitChooser");
  addOpenButton(fit_, "openFit");
  calibration_ = makeChooser(Role::kCalibration, tr("Calibrated on"), "calibrationChooser");
  addOpenButton(calibration_, "openCalibration");
  addHoldOut();
  connect(&session_, &Session::workspaceChanged, this, &MethodDataForm::refresh);
  setNeeds({});
}

MethodDataForm::Chooser MethodDataForm::makeChooser(Role role, const QString& text,
                                                    const char* name) {
  Chooser chooser;
  chooser.role = role;
  chooser.label = new QLabel(text, this);
  chooser.label->setMinimumWidth(kFormLabelWidth);
  chooser.row = new QWidget(this);
  chooser.box = new QComboBox(chooser.row);
  chooser.box->setObjectName(QLatin1String(name));
  chooser.box->setAccessibleName(text);
  chooser.box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* const line = new QHBoxLayout(chooser.row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(chooser.box, 1);
  static_cast<QFormLayout*>(layout())->addRow(chooser.label, chooser.row);
  connect(chooser.box, &QComboBox::currentIndexChanged, this, [this] {
    splitEvaluated();
    Q_EMIT edited();
  });
  return chooser;
}

void MethodDataForm::addOpenButton(Chooser& chooser, const char* name) {
  auto* const button = new QToolButton(chooser.row);
  button->setObjectName(QLatin1String(name));
  button->setProperty("role", QStringLiteral("quiet"));
  button->setText(tr("Open…"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* const menu = new QMenu(button);
  const auto add = [&](const QString& text, const char* suffix, bool folder) {
    QAction* const action = menu->addAction(text);
    action->setObjectName(QLatin1String(name) + QLatin1String(suffix));
    connect(action, &QAction::triggered, this, [this, &chooser, folder] {
      chooser.awaits = true;
      Q_EMIT openRequested(chooser.role, folder);
    });
  };
  add(tr("Dataset file…"), "File", false);
  add(tr("Image folder…"), "Folder", true);
  button->setMenu(menu);
  static_cast<QHBoxLayout*>(chooser.row->layout())->addWidget(button);
}

void MethodDataForm::addHoldOut() {
  hold_out_row_ = new QWidget(this);
  count_ = new QSpinBox(hold_out_row_);
  count_->setObjectName(QStringLiteral("holdOutCount"));
  count_->setAccessibleName(tr("Items held out"));
  count_->setToolTip(
      tr("Items of the evaluated dataset, drawn at random by their ids, on which "
         "the method is calibrated; only the others are evaluated"));
  rest_ = new QLabel(hold_out_row_);
  rest_->setObjectName(QStringLiteral("holdOutRest"));
  rest_->setProperty("role", QStringLiteral("muted"));
  auto* const line = new QHBoxLayout(hold_out_row_);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(count_);
  line->addWidget(rest_, 1);
  static_cast<QFormLayout*>(layout())->addRow(QString(), hold_out_row_);
  connect(count_, &QSpinBox::valueChanged, this, [this] {
    splitEvaluated();
    Q_EMIT edited();
  });
}

void MethodDataForm::setNeeds(const MethodNeeds& needs) {
  fit_.needed = needs.fit;
  calibration_.needed = needs.calibration;
  setVisible(needs.fit || needs.calibration);
  fill(fit_);
  fill(calibration_);
  splitEvaluated();
}

void MethodDataForm::fill(Chooser& chooser) {
  const DatasetPtr before = chosenIn(chooser);
  const bool held_out = chooser.box->currentData().toString() == QLatin1String(kHoldOut);
  const std::vector<DatasetPtr> known = chooser.offered;
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
  const DatasetPtr evaluated = session_.activeDataset();
  const bool offers_part =
      chooser.role == Role::kCalibration && evaluated && canHoldOut(*evaluated);
  if (offers_part) {
    const auto position = static_cast<std::size_t>(session_.activeDatasetPosition());
    chooser.box->addItem(tr("a part of %1").arg(session_.datasets()[position].name),
                         QLatin1String(kHoldOut));
  }
  const auto opened = std::ranges::find_if(chooser.offered, [&](const DatasetPtr& dataset) {
    return chooser.awaits && dataset->info().role == chooser.role &&
           std::ranges::find(known, dataset) == known.end();
  });
  const auto kept = std::find(chooser.offered.begin(), chooser.offered.end(), before);
  if (opened != chooser.offered.end()) {
    chooser.awaits = false;
    chooser.box->setCurrentIndex(static_cast<int>(opened - chooser.offered.begin()));
  } else if (held_out && offers_part) {
    chooser.box->setCurrentIndex(static_cast<int>(chooser.offered.size()));
  } else {
    chooser.box->setCurrentIndex(kept != chooser.offered.end()
                                     ? static_cast<int>(kept - chooser.offered.begin())
                                 : chooser.offered.empty() ? -1
                                                           : 0);
  }
  chooser.box->setEnabled(chooser.box->count() > 0);
  chooser.box->setPlaceholderText(offers_part ? tr("choose one") : tr("none open"));
  chooser.label->setVisible(chooser.needed);
  chooser.row->setVisible(chooser.needed);
}

bool MethodDataForm::holdsOut() const {
  return calibration_.needed &&
         calibration_.box->currentData().toString() == QLatin1String(kHoldOut);
}

void MethodDataForm::splitEvaluated() {
  const DatasetPtr whole = session_.activeDataset();
  const bool holds = holdsOut() && whole;
  hold_out_row_->setVisible(holds);
  if (!holds) {
    held_out_.reset();
    return;
  }
  if (counted_.lock() != whole) {
    counted_ = whole;
    const QSignalBlocker blocker(count_);
    count_->setRange(1, static_cast<int>(std::min<std::int64_t>(whole->size() - 1,
                                                                std::numeric_limits<int>::max())));
    count_->setValue(static_cast<int>(
        std::clamp<std::int64_t>(whole->size() / kSuggestedShare, 1, kMaxSuggested)));
  }
  // Parts of a large dataset are not drawn again for every change of the panel.
  if (!held_out_ || held_out_->whole != whole ||
      held_out_->calibration->size() != count_->value()) {
    const auto split = holdOut(whole, count_->value());
    held_out_ = split ? std::optional(*split) : std::nullopt;
  }
  rest_->setText(tr("held out, %1 evaluated").arg(countText(whole->size() - count_->value())));
}

void MethodDataForm::refresh() {
  fill(fit_);
  fill(calibration_);
  splitEvaluated();
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
        "This method requires a calibration set; open one, hold out a part of the evaluated "
        "images, or set the role of a dataset to calibration (Edit dataset…)");
  }
  return {};
}

}  // namespace dubito
