// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compute/setup_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/card_scroll.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

SetupPanel::SetupPanel(const char* prefix, const QString& title, QWidget* parent)
    : QFrame(parent), layout_(new QVBoxLayout(this)) {
  setProperty("role", QStringLiteral("card"));
  const QByteArray names(prefix);
  auto* const heading = makeLabel("title", QLatin1String(names + "Title"), this, title);
  target_ = makeMutedLabel(QLatin1String(names + "Target"), this);
  auto* const content = new QWidget(this);
  content_layout_ = new QVBoxLayout(content);
  content_layout_->setContentsMargins(0, 0, 3 * kGrid, 0);
  content_layout_->setSpacing(2 * kGrid);
  QScrollArea* const area = makeCardScroll(content, this);
  area->setObjectName(QLatin1String(names + "Scroll"));
  layout_->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 3 * kGrid);
  layout_->setSpacing(kGrid);
  layout_->addWidget(heading);
  layout_->addWidget(target_);
  layout_->addSpacing(kGrid);
  layout_->addWidget(area, 1);
}

void SetupPanel::setTarget(const QString& text) {
  target_->setText(text);
}

void SetupPanel::addBelow(QWidget* widget) {
  layout_->addWidget(widget);
}

QPushButton* SetupPanel::addButtons(const QString& text, const char* name, const char* close_name) {
  content_layout_->addStretch(1);
  auto* const apply = new QPushButton(text, this);
  apply->setObjectName(QLatin1String(name));
  apply->setProperty("role", QStringLiteral("primary"));
  auto* const close = new QPushButton(tr("Close"), this);
  close->setObjectName(QLatin1String(close_name));
  connect(close, &QPushButton::clicked, this, &SetupPanel::closeRequested);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addStretch(1);
  buttons->addWidget(close);
  buttons->addWidget(apply);
  layout_->addLayout(buttons);
  return apply;
}

}  // namespace dubito
