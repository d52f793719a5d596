// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/missing_files.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/style_sheet.h"
#include "widgets/wrapped_label.h"

namespace dubito {

MissingFiles::MissingFiles(QWidget* parent)
    : QFrame(parent), text_(new WrappedLabel(this)), count_(new QLabel(this)) {
  setObjectName(QStringLiteral("missingFiles"));
  text_->setObjectName(QStringLiteral("missingText"));
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  count_->setObjectName(QStringLiteral("missingCount"));
  count_->setProperty("role", QStringLiteral("muted"));
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(count_);
  locate_ = addButton(
      "locateFile", tr("Locate…"),
      tr("Choose the new location; other missing files in the same folder are found too"));
  accept_ = addButton("acceptFile", tr("Use changed file"),
                      tr("Open the file although it has changed since the workspace was saved"));
  skip_ = addButton("leaveOutFile", tr("Skip"),
                    tr("Continue without this file and everything that needs it"));
  connect(locate_, &QPushButton::clicked, this, &MissingFiles::locateRequested);
  connect(accept_, &QPushButton::clicked, this, &MissingFiles::acceptRequested);
  connect(skip_, &QPushButton::clicked, this, &MissingFiles::skipRequested);
  styleAsBanner(*this, &Theme::misclassified);
  hide();
}

QPushButton* MissingFiles::addButton(const char* name, const QString& text, const QString& tip) {
  auto* const button = new QPushButton(text, this);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  layout()->addWidget(button);
  return button;
}

void MissingFiles::setProblems(const QList<ShownProblem>& problems) {
  setVisible(!problems.isEmpty());
  if (problems.isEmpty()) {
    return;
  }
  text_->setText(problems.front().message);
  setAccessibleName(tr("Workspace file"));
  setAccessibleDescription(problems.front().message);
  count_->setText(tr("1 of %1").arg(problems.size()));
  count_->setVisible(problems.size() > 1);
  accept_->setVisible(problems.front().can_accept);
}

}  // namespace dubito
