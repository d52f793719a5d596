// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/labs_page.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <stdexcept>

#include "app/pages/lab_regression.h"
#include "app/pages/lab_sampler.h"
#include "app/pages/lab_samples.h"
#include "app/pages/lab_simplex.h"
#include "app/pages/lab_uci.h"
#include "app/pages/lab_view.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

LabView* makeView(Laboratory laboratory, WorkerThread& worker, int threads,
                  SharedGaussian& gaussian, QWidget* parent) {
  switch (laboratory) {
    case Laboratory::kRegression:
      return new LabRegression(worker, threads, parent);
    case Laboratory::kSampler:
      return new LabSampler(worker, threads, parent);
    case Laboratory::kSimplex:
      return new LabSimplex(worker, threads, gaussian, parent);
    case Laboratory::kSamples:
      return new LabSamples(worker, threads, gaussian, parent);
    case Laboratory::kUci:
      return new LabUci(worker, parent);
  }
  throw std::logic_error("LabsPage: unknown laboratory");
}

}  // namespace

LabsPage::LabsPage(int threads, QWidget* parent)
    : QWidget(parent), threads_(threads), views_(laboratories().size(), nullptr) {
  setObjectName(QStringLiteral("labsPage"));
  tabs_ = new QTabBar(this);
  tabs_->setObjectName(QStringLiteral("labTabs"));
  tabs_->setAccessibleName(tr("Laboratories"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setFocusPolicy(Qt::TabFocus);
  for (const LaboratoryInfo& info : laboratories()) {
    const int tab = tabs_->addTab(QCoreApplication::translate("Labs", info.name));
    tabs_->setTabToolTip(tab, QCoreApplication::translate("Labs", info.explanation));
  }
  explanation_ = new QLabel(this);
  explanation_->setObjectName(QStringLiteral("labsExplanation"));
  explanation_->setProperty("role", QStringLiteral("muted"));
  explanation_->setWordWrap(true);
  stack_ = new QStackedWidget(this);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(tabs_);
  layout->addWidget(explanation_);
  layout->addWidget(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &LabsPage::showChosen);
}

LabsPage::~LabsPage() {
  // Their jobs refer to the worker thread, a member.
  delete stack_;
}

void LabsPage::showLaboratory(Laboratory laboratory) {
  for (std::size_t i = 0; i < laboratories().size(); ++i) {
    if (laboratories()[i].id == laboratory) {
      tabs_->setCurrentIndex(static_cast<int>(i));
    }
  }
}

LabView& LabsPage::shownLaboratory() {
  showChosen();
  return *views_[static_cast<std::size_t>(tabs_->currentIndex())];
}

bool LabsPage::busy() const {
  const LabView* const shown = views_[static_cast<std::size_t>(tabs_->currentIndex())];
  return shown != nullptr && shown->busy();
}

void LabsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showChosen();
}

void LabsPage::showChosen() {
  const auto index = static_cast<std::size_t>(tabs_->currentIndex());
  const LaboratoryInfo& info = laboratories()[index];
  LabView*& view = views_[index];
  if (view == nullptr) {
    view = makeView(info.id, worker_, threads_, gaussian_, stack_);
    stack_->addWidget(view);
    connect(view, &LabView::failed, this, &LabsPage::failed);
  }
  explanation_->setText(QCoreApplication::translate("Labs", info.explanation));
  stack_->setCurrentWidget(view);
  view->begin();
}

}  // namespace dubito
