// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_method_list.h"

#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <string_view>

#include "app/labs/lab_set_up.h"
#include "app/labs/lab_values.h"
#include "app/labs/method_runner_base.h"
#include "app/words/symbols.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {

LabMethodList::LabMethodList(LabSetUp& set_up, MethodRunnerBase& runner, const QString& prefix,
                             const std::vector<LabMethodText>& methods,
                             std::span<const char* const> first)
    : QObject(&set_up), runner_(runner), methods_(methods) {
  set_up.addHeading(tr("Methods"));
  addList(set_up, prefix + QStringLiteral("Methods"), first);
  explanation_ = set_up.addText(qPrintable(prefix + QStringLiteral("Explanation")));
  options_ = set_up.addForm(qPrintable(prefix + QStringLiteral("MethodOptions")));
  connect(list_, &QListWidget::itemChanged, this, &LabMethodList::apply);
  connect(list_, &QListWidget::currentRowChanged, this, &LabMethodList::showCurrent);
  connect(options_, &OptionsForm::edited, this, &LabMethodList::restartEdited);
}

void LabMethodList::addList(LabSetUp& set_up, const QString& name,
                            std::span<const char* const> first) {
  list_ = new QListWidget(set_up.body());
  list_->setObjectName(name);
  list_->setAccessibleName(tr("Methods"));
  for (const LabMethodText& method : methods_) {
    auto* const item = new QListWidgetItem(labText(method.name), list_);
    item->setData(Qt::UserRole, QLatin1String(method.key));
    item->setToolTip(labText(method.explanation));
    const bool is_first = std::ranges::find(first, std::string_view(method.key)) != first.end();
    item->setCheckState(is_first ? Qt::Checked : Qt::Unchecked);
  }
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
  list_->setFixedHeight(list_->sizeHintForRow(0) * list_->count() + 2 * list_->frameWidth() +
                        kGrid);
  list_->setCurrentRow(0);
  set_up.rows().addWidget(list_);
}

std::string LabMethodList::keyOf(int row) const {
  return list_->item(row)->data(Qt::UserRole).toString().toStdString();
}

void LabMethodList::apply() {
  std::vector<std::string> keys;
  for (int row = 0; row < list_->count(); ++row) {
    if (list_->item(row)->checkState() == Qt::Checked) {
      keys.push_back(keyOf(row));
    }
  }
  runner_.setMethods(keys);
  showCurrent();
}

void LabMethodList::reload() {
  const std::vector<std::string> keys = runner_.methodKeys();
  const QSignalBlocker blocker(list_);
  for (int row = 0; row < list_->count(); ++row) {
    const bool chosen = std::ranges::find(keys, keyOf(row)) != keys.end();
    list_->item(row)->setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
  }
  showCurrent();
}

std::optional<std::size_t> LabMethodList::currentIndex() const {
  const std::vector<std::string> keys = runner_.methodKeys();
  const auto found = std::ranges::find(keys, keyOf(list_->currentRow()));
  return found == keys.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(found - keys.begin()));
}

void LabMethodList::showCurrent() {
  options_->clearFields();
  explanation_->clear();
  if (list_->currentRow() < 0) {
    return;
  }
  const LabMethodText& method = methods_[static_cast<std::size_t>(list_->currentRow())];
  explanation_->setText(
      QStringLiteral("%1\n\n%2")
          .arg(labText(method.explanation), inSymbols(QString::fromUtf8(method.formula))));
  const std::optional<std::size_t> index = currentIndex();
  options_->setVisible(index.has_value());
  if (index) {
    LabMethod& chosen = runner_.method(*index);
    options_->setFields(chosen.fields());
    // The method lives as long as the form shows its fields.
    options_->setRule([&chosen] { return chosen.check(); });
    Q_EMIT optionsShown(*index);
  }
}

void LabMethodList::restartEdited() {
  const std::optional<std::size_t> index = currentIndex();
  if (index && options_->check()) {
    runner_.restart(*index);
  }
}

}  // namespace dubito
