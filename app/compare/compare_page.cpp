// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare/compare_page.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/compare/compare_table_value.h"
#include "app/compare/compare_values.h"
#include "app/compare/difference_line.h"
#include "app/compare/shift_of_runs.h"
#include "app/explore/plane/scatter_card.h"
#include "app/session/run_names.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/compare_table.h"
#include "widgets/help_topic.h"
#include "widgets/plot_base.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::array kScores = {Measure::kEntropy, Measure::kConfidence,
                                Measure::kMutualInformation};

/// Margins and frame of a card to both sides of its plot.
constexpr int kCardMargins = 2 * (3 * kGrid + 1);
/// So many runs are visible without scrolling the table.
constexpr int kMinRows = 8;

}  // namespace

ComparePage::ComparePage(Session& session, WindowJobs& jobs, QSettings& settings, QWidget* parent)
    : Page(PageId::kCompare, parent), session_(session), choices_(settings) {
  setObjectName(QStringLiteral("comparePage"));
  buildTable(jobs);
  buildPlots();
  auto* const rows = new CardRows(QStringLiteral("compareRows"), this);
  rows->addRow(2, {{table_card_, 1}});
  rows->addFlow(3, {roc_.card, rejection_.card, scatter_, shift_.card},
                kMinReadablePlot.width() + kCardMargins);
  for (PlotBase* const plot : rows->findChildren<PlotBase*>()) {
    plot->setMinimumSize(kMinReadablePlot);
  }
  QScrollArea* const scroll = makeCardScroll(rows, this);
  scroll->setObjectName(QStringLiteral("compareScroll"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll);
  connectTable();
  connect(&session_, &Session::workspaceChanged, this, &ComparePage::showRuns);
  connect(&session_, &Session::activeAnalysisChanged, this, &ComparePage::showRuns);
  showRuns();
}

void ComparePage::buildTable(WindowJobs& jobs) {
  table_card_ = new Card(tr("Runs"), this);
  table_card_->setObjectName(QStringLiteral("compareCard"));
  auto* const content = new QWidget(table_card_);
  table_ = new CompareTable(content);
  table_->setMinRows(kMinRows);
  difference_ = new DifferenceLine(session_, jobs, content);
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(kGrid);
  inner->addWidget(table_, 1);
  auto* const line = new QHBoxLayout;
  line->setSpacing(2 * kGrid);
  line->addWidget(difference_, 1);
  buildChooser(*line);
  inner->addLayout(line);
  table_card_->setContent(content);
}

void ComparePage::buildChooser(QBoxLayout& line) {
  auto* const chooser = new QPushButton(tr("Columns and runs"), table_card_);
  chooser->setObjectName(QStringLiteral("compareChooser"));
  chooser->setToolTip(tr("Choose the columns and the runs of the table"));
  auto* const menu = new QMenu(chooser);
  menu->setObjectName(QStringLiteral("compareChooserMenu"));
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
    table_->addChoices(*menu);
  });
  chooser->setMenu(menu);
  line.addWidget(chooser);
}

ComparePage::Curves ComparePage::addCurves(const char* name) {
  auto* const card = new Card({}, this);
  card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
  auto* const plot = new CurvePlot(card);
  plot->setObjectName(QLatin1String(name));
  card->setContent(plot);
  connect(plot, &CurvePlot::failed, this, &ComparePage::failed);
  return {card, plot};
}

void ComparePage::buildPlots() {
  roc_ = addCurves("compareRoc");
  setHelpTopic(*roc_.card, helpTopicOf(Metric::kAuroc));
  QStringList scores;
  for (const Measure score : kScores) {
    scores << tr("ROC by %1").arg(measureName(score));
  }
  roc_.card->setChoices(scores);
  rejection_ = addCurves("compareRejection");
  rejection_.card->setChoices({tr("Rejection"), tr("Reliability")});
  scatter_ = new ScatterCard(session_, this);
  shift_ = addCurves("compareShift");
  QStringList quantities;
  for (const ShiftQuantity& quantity : shiftQuantities()) {
    quantities << tr("Shift: %1").arg(shiftQuantityName(quantity));
  }
  shift_.card->setChoices(quantities);
  connect(roc_.card, &Card::choiceMade, this, [this](int index) {
    score_ = index;
    showCurves();
  });
  connect(rejection_.card, &Card::choiceMade, this, [this](int index) {
    shows_reliability_ = index == 1;
    showCurves();
  });
  connect(shift_.card, &Card::choiceMade, this, [this](int index) {
    shift_quantity_ = index;
    showCurves();
  });
  connect(scatter_, &ScatterCard::failed, this, &ComparePage::failed);
}

void ComparePage::connectTable() {
  connect(difference_, &DifferenceLine::imagesRequested, this, &ComparePage::imagesRequested);
  connect(table_, &CompareTable::failed, this, &ComparePage::failed);
  connect(table_, &CompareTable::rowChosen, this, &ComparePage::chooseRow);
  connect(table_, &CompareTable::rowActivated, this, [this](int row) {
    const ComparedRun& run = runOf(row);
    if (std::ranges::find(run.seeds, shownRun()) == run.seeds.end()) {
      session_.setActiveAnalysis(static_cast<int>(run.positions.front()));
    }
  });
  connect(table_, &CompareTable::drawnChanged, this, [this](int row) {
    choices_.setTicked(runOf(row), table_->value().rows[static_cast<std::size_t>(row)].drawn);
    showCurves();
  });
  connect(table_, &CompareTable::rowShownChanged, this, [this](int row) {
    choices_.setHidden(runOf(row), table_->value().rows[static_cast<std::size_t>(row)].hidden);
    showCurves();
  });
  connect(table_, &CompareTable::columnShownChanged, this, [this](int column) {
    const CompareTableValue::Column& changed =
        table_->value().columns[static_cast<std::size_t>(column)];
    choices_.setColumnHidden(changed.name, changed.hidden);
  });
}

void ComparePage::setShiftResults(std::vector<ShiftResultPtr> results) {
  if (results != shift_results_) {
    shift_results_ = std::move(results);
    showCurves();
  }
}

AnalysisPtr ComparePage::reference() const {
  return shownRun() ? shownRun() : runs_.front().seeds.front();
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
  runs_ = compareRuns(session_.analyses(), listed_names_);
  chosen_ = -1;
  const bool any = !runs_.empty();
  const QString empty =
      tr("Computed and opened runs are compared here. Run another method or seed on the same "
         "images to add one");
  for (Card* const card : {table_card_, roc_.card, rejection_.card, shift_.card}) {
    card->setEmptyText(any ? QString() : empty);
  }
  CompareTableValue table = compareTableValue(runs_, shownRun());
  table.is_legend = true;
  choices_.apply(runs_, table);
  table_->setValue(std::move(table));
  const QString legend =
      tr("ticked runs are drawn · • and bold: best in its column among runs on the same items · "
         "double-click a run to show it on all pages · ± standard deviation over seeds");
  table_card_->setSubtitle(any ? withLabels(*reference(), legend) : QString());
  difference_->setText(
      runs_.size() > 1 ? tr("Select a run to see its difference from the run shown") : QString());
  showCurves();
}

void ComparePage::showCurves() {
  if (runs_.empty()) {
    for (const Curves& curves : {roc_, rejection_, shift_}) {
      curves.plot->setCurves({});
    }
    return;
  }
  const Measure score = kScores[static_cast<std::size_t>(score_)];
  CurvePlotValue roc = compareRoc(runs_, *reference(), describe(score).key);
  QString line = tr("%1 · first seed of each")
                     .arg(QString::fromStdString(reference()->overview.ranking_convention));
  if (roc.curves.size() < runs_.size()) {
    line +=
        tr(" · omitted: %1 (different items or no score)").arg(runs_.size() - roc.curves.size());
  }
  show(roc_, std::move(roc), line, tr("No run has an ROC curve by %1").arg(measureName(score)));
  showSecondCurves();
  showShift();
}

void ComparePage::showSecondCurves() {
  setHelpTopic(*rejection_.card, helpTopicOf(shows_reliability_ ? Metric::kEce : Metric::kAurc));
  if (shows_reliability_) {
    show(rejection_, compareReliability(runs_, *reference()),
         tr("%1 · non-empty bins")
             .arg(QString::fromStdString(reference()->overview.reliability.convention)),
         tr("Calibration requires labels"));
    return;
  }
  const Measure score = kScores[static_cast<std::size_t>(score_)];
  const QString by = measureName(score);
  show(rejection_, compareRejection(runs_, *reference(), describe(score).key),
       tr("by %1 · most uncertain rejected first").arg(by),
       tr("Requires labels and a run with %1").arg(by));
}

void ComparePage::showShift() {
  const ShiftQuantity& quantity = shiftQuantities()[static_cast<std::size_t>(shift_quantity_)];
  CurvePlotValue value = shiftOfRuns(runs_, shift_results_, quantity);
  const QString line = shift_results_.empty()
                           ? QString()
                           : tr("%1 · runs computed on the page Shift: %2")
                                 .arg(corruptionName(shift_results_.front()->kind))
                                 .arg(value.curves.size());
  show(shift_, std::move(value), line,
       shift_results_.empty()
           ? tr("Runs computed with the same corruption on the page Shift are compared here")
           : tr("No run on the page Shift has this quantity"));
}

void ComparePage::show(const Curves& where, CurvePlotValue value, const QString& caption,
                       const QString& none) {
  const bool any = !value.curves.empty();
  std::erase_if(value.curves,
                [this](const StyledCurve& curve) { return !choices_.isDrawn(runOf(curve.run)); });
  for (StyledCurve& curve : value.curves) {
    curve.is_strong = curve.run == chosen_;
  }
  value.has_legend = false;
  value.exports_legend = true;
  const bool drawn = !value.curves.empty();
  where.plot->setCurves(std::move(value));
  setCaptions(*where.card, *where.plot, withLabels(*reference(), caption));
  where.card->setEmptyText(drawn ? QString() : any ? tr("No run of this plot is ticked") : none);
}

void ComparePage::chooseRow(int row) {
  chosen_ = row;
  showCurves();
  difference_->compare(runOf(row));
  scatter_->setOtherRun(runOf(row).seeds.front());
}

}  // namespace dubito
