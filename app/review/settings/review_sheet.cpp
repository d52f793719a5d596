// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_sheet.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/review/reviewer.h"
#include "app/review/settings/review_class_editor.h"
#include "app/review/settings/review_key_list.h"
#include "app/review/settings/review_place.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {

ReviewSheet::ReviewSheet(Reviewer& reviewer, QWidget* page) : QDialog(page), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewSheet"));
  setWindowTitle(tr("Keys and classes"));
  resize(160 * kGrid, 160 * kGrid);
  tabs_ = new QTabWidget(this);
  tabs_->setObjectName(QStringLiteral("reviewSheetTabs"));
  keys_ = new ReviewKeyList(reviewer_.keys(), reviewer_.file(), *page, tabs_);
  classes_ = new ReviewClassEditor(reviewer_, tabs_);
  tabs_->addTab(keys_, tr("Keys"));
  tabs_->addTab(classes_, tr("Classes"));
  tabs_->addTab(makePerson(), tr("Your name"));
  place_ = new ReviewPlace(reviewer_, tabs_);
  tabs_->addTab(place_, tr("Where labels are"));
  auto* const close = new QPushButton(tr("Close"), this);
  close->setObjectName(QStringLiteral("reviewSheetClose"));
  close->setAutoDefault(false);
  auto* const layout = new QVBoxLayout(this);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(tabs_, 1);
  layout->addWidget(close, 0, Qt::AlignRight);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
}

QWidget* ReviewSheet::makePerson() {
  auto* const person = new QWidget(tabs_);
  annotator_ = new QLineEdit(person);
  annotator_->setObjectName(QStringLiteral("reviewAnnotator"));
  annotator_->setAccessibleName(tr("Your name"));
  auto* const why = makeMutedLabel(
      {}, person,
      tr("Each decision is stored with the name of the person who made it. Undo takes back your "
         "own decisions only. Leave the field empty to use the name of your account."));
  auto* const layout = new QVBoxLayout(person);
  layout->setContentsMargins(0, 2 * kGrid, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(new QLabel(tr("Your name"), person));
  layout->addWidget(annotator_);
  layout->addWidget(why);
  layout->addStretch(1);
  connect(annotator_, &QLineEdit::editingFinished, this, [this] {
    reviewer_.choices().setAnnotator(annotator_->text());
    annotator_->setText(reviewer_.choices().annotator());
  });
  return person;
}

void ReviewSheet::showTab(QWidget* tab) {
  tabs_->setCurrentWidget(tab);
  show();
  raise();
  activateWindow();
}

void ReviewSheet::showKeys() {
  showTab(keys_);
}

void ReviewSheet::showClasses(std::optional<std::int64_t> class_id) {
  showTab(classes_);
  if (class_id) {
    classes_->choose(*class_id);
  }
}

void ReviewSheet::showEvent(QShowEvent* event) {
  keys_->refresh();
  classes_->refresh();
  annotator_->setText(reviewer_.choices().annotator());
  place_->refresh();
  QDialog::showEvent(event);
}

}  // namespace dubito
