// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/specification_dialog.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/data/sources/dataset_kinds.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

SpecificationDialog::SpecificationDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("specificationDialog"));
  setWindowTitle(tr("Open dataset specification"));
  resize(180 * kGrid, 104 * kGrid);
  text_ = new QLineEdit(this);
  text_->setObjectName(QStringLiteral("specificationText"));
  text_->setAccessibleName(tr("Specification"));
  text_->setPlaceholderText(tr("KIND:PATH, e.g. idx:images.gz?items=0:1000&role=calibration"));
  auto* const examples = new QListWidget(this);
  examples->setObjectName(QStringLiteral("specificationExamples"));
  examples->setAccessibleName(tr("Examples"));
  for (const auto& kind : allDatasetKinds()) {
    for (const DatasetExample& example : kind->examples()) {
      const QString specification = QString::fromStdString(example.specification);
      auto* const item = new QListWidgetItem(
          QStringLiteral("%1 – %2").arg(specification, QString::fromStdString(example.meaning)),
          examples);
      item->setData(Qt::UserRole, specification);
    }
  }
  auto* const options = makeMutedLabel(
      {}, this,
      tr("Options follow a question mark and are joined by &: items=0:1000 · classes=0,1 · "
         "role=train|calibration|test|ood|unlabelled · corrupt=noise:3"));
  ood_ = new QCheckBox(tr("Out of distribution"), this);
  ood_->setObjectName(QStringLiteral("specificationOod"));
  open_ = new QPushButton(tr("Open"), this);
  open_->setObjectName(QStringLiteral("openSpecificationText"));
  open_->setProperty("role", QStringLiteral("primary"));
  open_->setDefault(true);
  auto* const close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("closeSpecification"));
  close->setAutoDefault(false);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addWidget(ood_);
  buttons->addStretch(1);
  buttons->addWidget(close);
  buttons->addWidget(open_);
  auto* const layout = new QVBoxLayout(this);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_);
  layout->addWidget(options);
  layout->addWidget(examples, 1);
  layout->addLayout(buttons);
  connect(text_, &QLineEdit::textChanged, this, &SpecificationDialog::refresh);
  connect(examples, &QListWidget::itemClicked, this, [this](const QListWidgetItem* item) {
    text_->setText(item->data(Qt::UserRole).toString());
    text_->setFocus();
  });
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(open_, &QPushButton::clicked, this, [this] {
    Q_EMIT requested(
        {{text_->text().trimmed().toStdString(), FileKind::kUnknown, ood_->isChecked(), {}}});
    accept();
  });
  refresh();
}

void SpecificationDialog::refresh() {
  open_->setEnabled(!text_->text().trimmed().isEmpty());
}

}  // namespace dubito
