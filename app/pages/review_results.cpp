// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_results.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/pages/plot_caption.h"
#include "app/panels/words.h"
#include "app/review/label_snapshot.h"
#include "app/review/reviewer.h"
#include "core/metrics/agreement.h"
#include "core/metrics/calibration.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/change_list.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kEffectThreads = 2;
/// More classes are listed by none.
constexpr std::size_t kListedClasses = 10;
constexpr double kMillisecondsPerSecond = 1000.0;

Change changeOf(const QString& name, double before, double now, const QString& tooltip) {
  const double difference = now - before;
  Change change;
  change.name = name;
  change.before = shareText(before);
  change.now = shareText(now);
  change.difference = (difference > 0.0 ? QStringLiteral("+") : QString()) + shareText(difference);
  change.tooltip = QStringLiteral("%1\n%2 → %3").arg(tooltip, exactText(before), exactText(now));
  return change;
}

QString decimals(double value) {
  return QString::number(value, 'f', 2);
}

QString kappaText(const std::optional<double>& kappa, const std::optional<Interval>& interval) {
  if (!kappa) {
    return ReviewResults::tr("not defined");
  }
  return interval ? ReviewResults::tr("%1 (%2 to %3)")
                        .arg(decimals(*kappa), decimals(interval->low), decimals(interval->high))
                  : decimals(*kappa);
}

/// "81.00 % (71.2 to 88.3 %)": a share with its 95 % interval.
KeyValue shareOf(const QString& name, std::int64_t part, std::int64_t all, const QString& tooltip) {
  if (all == 0) {
    return {name, QStringLiteral("–"), {}, tooltip};
  }
  const Interval interval = wilson95(part, all);
  return {name, shareText(static_cast<double>(part) / static_cast<double>(all)),
          ReviewResults::tr("of %1").arg(countText(all)),
          ReviewResults::tr("%1\n95 % interval (Wilson): %2 to %3")
              .arg(tooltip, shareText(interval.low), shareText(interval.high))};
}

StyledCurve curveOf(const QString& name, std::vector<double> x, std::vector<double> y,
                    StyledCurve::Role role, int dash) {
  return {.curve = {.name = name.toStdString(),
                    .x = std::move(x),
                    .y = std::move(y),
                    .summary = std::nan("")},
          .dash = dash,
          .role = role};
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
  add(scores_card_, scores_, tr("Before and after"), "reviewScores");
  scores_card_->setContent(scores_);
  changes_ = new ConfusionMatrix(this);
  add(changes_card_, changes_, tr("Changed labels"), "reviewChanges");
  changes_card_->setContent(changes_);
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
  auto* const scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->viewport()->setAutoFillBackground(false);
  auto* const list = new QWidget(scroll);
  auto* const list_layout = new QVBoxLayout(list);
  list_layout->setContentsMargins(0, 0, 0, 0);
  list_layout->addWidget(agreement_);
  list_layout->addStretch(1);
  scroll->setWidget(list);
  list->setAutoFillBackground(false);  // that of the card
  agreement_card_->setContent(scroll);
  visibility_ = new KeyValueList(this);
  add(visibility_card_, visibility_, tr("Suggestion shown or hidden"), "reviewVisibility");
  auto* const visibility_content = new QWidget(this);
  auto* const visibility_layout = new QVBoxLayout(visibility_content);
  visibility_layout->setContentsMargins(0, 0, 0, 0);
  visibility_layout->addWidget(visibility_);
  visibility_layout->addStretch(1);
  visibility_card_->setContent(visibility_content);

  auto* const rows = new CardRows(QStringLiteral("reviewResultsRows"), this);
  rows->addRow(1, {{scores_card_, 1, {visibility_card_}}, {changes_card_, 1}, {found_card_, 1}});
  rows->addRow(1, {{agreement_card_, 1}, {course_card_, 2}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);

  connect(changes_, &ConfusionMatrix::cellChosen, this, &ReviewResults::selectCell);
  connect(changes_, &ConfusionMatrix::cleared, this, [this] {
    changes_->setSelected({});
    reviewer_.session().listing().clearSelection();
  });
  connect(course_card_, &Card::choiceMade, this, [this](int index) {
    course_ = static_cast<Course>(index);
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
        const auto snapshot = readSnapshot(place);
        if (!snapshot) {
          return failWith(snapshot);
        }
        auto effect =
            reviewEffect(*analysis->in().run, analysis->name,
                         {snapshot->journal, snapshot->labels, snapshot->classes}, context);
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
          Q_EMIT failed(QString::fromStdString(effect.error().message));
        }
      });
}

QString ReviewResults::nameOf(std::int64_t class_id) const {
  const LabelClass* const known = findClass(reviewer_.file().classes(), class_id);
  return known != nullptr ? QString::fromStdString(known->name) : tr("none of these");
}

void ReviewResults::showEffect() {
  if (!effect_) {
    for (Card* const card : {scores_card_, changes_card_, found_card_, course_card_,
                             agreement_card_, visibility_card_}) {
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
  showAgreement();
  showVisibility();
}

void ReviewResults::showScores() {
  const ReviewEffect& effect = *effect_;
  scores_card_->setSubtitle(
      tr("%1 of %2 images reviewed").arg(countText(effect.reviewed), countText(effect.items)));
  scores_card_->setEmptyText(
      effect.given == 0 ? tr("These images came without labels, so there is nothing to compare "
                             "your decisions with")
      : effect.compared.empty()
          ? tr("Decide about some images: their given labels are then compared with yours")
          : QString());
  if (effect.compared.empty()) {
    return;
  }
  const QString accuracy = tr("Share of the network's answers that are right");
  const QString ece =
      tr("Expected calibration error: how far the network's confidence is from its accuracy "
         "(15 bins, L1, equal width)");
  const auto& [all_given, all_reviewed] = effect.all;
  const auto& [given, reviewed] = effect.compared_only;
  const QString reviewed_note =
      tr("Over the %1 reviewed images. They are no random sample if doubtful ones came first.")
          .arg(countText(given.items));
  scores_->setChanges(
      {changeOf(tr("accuracy"), all_given.accuracy, all_reviewed.accuracy,
                tr("%1, over all %2 labelled images").arg(accuracy, countText(all_given.items))),
       changeOf(tr("ECE"), all_given.ece, all_reviewed.ece, ece),
       changeOf(tr("acc. reviewed"), given.accuracy, reviewed.accuracy,
                accuracy + QStringLiteral(". ") + reviewed_note),
       changeOf(tr("ECE reviewed"), given.ece, reviewed.ece,
                ece + QStringLiteral(". ") + reviewed_note)});
}

void ReviewResults::showChanges() {
  const ReviewEffect& effect = *effect_;
  changes_card_->setEmptyText(
      effect.compared.empty() ? tr("No image with a given label is reviewed yet") : QString());
  changes_card_->setFigure(
      effect.compared.empty() ? QString() : tr("%1 changed").arg(countText(effect.changed)));
  const QString line =
      tr("%1 reviewed images with a given label").arg(countText(std::ssize(effect.compared)));
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
  const FoundErrors& found = effect_->found;
  const bool empty = found.reviewed.size() < 2;
  found_card_->setEmptyText(
      empty ? tr("Wrong labels appear here once images with a given label are reviewed")
      : found.found.back() == 0 ? tr("No given label was wrong so far (%1 images reviewed)")
                                      .arg(countText(found.reviewed.back()))
                                : QString());
  found_card_->setFigure(empty ? QString() : tr("%1 found").arg(countText(found.found.back())));
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  value.x_label = tr("images reviewed");
  value.y_label = tr("wrong labels found");
  value.curves.push_back(curveOf(tr("found"), {found.reviewed.begin(), found.reviewed.end()},
                                 {found.found.begin(), found.found.end()}, StyledCurve::Role::kRun,
                                 0));
  QString line = tr("no estimate for random order");
  if (found.baseline != BaselineSource::kNone) {
    const auto last = static_cast<double>(found.reviewed.back());
    value.curves.push_back(curveOf(tr("random order"), {0.0, last},
                                   {0.0, last * found.share_at_random},
                                   StyledCurve::Role::kReference, 1));
    line = found.baseline == BaselineSource::kRandomOrder
               ? tr("random order: %1 wrong (from a random sample)")
                     .arg(shareText(found.share_at_random))
               : tr("random order: about %1 (confident learning)")
                     .arg(shareText(found.share_at_random));
  }
  found_->setCurves(std::move(value));
  setCaptions(*found_card_, *found_, line);
}

void ReviewResults::showCourse() {
  if (!effect_) {
    return;
  }
  const ReviewEffect& effect = *effect_;
  std::vector<double> x;
  std::vector<double> y;
  decile_of_point_.clear();
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = course_ == Course::kAgreement;
  QString line;
  QString missing;
  if (course_ == Course::kRate) {
    for (const RatePoint& point : effect.rate) {
      x.push_back(static_cast<double>(point.decisions));
      y.push_back(point.per_minute);
    }
    value.x_label = tr("decisions");
    value.y_label = tr("decisions a minute");
    line = tr("breaks of more than a minute left out");
    missing = tr("The speed appears after a few decisions");
  } else {
    for (std::size_t decile = 0; decile < effect.deciles.size(); ++decile) {
      const DecileEffect& one = effect.deciles[decile];
      const double shown =
          course_ == Course::kTime ? one.median_ms / kMillisecondsPerSecond : one.agreement;
      if (!std::isnan(shown)) {
        x.push_back(static_cast<double>(decile + 1));
        y.push_back(shown);
        decile_of_point_.push_back(static_cast<int>(decile));
      }
    }
    value.x_label = tr("tenth of the images, 10: most uncertain");
    value.x_short = tr("tenth");
    value.y_label =
        course_ == Course::kTime ? tr("median time (s)") : tr("pairs of decisions that agree");
    line = course_ == Course::kTime
               ? tr("from showing the image to the decision · click: select these images")
               : tr("images that two or more persons decided · click: select these images");
    missing = course_ == Course::kTime ? tr("Too few decisions were timed yet")
                                       : tr("Too few images have decisions of two persons yet");
  }
  course_card_->setEmptyText(x.size() < 2 ? missing : QString());
  value.curves.push_back(
      curveOf(value.y_label, std::move(x), std::move(y), StyledCurve::Role::kRun, 0));
  course_plot_->setCurves(std::move(value));
  setCaptions(*course_card_, *course_plot_, line);
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
  agreement_card_->setSubtitle(
      tr("%1 images decided by two or more persons").arg(countText(twice)));
  std::vector<KeyValue> values;
  if (twice > 0) {
    const FleissAgreement fleiss = fleissAgreement(ratings.ratings);
    values.push_back({tr("all persons"),
                      kappaText(fleiss.kappa, fleiss.interval95),
                      {},
                      tr("Fleiss' kappa with its 95 % interval (jackknife), %1 images with %2 "
                         "decisions each: 1 complete agreement, 0 as by chance")
                          .arg(countText(fleiss.items))
                          .arg(fleiss.ratings_per_item)});
    for (std::size_t first = 0; first < ratings.annotators.size(); ++first) {
      for (std::size_t second = first + 1; second < ratings.annotators.size(); ++second) {
        const CohenAgreement pair = cohenAgreement(ratings.ratings[first], ratings.ratings[second]);
        if (pair.items > 0) {
          values.push_back({tr("%1 and %2")
                                .arg(QString::fromStdString(ratings.annotators[first]),
                                     QString::fromStdString(ratings.annotators[second])),
                            kappaText(pair.kappa, pair.interval95),
                            {},
                            tr("Cohen's kappa with its 95 % interval, %1 images, %2 equal")
                                .arg(countText(pair.items), shareText(pair.observed))});
        }
      }
    }
    if (fleiss.by_class.size() <= kListedClasses) {
      for (const ClassAgreement& one : fleiss.by_class) {
        values.push_back({tr("class %1").arg(nameOf(one.rating)),
                          kappaText(one.kappa, {}),
                          {},
                          tr("Fleiss' kappa of this class against all others, %1 decisions")
                              .arg(countText(one.count))});
      }
    }
  }
  agreement_->setValues(std::move(values));
}

void ReviewResults::showVisibility() {
  const VisibilityEffect& shown = effect_->shown;
  const VisibilityEffect& hidden = effect_->hidden;
  visibility_card_->setEmptyText(
      hidden.decisions == 0
          ? tr("Hide the suggestion (H) for some images to see whether it influences you")
      : shown.decisions == 0 ? tr("Decide about some images with the suggestion in view")
                             : QString());
  const QString agreeing = tr("Decisions that are the network's suggestion");
  const QString wrong = tr("Decisions that differ from what most of at least three persons say");
  std::vector<KeyValue> values = {
      shareOf(tr("shown: as suggested"), shown.agreeing, shown.decisions, agreeing),
      shareOf(tr("hidden: as suggested"), hidden.agreeing, hidden.decisions, agreeing)};
  if (shown.judged + hidden.judged > 0) {
    values.push_back(shareOf(tr("shown: unlike the majority"), shown.wrong, shown.judged, wrong));
    values.push_back(
        shareOf(tr("hidden: unlike the majority"), hidden.wrong, hidden.judged, wrong));
  }
  visibility_->setValues(std::move(values));
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
  select(tr("given %1, reviewed %2").arg(nameOf(given_class), nameOf(reviewed_class)), rows);
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
