// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/header_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <initializer_list>
#include <utility>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kButtonWidth = 19 * kGrid;

QPushButton* makeButton(const QString& text, const char* name, QWidget* parent) {
  auto* const button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setMinimumWidth(kButtonWidth);
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
  open_ = makeButton(tr("Open…"), "openButton", this);
  open_->setMenu(open_menu);
  open_labels_ = makeButton(tr("Open labels…"), "openLabelsButton", this);
  open_labels_->setFocusPolicy(Qt::TabFocus);
  open_labels_->hide();
  compute_ = makeButton(tr("Compute…"), "computeButton", this);
  compute_->setProperty("role", QStringLiteral("primary"));
  compute_->setCheckable(true);
  export_ = makeButton(tr("Export…"), "exportButton", this);
  export_->setMenu(export_menu);
  tabs_ = new QTabBar(this);
  tabs_->setObjectName(QStringLiteral("pageTabs"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  // In a window that is too narrow for all titles they are shortened, but none is out of reach.
  tabs_->setUsesScrollButtons(false);
  tabs_->setElideMode(Qt::ElideRight);
  auto* const view = makeButton(tr("View"), "viewButton", this);
  view->setMenu(view_menu);
  auto* const help = makeButton(tr("Help"), "helpButton", this);
  help->setMenu(help_menu);

  line_ = new QHBoxLayout(this);
  line_->setContentsMargins(4 * kGrid, 0, 2 * kGrid, 0);
  line_->setSpacing(2 * kGrid);
  line_->addWidget(brand_);
  line_->addSpacing(2 * kGrid);
  line_->addWidget(open_);
  line_->addWidget(open_labels_);
  line_->addWidget(compute_);
  line_->addWidget(export_);
  line_->addSpacing(4 * kGrid);
  line_->addWidget(tabs_, 0, Qt::AlignBottom);
  line_->addStretch(1);
  line_->addWidget(view);
  line_->addWidget(help);

  connect(tabs_, &QTabBar::currentChanged, this, &HeaderBar::pageChosen);
  connect(open_labels_, &QPushButton::clicked, this, &HeaderBar::labelsRequested);
  connect(compute_, &QPushButton::toggled, this, &HeaderBar::computeToggled);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &HeaderBar::restyle);
  restyle();
}

void HeaderBar::restyle() {
  const Theme& theme = currentTheme();
  setStyleSheet(QStringLiteral("#headerBar { background: %1; border: none; border-bottom: 1px "
                               "solid %2; } #brand { font-size: %4pt; font-weight: bold; } "
                               "QTabBar::tab { padding: 12px %3px 11px %3px; }")
                    .arg(theme.panel.name(), theme.border.name())
                    .arg(narrow_ ? kGrid : 3 * kGrid)
                    .arg(uiFont(TypeSize::kTitle).pointSizeF()));
}

void HeaderBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  if (!narrow_) {
    roomy_width_ = layout()->sizeHint().width();
  }
  if (const bool narrow = width() < roomy_width_; narrow != narrow_) {
    narrow_ = narrow;
    brand_->setVisible(!narrow);
    for (QPushButton* const button : findChildren<QPushButton*>(Qt::FindDirectChildrenOnly)) {
      button->setMinimumWidth(narrow ? 0 : kButtonWidth);
    }
    restyle();
  }
}

void HeaderBar::showAlone(QWidget* content) {
  alone_ = content;
  line_->insertWidget(line_->indexOf(tabs_), content, 100, Qt::AlignBottom);
  for (QWidget* const widget : std::initializer_list<QWidget*>{open_, compute_, export_, tabs_}) {
    widget->hide();
  }
  open_labels_->show();
}

void HeaderBar::endAlone() {
  line_->removeWidget(std::exchange(alone_, nullptr));
  for (QWidget* const widget : std::initializer_list<QWidget*>{open_, compute_, export_, tabs_}) {
    widget->show();
  }
  open_labels_->hide();
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
