// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_offers.h"

#include <QFileDialog>

#include "app/session/session.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

void addFile(QMenu& menu, const QString& title, const StudyFields::Offer& offer) {
  menu.addSeparator();
  QObject::connect(menu.addAction(title), &QAction::triggered, &menu, [title, offer] {
    if (const QString file = QFileDialog::getOpenFileName(nullptr, title); !file.isEmpty()) {
      offer(file);
    }
  });
}

void addOpen(QMenu& menu, const QString& name, const QString& specification,
             const StudyFields::Offer& offer) {
  QAction* const action = menu.addAction(name);
  action->setToolTip(specification);
  action->setEnabled(!specification.isEmpty());
  QObject::connect(action, &QAction::triggered, &menu,
                   [specification, offer] { offer(specification); });
}

}  // namespace

std::function<void(QMenu&, const StudyFields::Offer&)> datasetOffers(const Session& session) {
  return [&session](QMenu& menu, const StudyFields::Offer& offer) {
    for (const DatasetEntry& entry : session.datasets()) {
      addOpen(menu, entry.name, QString::fromStdString(entry.dataset->info().spec), offer);
    }
    addFile(menu, tr("Dataset file…"), offer);
  };
}

std::function<void(QMenu&, const StudyFields::Offer&)> modelOffers(const Session& session) {
  return [&session](QMenu& menu, const StudyFields::Offer& offer) {
    for (const ModelEntry& entry : session.models()) {
      addOpen(menu, entry.name, QString::fromStdString(entry.model->path()), offer);
    }
    addFile(menu, tr("Model file…"), offer);
  };
}

}  // namespace dubito
