// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_demo_offer.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/workbench/workbench.h"
#include "widgets/theme.h"

namespace dubito {

LabDemoOffer::LabDemoOffer(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      text_(new QLabel(this)),
      open_(new QPushButton(tr("Open the demo"), this)) {
  setObjectName(QStringLiteral("labDemoOffer"));
  text_->setObjectName(QStringLiteral("labMissing"));
  text_->setWordWrap(true);
  open_->setObjectName(QStringLiteral("labOpenDemo"));
  open_->setProperty("role", QStringLiteral("primary"));
  open_->setToolTip(tr("A digit classifier, 2 000 digits and 2 000 OOD images"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_);
  layout->addWidget(open_, 0, Qt::AlignLeft);
  connect(open_, &QPushButton::clicked, &workbench_, &Workbench::openDemo);
  connect(&workbench_, &Workbench::jobStarted, this, &LabDemoOffer::showState);
  connect(&workbench_, &Workbench::jobFinished, this, &LabDemoOffer::showState);
  showState();
}

void LabDemoOffer::setMissing(const QString& text) {
  missing_ = text;
  showState();
}

void LabDemoOffer::showState() {
  const bool busy = workbench_.busy();
  text_->setText(busy ? tr("Working: the status line shows the progress.") : missing_);
  open_->setVisible(!busy && !workbench_.session().hasDemo());
  setVisible(!missing_.isEmpty());
}

}  // namespace dubito
