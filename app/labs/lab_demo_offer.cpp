// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_demo_offer.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/jobs/window_jobs.h"
#include "app/session/session.h"
#include "app/workbench/file_opener.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

LabDemoOffer::LabDemoOffer(Session& session, WindowJobs& jobs, FileOpener& opener, QWidget* parent)
    : QWidget(parent),
      session_(session),
      jobs_(jobs),
      opener_(opener),
      text_(new WrappedLabel(this)),
      open_(new QPushButton(tr("Open the demo"), this)) {
  setObjectName(QStringLiteral("labDemoOffer"));
  text_->setObjectName(QStringLiteral("labMissing"));
  open_->setObjectName(QStringLiteral("labOpenDemo"));
  open_->setProperty("role", QStringLiteral("primary"));
  open_->setToolTip(tr("A digit classifier, 2 000 digits and 2 000 OOD images"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_);
  layout->addWidget(open_, 0, Qt::AlignLeft);
  connect(open_, &QPushButton::clicked, &opener_, &FileOpener::openDemo);
  connect(&jobs_, &WindowJobs::started, this, &LabDemoOffer::showState);
  connect(&jobs_, &WindowJobs::finished, this, &LabDemoOffer::showState);
  showState();
}

void LabDemoOffer::setMissing(const QString& text) {
  missing_ = text;
  showState();
}

void LabDemoOffer::showState() {
  const bool busy = jobs_.busy();
  text_->setText(busy ? tr("Working: the status line shows the progress.") : missing_);
  open_->setVisible(!busy && !session_.hasDemo());
  setVisible(!missing_.isEmpty());
}

}  // namespace dubito
