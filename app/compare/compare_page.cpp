// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/compare/compare_table_value.h"
#include "app/compare/compare_values.h"
#include "app/explore/plane/scatter_card.h"
#include "app/session/error_text.h"
#include "app/session/run_names.h"
#include "app/words/glossary.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "core/io/join_runs.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/help_topic.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::array<Measure, 3> kScores = {Measure::kEntropy, Measure::kConfidence,
                                            Measure::kMutualInformation};

}  // namespace

ComparePage::ComparePage(Session& session, WindowJobs& jobs, QWidget* parent)
    : Page(PageId::kCompare, parent), session_(session), difference_job_(jobs.fileThread()) {
  setObjectName(QStringLiteral("comparePage"));
  table_card_ = new Card(tr("Runs"), this);
  table_card_->setObjectName(QStringLiteral("compareCard"));
  auto* const content = new QWidget(table_card_);
  table_ = new CompareTable(content);
  difference_ = new QLabel(content);
  difference_->setObjectName(QStringLiteral("differenceLine"));
  difference_->setProperty("role", QStringLiteral("muted"));
  difference_->setTextFormat(Qt::PlainText);
  difference_->setWordWrap(true);
  difference_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(kGrid);
  inner->addWidget(table_, 1);
  disagreements_ = new QPushButton(content);
  disagreements_->setObjectName(QStringLiteral("showDisagreements"));
  disagreements_->hide();
  auto* const line = new QHBoxLayout;
  line->setSpacing(2 * kGrid);
  line->addWidget(difference_, 1);
  line->addWidget(disagreements_);
  inner->addLayout(line);
  table_card_->setContent(content);
  const auto addPlot = [this](Card*& card, CurvePlot*& plot, const char* name) {
    card = new Card({}, this);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    plot = new CurvePlot(card);
    plot->setObjectName(QLatin1String(name));
    card->setContent(plot);
    connect(plot, &CurvePlot::failed, this, &ComparePage::failed);
  };
  addPlot(roc_card_, roc_, "compareRoc");
  setHelpTopic(*roc_card_, helpTopicOf(Metric::kAuroc));
  addPlot(rejection_card_, rejection_, "compareRejection");
  rejection_card_->setChoices({tr("Rejection"), tr("Reliability")});
  QStringList choices;
  for (const Measure score : kScores) {
    choices << tr("ROC by %1").arg(measureName(score));
  }
  roc_card_->setChoices(choices);
  scatter_ = new ScatterCard(session, this);
  auto* const rows = new CardRows(QStringLiteral("compareRows"), this);
  rows->addRow(2, {{table_card_, 1}});
  rows->addRow(5, {{roc_card_, 1, {rejection_card_}}, {scatter_, 1}});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(rows);

  connect(roc_card_, &Card::choiceMade, this, [this](int index) {
    score_ = index;
    showCurves();
  });
  connect(rejection_card_, &Card::choiceMade, this, [this](int index) {
    shows_reliability_ = index == 1;
    showCurves();
  });
  connect(table_, &CompareTable::rowChosen, this, &ComparePage::showDifference);
  connect(table_, &CompareTable::rowChosen, this, [this](int row) {
    scatter_->setOtherRun(runs_[static_cast<std::size_t>(row)].seeds.front());
  });
  connect(scatter_, &ScatterCard::failed, this, &ComparePage::failed);
  connect(table_, &CompareTable::failed, this, &ComparePage::failed);
  connect(table_, &CompareTable::rowActivated, this, [this](int row) {
    const ComparedRun& run = runs_[static_cast<std::size_t>(row)];
    if (std::ranges::find(run.seeds, shownRun()) == run.seeds.end()) {
      session_.setActiveAnalysis(static_cast<int>(run.positions.front()));
    }
  });
  connect(disagreements_, &QPushButton::clicked, this, [this] {
    session_.listing().selectPicked(offered_);
    Q_EMIT imagesRequested();
  });
  connect(&session_, &Session::workspaceChanged, this, &ComparePage::showRuns);
  connect(&session_, &Session::activeAnalysisChanged, this, &ComparePage::showRuns);
  showRuns();
}

void ComparePage::showRuns() {
  // Many workspace changes do not affect these runs.
  const std::vector<std::string> names = givenNames(session_);
  if (listed_ != session_.analyses() || listed_as_shown_ != shownRun() || names != listed_names_ ||
      runs_.empty()) {
    listed_ = session_.analyses();
    listed_names_ = names;
    listed_as_shown_ = shownRun();
    fillTable();
  }
}

void ComparePage::fillTable() {
  difference_job_.abandon();
  disagreements_->hide();
  runs_ = compareRuns(session_.analyses(), listed_names_);
  const bool any = !runs_.empty();
  const QString empty =
      tr("Computed and opened runs are compared here. Run another method or seed on the same "
         "images to add one");
  for (Card* const card : {table_card_, roc_card_, rejection_card_}) {
    card->setEmptyText(any ? QString() : empty);
  }
  table_->setValue(compareTableValue(runs_, shownRun()));
  const QString legend =
      tr("• and bold: best in its column among runs on the same items · "
         "double-click a run to "
         "show it on all pages · ± standard deviation over seeds");
  table_card_->setSubtitle(
      any ? withLabels(shownRun() ? *shownRun() : *runs_.front().seeds.front(), legend)
          : QString());
  difference_->setText(
      runs_.size() > 1 ? tr("Select a run to see its difference from the run shown") : QString());
  showCurves();
}

void ComparePage::showCurves() {
  const std::string score = describe(kScores[static_cast<std::size_t>(score_)]).key;
  const QString by = measureName(kScores[static_cast<std::size_t>(score_)]);
  if (runs_.empty()) {
    roc_->setCurves({});
    rejection_->setCurves({});
    return;
  }
  const AnalysisPtr reference = shownRun() ? shownRun() : runs_.front().seeds.front();
  roc_->setCurves(compareRoc(runs_, *reference, score));
  QString line = tr("%1 · first seed of each")
                     .arg(QString::fromStdString(reference->overview.ranking_convention));
  if (const auto drawn = roc_->curves().curves.size(); drawn < runs_.size()) {
    line += tr(" · omitted: %1 (different items or no score)").arg(runs_.size() - drawn);
  }
  setCaptions(*roc_card_, *roc_, withLabels(*reference, line));
  roc_card_->setEmptyText(
      roc_->curves().curves.empty() ? tr("No run has an ROC curve by %1").arg(by) : QString());
  showSecondCurves();
}

void ComparePage::showSecondCurves() {
  const AnalysisPtr reference = shownRun() ? shownRun() : runs_.front().seeds.front();
  const Measure score = kScores[static_cast<std::size_t>(score_)];
  const QString by = measureName(score);
  QString line = tr("by %1 · most uncertain rejected first").arg(by);
  QString none = tr("Requires labels and a run with %1").arg(by);
  setHelpTopic(*rejection_card_, helpTopicOf(shows_reliability_ ? Metric::kEce : Metric::kAurc));
  if (shows_reliability_) {
    rejection_->setCurves(compareReliability(runs_, *reference));
    line = tr("%1 · non-empty bins")
               .arg(QString::fromStdString(reference->overview.reliability.convention));
    none = tr("Calibration requires labels");
  } else {
    rejection_->setCurves(compareRejection(runs_, *reference, describe(score).key));
  }
  setCaptions(*rejection_card_, *rejection_, withLabels(*reference, line));
  rejection_card_->setEmptyText(rejection_->curves().curves.empty() ? none : QString());
}

void ComparePage::showDifference(int row) {
  disagreements_->hide();
  const AnalysisPtr shown = shownRun();
  const std::vector<AnalysisPtr>& seeds = runs_[static_cast<std::size_t>(row)].seeds;
  const AnalysisPtr chosen = seeds.front();
  if (!shown || std::ranges::find(seeds, shown) != seeds.end()) {
    difference_job_.abandon();
    difference_->setText(tr("This is the run shown; select another one to see the difference"));
    return;
  }
  difference_->setText(tr("Comparing…"));
  difference_job_.restart<Difference>(
      tr("Comparing"), {},
      [chosen, shown, name = runs_[static_cast<std::size_t>(row)].name](
          RunContext& context) -> Expected<Difference> {
        const Run& other = *chosen->in().run;
        const Run& run = *shown->in().run;
        auto comparison = pairedComparison(other, run, {}, context);
        // Only runs over the same items can disagree.
        auto rows =
            comparison
                ? disagreements({run, shown->name}, {other, name}).value_or(std::vector<bool>())
                : std::vector<bool>();
        return Difference{name, std::move(comparison),
                          std::make_shared<const std::vector<bool>>(std::move(rows))};
      },
      this,
      [this](const Expected<Difference>& difference) {
        if (difference) {
          describeDifference(*difference);
        }
      });
}

void ComparePage::describeDifference(const Difference& difference) {
  const QString names =
      tr("%1 minus %2")
          .arg(QString::fromStdString(difference.other), QString::fromStdString(shownRun()->name));
  if (!difference.comparison) {
    difference_->setText(
        QStringLiteral("%1: %2").arg(names, errorText(difference.comparison.error())));
  } else {
    difference_->setText(
        QStringLiteral("%1: %2").arg(names, differenceText(*difference.comparison)));
  }
  offerDisagreements(difference);
}

void ComparePage::offerDisagreements(const Difference& difference) {
  const std::vector<bool>& rows = *difference.disagreements;
  const std::int64_t count = std::count(rows.begin(), rows.end(), true);
  disagreements_->setVisible(count > 0);
  disagreements_->setText(tr("Show %1 disagreements").arg(countText(count)));
  offered_ = {
      tr("predicted differently by %1").arg(QString::fromStdString(difference.other)).toStdString(),
      difference.disagreements};
}

}  // namespace dubito
