// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/referral/lab_referral.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/lab_demo_offer.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/lab_values.h"
#include "app/session/error_text.h"
#include "app/session/run_names.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kReferralSetUpWidth = 72 * kGrid;
constexpr int kReferralPlotHeight = 62 * kGrid;
constexpr int kCostNameWidth = 16 * kGrid;
constexpr int kCostBoxWidth = 20 * kGrid;

bool isRankingOption(const QString& name) {
  return name == QStringLiteral("measures") || name == QStringLiteral("roc_percents") ||
         name == QStringLiteral("positive_class");
}

/// Everything but the costs that have sliders; for two classes, also their separate costs.
std::vector<Field> shownFields(ReferralOptions& options, bool two_classes) {
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [two_classes](const Field& field) {
    const std::string& name = field.info.name;
    const bool has_slider = name == "look_cost" || name == "error_cost";
    const bool needs_two =
        name == "false_positive_cost" || name == "false_negative_cost" || name == "positive_class";
    return has_slider || (needs_two && !two_classes);
  });
  return fields;
}

Expected<std::shared_ptr<const ReferralPicture>> pictureOf(
    std::shared_ptr<const ReferralRanking> ranking, const ReferralOptions& options) {
  auto costs = costsOfReferral(*ranking, options);
  if (!costs) {
    return failWith(costs);
  }
  return std::make_shared<const ReferralPicture>(std::move(ranking), *std::move(costs));
}

}  // namespace

LabReferral::LabReferral(const LabParts& parts, QWidget* parent)
    : LabView(parent),
      jobs_(parts.jobs),
      session_(parts.session),
      rank_job_(thread_),
      cost_job_(thread_) {
  setObjectName(QStringLiteral("labReferral"));
  QWidget* const set_up = buildSetUp(parts.opener);
  setParts(set_up, buildResults());
  connectParts();
}

QWidget* LabReferral::buildSetUp(FileOpener& opener) {
  auto* const set_up = new LabSetUp(tr("Set-up"), "referralSetUpCard", kReferralSetUpWidth, this);
  set_up->addHeading(tr("Run"));
  runs_ = set_up->addList(tr("Run"), "referralRun");
  runs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  offer_ = new LabDemoOffer(session_, jobs_, opener, set_up->body());
  set_up->rows().addWidget(offer_);
  set_up->addHeading(tr("Costs, in any unit"));
  const auto addSlider = [&](const QString& name, const char* object, const QString& tip,
                             double value) {
    auto* const slider = new ValueSlider(name, set_up->body());
    slider->setObjectName(QLatin1String(object));
    slider->setNameWidth(kCostNameWidth);
    slider->setBoxWidth(kCostBoxWidth);
    slider->setToolTip(tip);
    slider->setRange({.low = 0.01, .high = 1000.0, .logarithmic = true});
    slider->setValue(value);
    set_up->rows().addWidget(slider);
    return slider;
  };
  look_ = addSlider(tr("One look"), "referralLook", tr("Cost of an expert who looks at one item"),
                    options_.look_cost);
  error_cost_ = addSlider(tr("One error"), "referralError", tr("Cost of one wrong prediction"),
                          options_.error_cost);
  ratio_ = set_up->addText("referralRatio");
  form_ = set_up->addForm("referralOptions");
  return set_up;
}

QWidget* LabReferral::buildResults() {
  auto* const results = new LabResults(this);
  sentence_ = results->addSentence("referralSentence");
  notes_ = results->addNotes("referralNotes");
  costs_ = makeCard<CurvePlot>({}, "referralCosts");
  roc_ = makeCard<CurvePlot>({}, "referralRoc");
  costs_.card->setChoices({tr("Cost by threshold"), tr("Cost by share referred")});
  costs_.card->setChoice(view_);
  results->addCards({costs_.card, roc_.card}, kReferralPlotHeight);
  table_ = makeCard<CompareTable>(tr("Cheapest rule of each measure"), "referralTable");
  results->rows().addWidget(table_.card);
  return results;
}

void LabReferral::connectParts() {
  const auto follow = [this](ValueSlider* slider, double ReferralOptions::*cost) {
    const auto apply = [this, cost](double value) {
      options_.*cost = value;
      count();
    };
    connect(slider, &ValueSlider::moved, this, apply);
    connect(slider, &ValueSlider::settled, this, apply);
  };
  follow(look_, &ReferralOptions::look_cost);
  follow(error_cost_, &ReferralOptions::error_cost);
  connect(form_, &OptionsForm::edited, this, &LabReferral::applyOption);
  connect(runs_, &QComboBox::activated, &session_, &Session::setActiveAnalysis);
  const auto follow_session = [this] {
    if (begun_ && isVisible()) {
      showRuns();
    }
  };
  connect(&session_, &Session::activeAnalysisChanged, this, follow_session);
  connect(&session_, &Session::workspaceChanged, this, follow_session);
  connect(costs_.card, &Card::choiceMade, this, [this](int view) {
    view_ = view;
    showPicture();
  });
  const auto choose = [this](int row) {
    if (picture_ && row >= 0 && row < std::ssize(picture_->costs.measures)) {
      chosen_ = picture_->costs.measures[static_cast<std::size_t>(row)].measure;
      showPicture();
    }
  };
  // Queued: the choice replaces the content of the table.
  connect(table_.content, &CompareTable::rowChosen, this, choose, Qt::QueuedConnection);
}

void LabReferral::begin() {
  begun_ = true;
  showRuns();
}

nlohmann::json LabReferral::setUp() const {
  return {{"options", labOptionsToJson(options_)}};
}

Status LabReferral::applySetUp(const nlohmann::json& set_up) {
  if (Status read = readLabOptions(set_up.at("options"), options_); !read) {
    return read;
  }
  look_->setValue(options_.look_cost);
  error_cost_->setValue(options_.error_cost);
  showFields();
  rank();
  return {};
}

LabReferral::RunPtr LabReferral::shownRun() const {
  const AnalysisPtr analysis = session_.activeAnalysis();
  return analysis ? analysis->in().run : nullptr;
}

void LabReferral::showRuns() {
  const QStringList names = toTexts(runNames(session_));
  runs_->clear();
  runs_->addItems(names);
  runs_->setCurrentIndex(session_.activeAnalysisPosition());
  runs_->setEnabled(!names.isEmpty());
  RunPtr run = shownRun();
  offer_->setMissing(run                         ? QString()
                     : session_.models().empty() ? tr("No run is open; open a run of a labelled "
                                                      "dataset, or the demo.")
                                                 : tr("No run is open; compute one on the page "
                                                      "Overview, or open a file."));
  if (run == run_ && (ranking_ || !error_.isEmpty() || busy())) {
    return;
  }
  run_ = std::move(run);
  showFields();
  rank();
}

void LabReferral::showFields() {
  const bool two_classes = run_ && run_->classCount() == 2;
  if (!two_classes) {
    options_.false_positive_cost.reset();
    options_.false_negative_cost.reset();
  }
  form_->setFields(shownFields(options_, two_classes));
  error_cost_->setEnabled(!options_.hasSeparateCosts());
}

void LabReferral::rank() {
  rank_job_.abandon();
  cost_job_.abandon();
  ranking_.reset();
  picture_.reset();
  error_.clear();
  if (run_) {
    rank_job_.restart<PicturePtr>(
        tr("Laboratory"), jobs_.settings(),
        [run = run_, options = options_](RunContext& context) -> Expected<PicturePtr> {
          auto ranking = rankReferral(*run, options, context);
          if (!ranking) {
            return failWith(ranking);
          }
          return pictureOf(std::make_shared<const ReferralRanking>(*std::move(ranking)), options);
        },
        this,
        [this](const Expected<PicturePtr>& picture) {
          deliver(picture);
          count();  // the costs may have changed meanwhile
        });
  }
  showPicture();
}

void LabReferral::count() {
  if (!ranking_) {
    return;
  }
  cost_job_.submit<PicturePtr>(
      tr("Laboratory"), {},
      [ranking = ranking_, options = options_](RunContext&) { return pictureOf(ranking, options); },
      this, [this](const Expected<PicturePtr>& picture) { deliver(picture); });
}

void LabReferral::applyOption(const QString& name) {
  error_cost_->setEnabled(!options_.hasSeparateCosts());
  if (!form_->check()) {
    return;
  }
  if (const Status checked = options_.check(); !checked) {
    cost_job_.abandon();
    error_ = errorText(checked.error());
    showPicture();
  } else if (isRankingOption(name) || !ranking_) {
    rank();
  } else {
    count();
  }
}

void LabReferral::deliver(const Expected<PicturePtr>& picture) {
  if (picture) {
    picture_ = *picture;
    ranking_ = picture_->ranking;
    error_.clear();
  } else if (picture.error().code != ErrorCode::kCancelled) {
    error_ = errorText(picture.error());
  }
  showPicture();
}

void LabReferral::showPicture() {
  // Of an expert who is wrong as often, a look gains nothing.
  const double ratio = options_.look_cost / options_.error_cost + options_.expert_error_rate;
  ratio_->setText(options_.hasSeparateCosts() ? QString()
                  : ratio < 1.0
                      ? tr("Referring an item pays if it is wrong with a probability above %1.")
                            .arg(shareText(ratio))
                      : tr("A look costs as much as an error or more: no item is worth a look."));
  const bool has_picture = picture_ && error_.isEmpty();
  const QString empty = has_picture         ? QString()
                        : !error_.isEmpty() ? tr("No result")
                        : run_              ? tr("Ranking the items…")
                                            : tr("No run is open");
  setEmptyText({costs_.card, roc_.card, table_.card}, empty);
  showNotes(*notes_, error_);
  if (!has_picture) {
    sentence_->clear();
    return;
  }
  const std::vector<MeasureCosts>& all = picture_->costs.measures;
  const auto chosen = std::ranges::find_if(
      all, [this](const MeasureCosts& one) { return chosen_ && one.measure == *chosen_; });
  const std::size_t shown = chosen != all.end() ? static_cast<std::size_t>(chosen - all.begin())
                                                : cheapestMeasure(picture_->costs);
  sentence_->setText(referralSentence(*picture_, shown));
  CurvePlotValue costs = view_ == 0 ? costByThreshold(*picture_) : costByShare(*picture_);
  const std::optional<QPointF> mark = costs.curves[shown].mark;
  showIn(costs_, std::move(costs), referralCaption(*picture_) + tr(" · cheapest points marked"));
  costs_.content->setMarker(mark);
  if (shown_roc_ != std::pair(picture_->ranking, shown)) {
    shown_roc_ = {picture_->ranking, shown};
    roc_.card->setTitle(
        tr("ROC after referral by %1").arg(QString::fromUtf8(describe(all[shown].measure).name)));
    showIn(roc_, rocOfMeasure(*picture_, shown), rocCaption(*picture_, shown));
  }
  table_.content->setValue(referralTable(*picture_, shown));
  table_.card->setSubtitle(
      tr("chosen and measured on the same items, so optimistic · click a row to show it"));
}

}  // namespace dubito
