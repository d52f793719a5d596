// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/plane/scatter_card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/explore/plane/scatter_values.h"
#include "app/session/error_text.h"
#include "app/session/run_names.h"
#include "app/words/words.h"
#include "core/analysis/comparison.h"
#include "core/analysis/drawn_points.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

std::optional<Measure> chosenMeasure(const QComboBox& box) {
  return box.currentIndex() < 0
             ? std::nullopt
             : std::optional<Measure>(static_cast<Measure>(box.currentData().toInt()));
}

}  // namespace

ScatterCard::ScatterCard(Session& session, QWidget* parent)
    : Card(tr("Scatter"), parent), session_(session), join_job_(thread_) {
  setObjectName(QStringLiteral("scatterCard"));
  auto* const content = new QWidget(this);
  plot_ = new ScatterPlot(content);
  auto* const bar = new QGridLayout;
  bar->setHorizontalSpacing(kGrid);
  bar->setVerticalSpacing(kGrid);
  const auto add = [&](const QString& label, const QString& help, const char* name, int row,
                       int column) {
    auto* const text = new QLabel(label, content);
    text->setProperty("role", QStringLiteral("muted"));
    auto* const box = new QComboBox(content);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(help);
    box->setToolTip(help);
    box->setMinimumWidth(14 * kGrid);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    text->setBuddy(box);
    bar->addWidget(text, row, column);
    bar->addWidget(box, row, column + 1, 1, row == 0 ? 1 : 3);
    return box;
  };
  x_ = add(tr("x"), tr("Measure on the x axis, of the run shown"), "scatterX", 0, 0);
  y_ = add(tr("y"), tr("Measure on the y axis"), "scatterY", 0, 2);
  run_ =
      add(tr("y run"), tr("Run on the y axis; choose the run shown to compare two of its measures"),
          "scatterRun", 1, 0);
  bar->setColumnStretch(1, 1);
  bar->setColumnStretch(3, 1);
  auto* const inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(kGrid);
  inner->addLayout(bar);
  inner->addWidget(plot_, 1);
  setContent(content);

  for (QComboBox* const box : {x_, y_, run_}) {
    connect(box, &QComboBox::currentIndexChanged, this, [this, box] {
      if (filling_) {
        return;
      }
      if (box == run_) {
        chosen_run_ = otherRun();
        fillChoosers();
        return;
      }
      (box == x_ ? chosen_x_ : chosen_y_) = chosenMeasure(*box);
      fillChoosers();
    });
    // Return the keyboard focus to the plot.
    connect(box, &QComboBox::activated, plot_, [this] { plot_->setFocus(); });
  }
  connect(plot_, &PlotBase::failed, this, &ScatterCard::failed);
  binder_ = std::make_unique<ScatterBinder>(session_, thread_, *plot_,
                                            [this](const ScatterRectangle& rectangle) {
                                              return rectangleText(plot_->scatter(), rectangle);
                                            });
  connect(binder_.get(), &ScatterBinder::marked, this, &ScatterCard::showCaption);
  connect(&session_, &Session::workspaceChanged, this, &ScatterCard::fillChoosers);
  connect(&session_, &Session::activeAnalysisChanged, this, &ScatterCard::fillChoosers);
  fillChoosers();
}

ScatterCard::~ScatterCard() = default;

// --- which runs and measures -------------------------------------------------------------------

AnalysisPtr ScatterCard::otherRun() const {
  const int position = run_->currentData().toInt();
  const auto& analyses = session_.analyses();
  return run_->currentIndex() < 0 || position >= static_cast<int>(analyses.size())
             ? nullptr
             : analyses[static_cast<std::size_t>(position)];
}

void ScatterCard::setOtherRun(const AnalysisPtr& run) {
  chosen_run_ = run;
  fillChoosers();
}

void ScatterCard::fillMeasures(QComboBox& box, const AnalysisPtr& run, Measure wanted) {
  box.clear();
  for (const Measure measure : allMeasures()) {
    if (run && run->in().has(measure)) {
      box.addItem(measureName(measure), static_cast<int>(measure));
      box.setItemData(box.count() - 1, measureFormula(measure), Qt::ToolTipRole);
    }
  }
  box.setCurrentIndex(std::max(0, box.findData(static_cast<int>(wanted))));
}

void ScatterCard::fillChoosers() {
  const AnalysisPtr shown = session_.activeAnalysis();
  const std::vector<AnalysisPtr>& analyses = session_.analyses();
  AnalysisPtr other = chosen_run_.lock();
  if (std::ranges::find(analyses, other) == analyses.end()) {
    // Prefer another method on the same images, then another seed.
    const auto find = [&](bool other_method) {
      const auto found = std::ranges::find_if(analyses, [&](const AnalysisPtr& analysis) {
        return shown && analysis != shown && overSameItems(*analysis, *shown) &&
               (!other_method || analysis->name != shown->name);
      });
      return found == analyses.end() ? nullptr : *found;
    };
    other = find(true);
    other = other ? other : find(false);
    other = other ? other : shown;
  }
  const Measure x = chosen_x_.value_or(Measure::kEntropy);
  const Measure y = chosen_y_.value_or(other == shown ? Measure::kMutualInformation : x);
  filling_ = true;
  run_->clear();
  const std::vector<std::string> names = runNames(session_);
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    const QString name = QString::fromStdString(names[i]);
    run_->addItem(analyses[i] == shown ? tr("%1 (shown)").arg(name) : name, static_cast<int>(i));
    if (analyses[i] == shown) {
      x_name_ = name;
    }
    if (analyses[i] == other) {
      run_->setCurrentIndex(static_cast<int>(i));
    }
  }
  fillMeasures(*x_, shown, x);
  fillMeasures(*y_, other, y);
  filling_ = false;
  join();
}

void ScatterCard::join() {
  const AnalysisPtr shown = session_.activeAnalysis();
  const AnalysisPtr other = otherRun();
  const std::optional<Measure> x = chosenMeasure(*x_);
  const std::optional<Measure> y = chosenMeasure(*y_);
  if (!shown || !other || !x || !y) {
    join_job_.abandon();
    requested_ = {};
    setData(nullptr);
    setEmptyText(tr("Compute or open a run to plot its items"));
    return;
  }
  const ScatterRequest request{shown, other, *x, *y};
  // Many workspace changes do not affect these runs.
  if (requested_.x_run == shown && requested_.y_run == other && requested_.x == *x &&
      requested_.y == *y) {
    return;
  }
  // A rectangle drawn for another run must not select items of this one.
  binder_->abandon();
  requested_ = request;
  join_job_.restart<ScatterDataPtr>(
      tr("Joining runs"), {}, [request](RunContext&) { return joinScatter(request); }, this,
      [this](const Expected<ScatterDataPtr>& joined) {
        if (joined) {
          setData(*joined);
        } else if (joined.error().code != ErrorCode::kCancelled) {
          setData(nullptr);
          setEmptyText(errorText(joined.error()));
        }
      });
}

void ScatterCard::setData(const ScatterDataPtr& joined) {
  joined_ = joined;
  if (!joined) {
    plot_->setScatter({});
    binder_->setData(nullptr);
    setSubtitle({});
    return;
  }
  setEmptyText({});
  const QString y_name = run_->currentText();
  plot_->setScatter(scatterPlotValue(joined, x_name_, y_name));
  binder_->setData(joined);
  showCaption();
}

void ScatterCard::showCaption() {
  if (!joined_) {
    return;
  }
  QString line = scatterCaption(*joined_, x_name_);
  if (plot_->selected() && session_.listing().items()) {
    const auto count = static_cast<std::int64_t>(session_.listing().items()->size());
    line += tr(" · %1 selected").arg(countText(count));
    if (const auto drawn = static_cast<std::int64_t>(plot_->selected()->size());
        drawn == kMaxScatterPoints && drawn < count) {
      line += tr(", %1 of them marked").arg(countText(drawn));
    }
  }
  line = withLabels(*joined_->run, line);
  setSubtitle(line);
  plot_->setCaption(tr("%1 against %2").arg(plot_->scatter().y_name, plot_->scatter().x_name),
                    line);
}

}  // namespace dubito
