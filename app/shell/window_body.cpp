// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_body.h"

#include <QHBoxLayout>
#include <QStackedWidget>

#include "widgets/fold_tab.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kNarrowWindow = 1200;
/// Below this the page would have less than half of the window.
constexpr int kFoldingWindow = 1100;

struct SideWidths {
  int workspace;
  int inspector;
  int panel;
};
constexpr SideWidths kWide{49 * kGrid, 74 * kGrid, 92 * kGrid};
constexpr SideWidths kNarrow{42 * kGrid, 70 * kGrid, 84 * kGrid};

}  // namespace

WindowBody::WindowBody(QWidget* parent) : QWidget(parent) {}

void WindowBody::setParts(QWidget* workspace, QWidget* pages, QStackedWidget* side) {
  workspace_ = workspace;
  side_ = side;
  fold_tab_ = new FoldTab(tr("Item"), this);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(workspace);
  layout->addWidget(pages, 1);
  layout->addWidget(side);
  fold_tab_->setObjectName(QStringLiteral("sideTab"));
  fold_tab_->setToolTip(tr("Open or close the details of the item shown"));
  layout->addWidget(fold_tab_, 0, Qt::AlignTop);
  connect(fold_tab_, &FoldTab::toggled, this, &WindowBody::showSide);
  connect(side, &QStackedWidget::currentChanged, this, &WindowBody::shareWidth);
  shareWidth();
}

void WindowBody::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (side_ != nullptr) {
    shareWidth();
  }
}

void WindowBody::shareWidth() {
  const SideWidths& widths = width() < kNarrowWindow ? kNarrow : kWide;
  workspace_->setFixedWidth(widths.workspace);
  side_->setFixedWidth(side_->currentIndex() == 0 ? widths.inspector : widths.panel);
  showSide();
}

void WindowBody::setSideUsed(bool used) {
  side_used_ = used;
  showSide();
}

void WindowBody::unfoldSide() {
  fold_tab_->setChecked(true);
}

void WindowBody::showSide() {
  const bool folds = width() < kFoldingWindow && side_->currentIndex() == 0;
  fold_tab_->setVisible(side_used_ && folds);
  side_->setVisible(side_used_ && (!folds || fold_tab_->isChecked()));
}

}  // namespace dubito
