// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/results/review_results.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "app/review/results/review_results_values.h"
#include "app/review/reviewer.h"
#include "app/session/error_text.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "core/io/run_needs.h"
#include "core/labels/label_records.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/change_list.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kEffectThreads = 2;

/// The widgets one below the other, as high as they want to be.
QScrollArea* scrolled(std::initializer_list<QWidget*> widgets) {
  auto* const list = new QWidget;
  auto* const layout = new QVBoxLayout(list);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(3 * kGrid);
  for (QWidget* const widget : widgets) {
    layout->addWidget(widget);
  }
  layout->addStretch(1);
  return makeCardScroll(list, nullptr);
}

}  // namespace

ReviewResults::ReviewResults(Reviewer& reviewer, QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer), job_(thread_) {
  const auto add = [this](Card*& card, QWidget* content, const QString& title, const char* name) {
    card = new Card(title, this);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    content->setObjectName(QLatin1String(name));
  };
  scores_ = new ChangeList(this);
  scores_->setKeepsBefore(true);
  add(scores_card_, scores_, tr("Before and after"), "reviewScores");
  suggested_ = new WrappedLabel(this);
  suggested_->setObjectName(QStringLiteral("reviewSuggested"));
  scores_card_->setContent(scrolled({scores_, suggested_}));
  changes_ = new ConfusionMatrix(this);
  add(changes_card_, changes_, tr("Changed labels"), "reviewChanges");
  changes_card_->setContent(withButton());
  found_ = new CurvePlot(this);
  add(found_card_, found_, tr("Wrong labels found"), "reviewFound");
  found_card_->setContent(found_);
  course_plot_ = new CurvePlot(this);
  add(course_card_, course_plot_, {}, "reviewCourse");
  course_card_->setContent(course_plot_);
  course_card_->setChoices(
      {tr("Decisions a minute"), tr("Time by uncertainty"), tr("Agreement by uncertainty")});
  agreement_ = new KeyValueList(this);
  add(agreement_card_, agreement_, tr("Agreement"), "reviewAgreement");
  agreement_card_->setContent(scrolled({agreement_}));
  persons_ = new KeyValueList(this);
  add(persons_card_, persons_, tr("Persons"), "reviewPersons");
  persons_card_->setContent(scrolled({persons_}));
  progress_ = new KeyValueList(this);
  add(progress_card_, progress_, tr("Progress by class"), "reviewClassProgress");
  progress_card_->setContent(scrolled({progress_}));
  visibility_ = new KeyValueList(this);
  add(visibility_card_, visibility_, tr("Suggestion shown or hidden"), "reviewVisibility");
  visibility_card_->setContent(scrolled({visibility_}));

  auto* const rows = new CardRows(QStringLiteral("reviewResultsRows"), this);
  QScrollArea* const scroll = makeCardScroll(rows, this);
  rows->addRow(1, {{scores_card_, 1}, {changes_card_, 1}, {found_card_, 1}});
  rows->addRow(1, {{persons_card_, 1, {progress_card_}},
                   {agreement_card_, 1, {visibility_card_}},
                   {course_card_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);

  connect(changes_, &ConfusionMatrix::cellChosen, this, &ReviewResults::selectCell);
  connect(changes_, &ConfusionMatrix::cleared, this, [this] {
    changes_->setSelected({});
    show_->hide();
    reviewer_.session().listing().clearSelection();
  });
  connect(course_card_, &Card::choiceMade, this, [this](int index) {
    course_ = static_cast<ReviewCourse>(index);
    showCourse();
  });
  connect(course_plot_, &CurvePlot::pointSelected, this,
          [this](int /*curve*/, int point) { selectDecile(point); });
  for (PlotBase* const plot :
       {static_cast<PlotBase*>(found_), static_cast<PlotBase*>(course_plot_)}) {
    connect(plot, &PlotBase::failed, this, &ReviewMode::failed);
  }
  connect(changes_, &ConfusionMatrix::failed, this, &ReviewMode::failed);
}

ReviewResults::~ReviewResults() = default;

void ReviewResults::refresh() {
  if (!reviewer_.active()) {
    return;
  }
  if (analysis_ != reviewer_.analysis()) {
    analysis_ = reviewer_.analysis();
    effect_ = nullptr;
    showEffect();
  }
  JobSettings settings;
  settings.threads = kEffectThreads;
  using EffectPtr = std::shared_ptr<const ReviewEffect>;
  job_.submit<EffectPtr>(
      tr("Comparing labels"), settings,
      [analysis = analysis_,
       place = reviewer_.file().place().toStdString()](RunContext& context) -> Expected<EffectPtr> {
        const auto records = readRecords(place);
        if (!records) {
          return failWith(records);
        }
        auto effect = reviewEffect(*analysis->in().run, analysis->name, *records, context);
        return effect
                   ? Expected<EffectPtr>(std::make_shared<const ReviewEffect>(*std::move(effect)))
                   : failWith(effect);
      },
      this,
      [this, analysis = analysis_](Expected<EffectPtr> effect) {
        if (effect && analysis == reviewer_.analysis()) {
          effect_ = *std::move(effect);
          showEffect();
        } else if (!effect && effect.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(effect.error()));
        }
      });
}

QString ReviewResults::nameOf(std::int64_t class_id) const {
  const LabelClass* const known = findClass(reviewer_.file().classes(), class_id);
  return known != nullptr ? QString::fromStdString(known->name) : tr("none of these");
}

void ReviewResults::showEffect() {
  if (!effect_) {
    for (Card* const card : {scores_card_, changes_card_, found_card_, course_card_, persons_card_,
                             progress_card_, agreement_card_, visibility_card_}) {
      card->setEmptyText(tr("Computing…"));
      card->setSubtitle({});
      card->setFigure({});
    }
    return;
  }
  showScores();
  showChanges();
  showFound();
  showCourse();
  showPersons();
  showProgress();
  showAgreement();
  showVisibility();
}

void ReviewResults::showScores() {
  const ReviewEffect& effect = *effect_;
  scores_card_->setSubtitle(
      effect.by_model == 0
          ? tr("%1 of %2 images reviewed").arg(countText(effect.reviewed), countText(effect.items))
          : tr("%1 of %2 images reviewed, %3 labelled automatically")
                .arg(countText(effect.reviewed), countText(effect.items),
                     countText(effect.by_model)));
  scores_card_->setEmptyText(
      effect.given == 0 ? tr("These images came without labels, so there is nothing to compare "
                             "your decisions with")
      : effect.compared.empty()
          ? tr("Decide about some images: their given labels are then compared with yours")
          : QString());
  if (!effect.compared.empty()) {
    scores_->setChanges(scoreChanges(effect, analysis_->in().run->meta.method == kLabelsMethod));
  }
  suggested_->setText(suggestedText(effect));
  suggested_->setVisible(!suggested_->text().isEmpty());
}

void ReviewResults::showChanges() {
  const ReviewEffect& effect = *effect_;
  changes_card_->setEmptyText(
      effect.compared.empty() ? tr("No image with a given label is reviewed yet") : QString());
  const std::int64_t changed = effect.changed + effect.unclear_given;
  changes_card_->setFigure(effect.compared.empty() ? QString()
                                                   : tr("%1 changed").arg(countText(changed)));
  const std::int64_t reviewed = std::ssize(effect.compared) + effect.unclear_given;
  const QString images = tr("%1 reviewed images with a given label").arg(countText(reviewed));
  // They have no class any more, and so no place in the matrix.
  const QString line =
      effect.unclear_given == 0
          ? images
          : tr("%1 · %2 of them can't tell").arg(images, countText(effect.unclear_given));
  changes_card_->setSubtitle(line);
  changes_->setCaption(changes_card_->title(), line);
  ConfusionValue value;
  value.counts = effect.changes;
  value.row_title = tr("given");
  value.column_title = tr("reviewed");
  for (const std::int64_t id : effect.classes) {
    value.class_names << nameOf(id);
  }
  changes_->setValue(std::move(value));
}

void ReviewResults::showFound() {
  ResultCurve found = foundCurve(effect_->found);
  found_card_->setEmptyText(found.empty);
  found_card_->setFigure(found.figure, found.tooltip);
  found_->setCurves(std::move(found.value));
  setCaptions(*found_card_, *found_, found.line);
}

void ReviewResults::showCourse() {
  if (!effect_) {
    return;
  }
  ResultCurve course = courseCurve(*effect_, course_);
  course_card_->setEmptyText(course.empty);
  course_card_->setFigure(course.figure, course.tooltip);
  course_plot_->setCurves(std::move(course.value));
  decile_of_point_ = std::move(course.decile_of_point);
  setCaptions(*course_card_, *course_plot_, course.line);
}

void ReviewResults::showAgreement() {
  const Ratings& ratings = effect_->ratings;
  const std::int64_t twice = ratings.ratedTwice();
  agreement_card_->setEmptyText(
      ratings.annotators.size() < 2
          ? tr("Two or more persons must decide about the same images. Each needs a name of their "
               "own and can use the same label file")
      : twice == 0 ? tr("No image has decisions of two persons yet")
                   : QString());
  agreement_card_->setSubtitle(tr("1: always the same, 0: as by chance · %1 images decided by two "
                                  "or more persons")
                                   .arg(countText(twice)));
  agreement_->setValues(
      agreementValues(ratings, [this](std::int64_t class_id) { return nameOf(class_id); }));
}

void ReviewResults::showPersons() {
  const std::vector<PersonSummary>& persons = effect_->persons;
  persons_card_->setEmptyText(persons.empty() ? tr("Nobody has decided about an image yet")
                                              : QString());
  persons_card_->setSubtitle(tr("their newest decisions about each image"));
  persons_->setValues(personValues(persons, reviewer_.file().others()));
}

void ReviewResults::showProgress() {
  std::vector<KeyValue> values;
  for (const ClassProgress& progress : effect_->progress) {
    values.push_back(progressValue(nameOf(progress.given), progress));
  }
  progress_card_->setEmptyText(values.empty() ? tr("These images came without labels") : QString());
  progress_card_->setSubtitle(values.empty() ? QString() : tr("by the label that they came with"));
  progress_->setValues(std::move(values));
}

void ReviewResults::showVisibility() {
  const VisibilityEffect& shown = effect_->shown;
  const VisibilityEffect& hidden = effect_->hidden;
  visibility_card_->setEmptyText(
      hidden.decisions == 0
          ? tr("Hide the suggestion (H) for some images to see whether it influences you")
      : shown.decisions == 0 ? tr("Decide about some images with the suggestion in view")
                             : QString());
  visibility_->setValues(visibilityValues(shown, hidden));
}

// --- selection -----------------------------------------------------------------------------------

void ReviewResults::selectCell(int given, int reviewed) {
  const std::int64_t given_class = effect_->classes[static_cast<std::size_t>(given)];
  const std::int64_t reviewed_class = effect_->classes[static_cast<std::size_t>(reviewed)];
  std::vector<std::int64_t> rows;
  for (const ReviewedItem& item : effect_->compared) {
    if (item.given == given_class && item.reviewed == reviewed_class) {
      rows.push_back(item.row);
    }
  }
  changes_->setSelected(ConfusionCell{given, reviewed});
  const QString name = tr("given %1, reviewed %2").arg(nameOf(given_class), nameOf(reviewed_class));
  select(name, rows);
  selected_ = {.key = "changed",
               .name = name.toStdString(),
               .why = tr("Images with the label %1 that were reviewed as %2.")
                          .arg(nameOf(given_class), nameOf(reviewed_class))
                          .toStdString()};
  for (const std::int64_t row : rows) {
    selected_.ids.push_back(analysis_->in().run->ids.data()[row]);
  }
  show_->setVisible(!rows.empty());
}

QWidget* ReviewResults::withButton() {
  auto* const content = new QWidget(this);
  show_ = new QPushButton(tr("Show these"), content);
  show_->setObjectName(QStringLiteral("reviewChangesShow"));
  show_->setToolTip(tr("Opens the images of the selected cell one by one"));
  show_->setFocusPolicy(Qt::TabFocus);
  show_->hide();
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(changes_, 1);
  layout->addWidget(show_, 0, Qt::AlignLeft);
  connect(show_, &QPushButton::clicked, this, [this] {
    reviewer_.reviewQueue().setItems(selected_);
    Q_EMIT modeRequested(QStringLiteral("single"));
  });
  return content;
}

void ReviewResults::selectDecile(int point) {
  if (point < 0 || point >= std::ssize(decile_of_point_)) {
    return;
  }
  const int decile = decile_of_point_[static_cast<std::size_t>(point)];
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < effect_->decile_of_row.size(); ++row) {
    if (effect_->decile_of_row[row] == decile) {
      rows.push_back(static_cast<std::int64_t>(row));
    }
  }
  select(tr("tenth %1 by uncertainty").arg(decile + 1), rows);
}

void ReviewResults::select(const QString& name, const std::vector<std::int64_t>& rows) {
  auto picked = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(effect_->items));
  for (const std::int64_t row : rows) {
    (*picked)[static_cast<std::size_t>(row)] = true;
  }
  reviewer_.session().listing().selectPicked({.name = name.toStdString(), .rows = picked});
}

}  // namespace dubito
