// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/shell/soak/soak.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPushButton>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/labs/lab_view.h"
#include "app/labs/labs_page.h"
#include "app/review/review_page.h"
#include "app/shell/page_stack.h"
#include "app/study/study_editor.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/theme.h"

namespace dubito::test {

Soak::Soak(const TempDir& files)
    : files_(files),
      settings_(std::make_unique<QSettings>(QString::fromStdString(dir_.file("settings.ini")),
                                            QSettings::IniFormat)) {
  settings_->setValue(QStringLiteral("models/confine_unknown"), false);
  settings_->setValue(QStringLiteral("review/folder"), QString::fromStdString(dir_.file("labels")));
  window_ = std::make_unique<MainWindow>(*settings_);
  window_->resize(1280, 800);
  window_->show();
  addFileActions();
  addSelectionActions();
  addWindowActions();
  addReviewActions();
  addLabelActions();
  addTrainActions();
  addStudyActions();
  addLabActions();
  perform({"open-network", 0});
  perform({"open-images", 0});
  perform({"open-run", 0});
}

Soak::~Soak() {
  applyTheme(*qApp, Theme::light());
}

std::vector<std::string> Soak::kinds() const {
  std::vector<std::string> names;
  for (const auto& [name, act] : actions_) {
    names.push_back(name);
  }
  return names;
}

void Soak::perform(const SoakAction& action) {
  actions_.at(action.kind)(action.choice);
  settle();
}

void Soak::settle() {
  QElapsedTimer patience;
  patience.start();
  const auto busy = [this] {
    return window_->workbench().jobs().busy() || !window_->settled() ||
           window_->pages().labs().busy() ||
           (session().activeAnalysis() && !session().listing().items());
  };
  do {
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  } while (busy() && patience.elapsed() < 60000);
  if (busy()) {
    qFatal("the window does not come to rest");
  }
}

std::string Soak::state() const {
  std::ostringstream text;
  const ItemQuery& query = session().listing().query();
  text << session().models().size() << ' ' << session().datasets().size() << ' ';
  for (const AnalysisPtr& analysis : session().analyses()) {
    text << analysis->name << analysis->detail << analysis->itemCount() << ';';
  }
  for (const DatasetEntry& entry : session().datasets()) {
    text << entry.dataset->ids().size() << entry.dataset->ids().front() << ';';
  }
  text << session().activeAnalysisPosition() << ' ' << static_cast<int>(query.group)
       << static_cast<int>(query.sort) << query.descending;
  if (query.range) {
    text << " range " << static_cast<int>(query.range->measure) << query.range->range.low;
  }
  if (query.reliability_bin) {
    text << " bin " << query.reliability_bin->bin << " of " << query.reliability_bin->range.low;
  }
  if (query.cell) {
    text << " cell " << query.cell->label << query.cell->predicted;
  }
  if (const auto primary = session().listing().primary()) {
    text << " primary " << primary->part << ' ' << primary->row;
  }
  if (const ItemList& items = session().listing().items()) {
    text << " listed " << items->size() << ' ' << (items->empty() ? -1 : items->front().row);
  }
  if (const DatasetPtr shown = session().shownDataset()) {
    text << " shows " << shown->ids().front() << ' ' << session().browsedItem();
  }
  const ReliabilityOptions& reliability = session().plots().reliabilityOptions();
  text << " reliability " << reliability.bins << reliability.equal_mass << reliability.with_ood
       << reliability.of_class.value_or(-1);
  for (const Measure measure : allMeasures()) {
    text << ' ' << session().plots().threshold(measure).value_or(-1.0);
  }
  for (int group = 0; group < 4; ++group) {
    text << session().plots().groupVisible(static_cast<ItemGroup>(group));
  }
  text << ' ' << session().listing().canUndo() << session().listing().canRedo();
  for (const CardRows* const rows : window_->findChildren<CardRows*>()) {
    text << ' ' << rows->isVisible();
    for (const Card* const card : rows->cards()) {
      text << static_cast<int>(rows->place(*card)) << (rows->enlarged() == card);
    }
  }
  Reviewer& reviewer = window_->pages().review().reviewer();
  text << " review " << reviewer.reviewQueue().key() << reviewer.queue().length() << ' '
       << reviewer.position() << ' ' << reviewer.file().labels().size() << ' '
       << reviewer.choices().hiddenShare() << reviewer.choices().annotator().toStdString() << ' '
       << reviewer.file().classes().size() << ' ' << exports_;
  for (const LabelClass& one : reviewer.file().classes()) {
    text << ' ' << one.id << reviewer.file().guidelineOf(one.id).toStdString();
    for (const std::int64_t item : reviewer.file().examplesOf(one.id)) {
      text << " like " << item;
    }
  }
  for (const std::int64_t item : reviewer.queue().ids) {
    for (const Remark& remark : reviewer.file().commentsOn(item)) {
      text << " on " << item << remark.text;
    }
  }
  const HeadTrainer& trainer = window_->pages().train().trainer();
  text << " trained " << static_cast<int>(trainer.state());
  if (!trainer.course().epochs.empty()) {
    // How many follow depends on the time of the end.
    text << ' ' << trainer.course().epochs.front().train_loss;
  }
  StudyPage& study = window_->pages().study();
  text << " study " << (study.view().study() ? study.view().study()->rows.size() : 0)
       << study.editor().draft().text();
  for (const LabView* const lab : window_->pages().labs().findChildren<LabView*>()) {
    text << ' ' << lab->objectName().toStdString() << lab->isVisible() << lab->setUp().dump();
  }
  text << ' ' << currentTheme().dark << ' ' << window_->width() << 'x' << window_->height() << ' '
       << part<QPushButton>("computeButton").isChecked();
  // A replay has another folder.
  QString state = QString::fromStdString(text.str());
  return state.replace(QString::fromStdString(dir_.path().string()), QStringLiteral("FOLDER"))
      .toStdString();
}

}  // namespace dubito::test
