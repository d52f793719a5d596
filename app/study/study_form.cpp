// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_form.h"

#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "app/study/study_methods.h"
#include "app/study/study_networks.h"
#include "app/study/study_offers.h"
#include "app/study/study_sets.h"
#include "core/metrics/measure.h"
#include "widgets/card_scroll.h"
#include "widgets/muted_label.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {

StudyForm::StudyForm(const StudyDraft& draft, const Session& session, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      tabs_(new QTabBar(this)),
      sections_(new QStackedWidget(this)) {
  tabs_->setObjectName(QStringLiteral("studySections"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);
  tabs_->setStyleSheet(QStringLiteral("QTabBar::tab { padding: 4px 8px; }"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(tabs_);
  layout->addWidget(sections_, 1);
  addSection(tr("Data"), buildData(session));
  addList(tr("Targets"), new StudyTargets(draft, session, this));
  addList(tr("OOD"), new StudyOodSets(draft, session, this));
  addList(tr("Networks"), new StudyNetworks(draft, session, this));
  addList(tr("Methods"), new StudyMethods(draft, this));
  addSection(tr("Measures"), buildMeasures());
  connect(tabs_, &QTabBar::currentChanged, sections_, &QStackedWidget::setCurrentIndex);
}

void StudyForm::addSection(const QString& title, QWidget* content) {
  auto* const body = new QWidget(sections_);
  sections_->addWidget(makeCardScroll(body, sections_));
  auto* const column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 3 * kGrid, 0);
  column->addWidget(content);
  column->addStretch(1);
  tabs_->addTab(title);
}

void StudyForm::addList(const QString& title, StudyList* list) {
  lists_.push_back(list);
  connect(list, &StudyList::edited, this, &StudyForm::edited);
  addSection(title, list);
}

QWidget* StudyForm::buildData(const Session& session) {
  auto* const content = new QWidget(this);
  auto* const column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3 * kGrid);
  auto* const fields = new StudyFields(draft_, content);
  fields->addText(
      {tr("Name"), "studyName", "/name", StudyFieldKind::kText, tr("Title of the report")});
  fields->addText({tr("Source"), "studySource", "/source", StudyFieldKind::kText,
                   tr("Training set: the networks are trained here")},
                  datasetOffers(session));
  fields->addText(
      {tr("Validation"), "studyValidation", "/validation", StudyFieldKind::kTextOrNumber,
       tr("Labelled items of the source that no network sees: a dataset, or the share "
          "of the source to hold out"),
       tr("none, a share such as 0.2, or a dataset")},
      datasetOffers(session));
  fields->addText({tr("Adaptation"), "studyAdaptation", "/adaptation", StudyFieldKind::kText,
                   tr("A few labelled items of the target"), tr("none")},
                  datasetOffers(session));
  fields->addText({tr("Seeds"), "studySeeds", "/seeds", StudyFieldKind::kNumbers,
                   tr("Of training, masks and draws; results are means over them"),
                   QStringLiteral("1, 2, 3")});
  column->addWidget(fields);
  column->addWidget(makeMutedLabel({}, content,
                                   tr("A dataset is a path or a specification such as "
                                      "idx:images.gz?items=0:800&corrupt=rotation:3. Relative "
                                      "paths begin in the folder in which "
                                      "Dubito was started.")));
  fields_.push_back(fields);
  connect(fields, &StudyFields::edited, this, &StudyForm::edited);
  return content;
}

QWidget* StudyForm::buildMeasures() {
  auto* const content = new QWidget(this);
  auto* const column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3 * kGrid);
  auto* const fields = new StudyFields(draft_, content);
  fields->addText({tr("Baseline"), "studyBaseline", "/baseline", StudyFieldKind::kText,
                   tr("NETWORK/METHOD that all rows are compared with"), tr("the first row")});
  std::vector<std::pair<std::string, QString>> scores;
  for (const Measure measure : allMeasures()) {
    scores.emplace_back(describe(measure).key, QString::fromStdString(describe(measure).name));
  }
  // What a study without a score ranks by comes first.
  std::ranges::stable_partition(scores,
                                [](const auto& score) { return score.first == "confidence"; });
  fields->addChoice(tr("Score"), "studyScore", "/score",
                    tr("Measure that ranks misclassified and OOD items"), scores);
  fields->addText({tr("Bootstrap"), "studyReplicates", "/replicates", StudyFieldKind::kNumber,
                   tr("Replicates behind the intervals of differences"), countText(2000)});
  fields->addText({tr("Labelling"), "studyLabelling", "/labelling/targets",
                   StudyFieldKind::kNumbers,
                   tr("Automatic labelling: shares of right labels to guarantee, for example 0.95, "
                      "0.99. Needs validation and adaptation items"),
                   tr("none")});
  fields->addText(
      {tr("Retraining"), "studyRetraining", "/retraining/rows", StudyFieldKind::kTexts,
       tr("Rows (NETWORK/METHOD) whose network is trained again on automatic labels; needs "
          "labelling"),
       tr("none")});
  fields->addChoice(tr("Retrained layers"), "studyRetrainedLayers", "/retraining/layers",
                    tr("The last layer anew, or all layers further from their weights"),
                    {{"last", tr("last")}, {"all", tr("all")}});
  fields->addText({tr("Label budget"), "studyBudget", "/retraining/budget", StudyFieldKind::kNumber,
                   tr("Most labels to train on; of the automatic ones, the surest"),
                   tr("no limit")});
  column->addWidget(fields);
  column->addWidget(makeMutedLabel(
      {}, content, tr("The text at the right has all options of a study, these among them.")));
  fields_.push_back(fields);
  connect(fields, &StudyFields::edited, this,
          [this](const StudyJson::json_pointer& place, const StudyJson& value) {
            // Without guarantees or rows, or any other value, there is no labelling or retraining.
            const StudyJson::json_pointer group = place.parent_pointer();
            const auto isLast = [&] {
              const StudyJson* const document = draft_.document();
              return document->contains(group) && document->at(group).size() == 1;
            };
            const bool ends = value.is_null() && !group.empty() &&
                              (place.back() == "rows" || place.back() == "targets" || isLast());
            const bool is_row = place.back() == "rows" && value.is_string();
            Q_EMIT edited(ends ? group : place, is_row ? StudyJson::array({value}) : value);
          });
  return content;
}

void StudyForm::showSection(Section section) {
  tabs_->setCurrentIndex(static_cast<int>(section));
}

void StudyForm::reload() {
  const bool has_document = draft_.document() != nullptr;
  sections_->setEnabled(has_document);
  if (!has_document) {
    return;
  }
  for (StudyFields* const fields : fields_) {
    fields->reload();
  }
  for (StudyList* const list : lists_) {
    list->reload();
  }
}

}  // namespace dubito
