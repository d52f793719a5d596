// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/output_dialog.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "widgets/muted_label.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

OutputDialog::OutputDialog(const QString& path, std::vector<OutputOption> options, QWidget* parent)
    : QDialog(parent),
      options_(std::move(options)),
      list_(new QListWidget(this)),
      open_(new QPushButton(tr("Save and open"), this)) {
  setObjectName(QStringLiteral("outputDialog"));
  setWindowTitle(tr("Class scores"));
  resize(120 * kGrid, 76 * kGrid);
  auto* const text =
      new WrappedLabel(tr("%1 returns %2 tensors. Which one contains the class scores, "
                          "with one row per item (N) and one column per class?")
                           .arg(QFileInfo(path).fileName())
                           .arg(options_.size()),
                       this);
  text->setObjectName(QStringLiteral("outputQuestion"));
  text->setTextFormat(Qt::PlainText);
  list_->setObjectName(QStringLiteral("outputList"));
  list_->setAccessibleName(tr("Returned tensors"));
  for (std::size_t i = 0; i < options_.size(); ++i) {
    auto* const item =
        new QListWidgetItem(QString::fromStdString(describeOption(i, options_[i])), list_);
    if (!options_[i].can_be_scores) {
      item->setFlags(Qt::NoItemFlags);
      item->setForeground(currentTheme().muted);
      item->setToolTip(tr("Shape is not [N, classes]"));
    } else if (list_->currentRow() < 0) {
      list_->setCurrentItem(item);
    }
  }
  auto* const note =
      makeMutedLabel({}, this,
                     tr("The choice is saved next to the model, with its preprocessing, "
                        "and can be changed later (Edit preprocessing…)."));
  open_->setObjectName(QStringLiteral("openWithOutput"));
  open_->setProperty("role", QStringLiteral("primary"));
  open_->setDefault(true);
  open_->setEnabled(list_->currentRow() >= 0);
  auto* const close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("closeOutputDialog"));
  close->setAutoDefault(false);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addStretch(1);
  buttons->addWidget(close);
  buttons->addWidget(open_);
  auto* const layout = new QVBoxLayout(this);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text);
  layout->addWidget(list_, 1);
  layout->addWidget(note);
  layout->addLayout(buttons);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(list_, &QListWidget::itemDoubleClicked, open_, &QPushButton::click);
  connect(open_, &QPushButton::clicked, this, [this, path] {
    Q_EMIT chosen(path, options_[static_cast<std::size_t>(list_->currentRow())].name);
    accept();
  });
}

}  // namespace dubito
