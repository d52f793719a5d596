// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_body.h"

#include <QHBoxLayout>
#include <QStackedWidget>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kNarrowWindow = 1200;

struct SideWidths {
  int workspace;
  int inspector;
  int panel;
};
constexpr SideWidths kWide{49 * kGrid, 74 * kGrid, 92 * kGrid};
constexpr SideWidths kNarrow{42 * kGrid, 70 * kGrid, 84 * kGrid};

}  // namespace

WindowBody::WindowBody(QWidget* workspace, QWidget* pages, QStackedWidget* side, QWidget* parent)
    : QWidget(parent), workspace_(workspace), side_(side) {
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(workspace);
  layout->addWidget(pages, 1);
  layout->addWidget(side);
  connect(side, &QStackedWidget::currentChanged, this, &WindowBody::shareWidth);
  shareWidth();
}

void WindowBody::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareWidth();
}

void WindowBody::shareWidth() {
  const SideWidths& widths = width() < kNarrowWindow ? kNarrow : kWide;
  workspace_->setFixedWidth(widths.workspace);
  side_->setFixedWidth(side_->currentIndex() == 0 ? widths.inspector : widths.panel);
}

}  // namespace dubito
