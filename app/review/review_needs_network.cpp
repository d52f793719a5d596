// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_needs_network.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

ReviewNeedsNetwork::ReviewNeedsNetwork(QWidget* parent) : ReviewMode(parent) {
  setObjectName(QStringLiteral("reviewNeedsNetwork"));
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("reviewNeedsNetworkText"));
  text_->setAlignment(Qt::AlignCenter);
  auto* const button = new QPushButton(tr("Let a network look at the images…"), this);
  button->setObjectName(QStringLiteral("reviewAskNetwork"));
  button->setProperty("role", QStringLiteral("primary"));
  auto* const layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(text_);
  layout->addSpacing(3 * kGrid);
  layout->addWidget(button, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  connect(button, &QPushButton::clicked, this, &ReviewNeedsNetwork::networkRequested);
}

void ReviewNeedsNetwork::setText(const QString& text) {
  text_->setText(text);
}

}  // namespace dubito
