// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/demo_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/style_sheet.h"
#include "widgets/wrapped_label.h"

namespace dubito {

DemoOffer::DemoOffer(Session& session, FileOpener& opener, QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("demoOffer"));
  auto* const text = new WrappedLabel(
      tr("The demo is still open: its OOD images are included in your runs."), this);
  auto* const close = new QPushButton(tr("Close demo"), this);
  close->setObjectName(QStringLiteral("acceptDemoOffer"));
  auto* const keep = new QPushButton(tr("Keep"), this);
  keep->setObjectName(QStringLiteral("declineDemoOffer"));
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, kGrid, 2 * kGrid, kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text, 1);
  layout->addWidget(close);
  layout->addWidget(keep);
  connect(close, &QPushButton::clicked, &opener, &FileOpener::closeDemo);
  connect(keep, &QPushButton::clicked, this, &DemoOffer::hide);
  connect(&opener, &FileOpener::demoConflictFound, this, &DemoOffer::show);
  connect(&session, &Session::workspaceChanged, this, [this, &session] {
    if (!session.hasDemo()) {
      hide();
    }
  });
  styleAsBanner(*this, &Theme::accent);
  hide();
}

}  // namespace dubito
