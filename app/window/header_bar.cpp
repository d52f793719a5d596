// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/header_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>

#include "widgets/theme.h"

namespace dubito {
namespace {

QPushButton* makeButton(const QString& text, const char* name, QWidget* parent) {
  auto* const button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setMinimumWidth(19 * kGrid);
  return button;
}

}  // namespace

HeaderBar::HeaderBar(QMenu* open_menu, QMenu* export_menu, QMenu* view_menu, QMenu* help_menu,
                     QWidget* parent)
    : QFrame(parent) {
  setObjectName(QStringLiteral("headerBar"));
  setFixedHeight(11 * kGrid);
  brand_ = new QLabel(QStringLiteral("Dubito"), this);
  brand_->setObjectName(QStringLiteral("brand"));
  brand_->setFont(uiFont(TypeSize::kTitle, true));
  auto* const open = makeButton(tr("Open…"), "openButton", this);
  open->setMenu(open_menu);
  compute_ = makeButton(tr("Compute…"), "computeButton", this);
  compute_->setProperty("role", QStringLiteral("primary"));
  compute_->setCheckable(true);
  export_ = makeButton(tr("Export…"), "exportButton", this);
  export_->setMenu(export_menu);
  tabs_ = new QTabBar(this);
  tabs_->setObjectName(QStringLiteral("pageTabs"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  auto* const view = makeButton(tr("View"), "viewButton", this);
  view->setMenu(view_menu);
  auto* const help = makeButton(tr("Help"), "helpButton", this);
  help->setMenu(help_menu);

  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(4 * kGrid, 0, 2 * kGrid, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(brand_);
  layout->addSpacing(2 * kGrid);
  layout->addWidget(open);
  layout->addWidget(compute_);
  layout->addWidget(export_);
  layout->addSpacing(4 * kGrid);
  layout->addWidget(tabs_, 0, Qt::AlignBottom);
  layout->addStretch(1);
  layout->addWidget(view);
  layout->addWidget(help);

  connect(tabs_, &QTabBar::currentChanged, this, &HeaderBar::pageChosen);
  connect(compute_, &QPushButton::toggled, this, &HeaderBar::computeToggled);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HeaderBar::restyle);
  restyle();
}

void HeaderBar::restyle() {
  const Theme& theme = currentTheme();
  setStyleSheet(QStringLiteral("#headerBar { background: %1; border: none; border-bottom: 1px "
                               "solid %2; } #brand { font-size: 12pt; font-weight: bold; } "
                               "QPushButton::menu-indicator { image: none; } "
                               "QTabBar::tab { padding: 12px %3px 11px %3px; }")
                    .arg(theme.panel.name(), theme.border.name())
                    .arg(narrow_ ? kGrid : 3 * kGrid));
}

void HeaderBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  if (!narrow_) {
    roomy_width_ = layout()->sizeHint().width();
  }
  if (const bool narrow = width() < roomy_width_; narrow != narrow_) {
    narrow_ = narrow;
    brand_->setVisible(!narrow);
    restyle();
  }
}

void HeaderBar::addPage(const QString& title) {
  tabs_->addTab(title);
}

void HeaderBar::setPage(int page) {
  tabs_->setCurrentIndex(page);
}

void HeaderBar::setComputeOpen(bool open) {
  compute_->setChecked(open);
}

void HeaderBar::setExportEnabled(bool enabled) {
  export_->setEnabled(enabled);
}

}  // namespace dubito
