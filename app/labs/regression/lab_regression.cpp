// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression.h"

#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/lab_bar.h"
#include "app/labs/lab_method_list.h"
#include "app/labs/lab_method_notes.h"
#include "app/labs/lab_point_grid.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/regression/lab_regression_data.h"
#include "app/labs/regression/lab_regression_values.h"
#include "app/words/plot_caption.h"
#include "widgets/compare_table.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSetUpWidth = 78 * kGrid;
constexpr int kTableDelay = 150;  // ms
/// Shown at first: an exact method, a network, and two ways to make it uncertain.
constexpr const char* kFirstMethods[] = {"gp", "mle", "mc-dropout", "ensemble", "laplace", "hmc"};

/// Columns of a grid of `count` plots that is wider than high.
int columnsOf(int count) {
  return count <= 1 ? 1 : count <= 4 ? 2 : 3;
}

}  // namespace

LabRegression::LabRegression(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), worker_(worker), runner_(new RegressionRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labRegression"));
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  table_timer_.setSingleShot(true);
  table_timer_.setInterval(kTableDelay);
  connectParts();
  showState();
}

LabRegression::~LabRegression() = default;

QWidget* LabRegression::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "labSetUpCard", kSetUpWidth, this);
  set_up->addHeading(tr("Data"));
  data_ = new LabRegressionData(worker_, runner_->options(), set_up->body());
  set_up->rows().addWidget(data_);
  methods_ = new LabMethodList(*set_up, *runner_, QStringLiteral("lab"),
                               methodTexts(regressionMethods()), kFirstMethods);
  return set_up;
}

QWidget* LabRegression::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  legend_ = results->addText("labLegend");
  legend_->setProperty("role", QStringLiteral("muted"));
  plots_ =
      new LabPointGrid<BandPlot>(QStringLiteral("labPlotCard"), QStringLiteral("labPlot"), results);
  results->rows().addWidget(plots_, 2);
  makeCard(table_card_, table_, tr("Scores"), QStringLiteral("labScores"));
  results->rows().addWidget(table_card_, 1);
  return results;
}

void LabRegression::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, this, [this] { runner_->restart(); });
  connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
    runner_->setSeed(seed);
    data_->open(seed);
  });
  connect(data_, &LabRegressionData::opened, runner_, &RegressionRunner::setData);
  connect(data_, &LabRegressionData::failed, this, &LabRegression::failed);
  connect(data_, &LabRegressionData::optionsChanged, this, [this] { runner_->restart(); });
  connect(data_, &LabRegressionData::pointToolChanged, plots_, &LabPointGridBase::setPointTool);
  connect(data_, &LabRegressionData::clearRequested, this, [this] {
    RegressionData empty = ownData();
    empty.train = {};
    setOwnData(std::move(empty));
  });
  connect(this, &LabView::cardsChanged, this, &LabRegression::showAllPlots);
  connect(plots_, &LabPointGridBase::cardAdded, this, [this](Card* card) { adopt(*card); });
  connect(plots_, &LabPointGridBase::failed, this, &LabRegression::failed);
  connect(plots_, &LabPointGridBase::pointAdded, this, &LabRegression::addPoint);
  connect(plots_, &LabPointGridBase::pointMoved, this, &LabRegression::movePoint);
  connect(plots_, &LabPointGridBase::pointErased, this, &LabRegression::erasePoint);
  connect(runner_, &RegressionRunner::methodsChanged, this, &LabRegression::placePlots);
  connect(runner_, &RegressionRunner::dataChanged, this, [this] {
    showAllPlots();
    showTable();
    showState();
  });
  connect(runner_, &RegressionRunner::pictureChanged, this, [this](int index) {
    showPlot(static_cast<std::size_t>(index));
    if (!table_timer_.isActive()) {
      table_timer_.start();
    }
  });
  connect(runner_, &RegressionRunner::stateChanged, this, &LabRegression::showState);
  connect(&table_timer_, &QTimer::timeout, this, &LabRegression::showTable);
}

void LabRegression::begin() {
  if (!begun_) {
    begun_ = true;
    methods_->apply();
    data_->open(runner_->seed());
  }
}

bool LabRegression::busy() const {
  return runner_->busy() || data_->busy();
}

nlohmann::json LabRegression::setUp() const {
  RegressionPreset preset = runner_->preset();
  if (data_->hasOwnPoints()) {
    preset.own_points = runner_->data().train;
  } else {
    preset.data = data_->specification().toStdString();
  }
  return presetToJson(preset);
}

Status LabRegression::applySetUp(const nlohmann::json& set_up) {
  const auto preset = presetFromJson(set_up);
  if (!preset) {
    return failWith(preset);
  }
  begun_ = true;
  runner_->apply(*preset);
  methods_->reload();
  data_->reloadOptions();
  if (preset->own_points) {
    RegressionData edited = ownData();
    edited.train = *preset->own_points;
    edited.shown = shownAround(edited.train);
    setOwnData(std::move(edited));
  } else {
    data_->choose(QString::fromStdString(preset->data), preset->seed);
  }
  return {};
}

void LabRegression::placePlots() {
  const std::size_t count = runner_->entries().size();
  plots_->setCount(count, columnsOf(static_cast<int>(count)));
  showAllPlots();
  showTable();
  showState();
}

void LabRegression::showPlot(std::size_t index) {
  const RegressionRunner::Entry& entry = runner_->entries()[index];
  Card& card = plots_->card(index);
  BandPlot& plot = plots_->plot(index);
  card.setTitle(QCoreApplication::translate("Labs", entry.info->name));
  plot.setValue(bandPlotOf(*runner_, index, true));
  // The title of a shared axis would cost a tenth of a small plot.
  plot.setXTitleShown(plots_->isLowest(index));
  setCaptions(card, plot, bandCaption(*runner_, index));
}

void LabRegression::showAllPlots() {
  const QString truth = runner_->data().truth ? tr("dashed: truth · ") : QString();
  legend_->setText(
      tr("○ points · %1thick: mean · thin: single curves · dark band: ± 2σ of the curve "
         "· light band: ± 2σ with noise")
          .arg(truth));
  for (std::size_t i = 0; i < plots_->count(); ++i) {
    showPlot(i);
  }
}

void LabRegression::showTable() {
  table_->setValue(regressionTable(*runner_));
  table_card_->setSubtitle(regressionTableCaption(*runner_));
}

void LabRegression::showState() {
  bar_->showState(*runner_, {.stopped = runner_->dataError(), .finished = finishedText(*runner_)});
}

RegressionData LabRegression::ownData() const {
  RegressionData edited = runner_->data();
  edited.name = tr("Own points").toStdString();
  edited.test = {};
  edited.truth = nullptr;
  edited.noise_std = std::nullopt;
  return edited;
}

void LabRegression::setOwnData(RegressionData edited) {
  data_->showOwnPoints(edited);
  runner_->setData(std::move(edited));
}

void LabRegression::addPoint(double x, double y) {
  RegressionData edited = ownData();
  edited.train.x.push_back(x);
  edited.train.y.push_back(y);
  setOwnData(std::move(edited));
}

void LabRegression::movePoint(int index, double x, double y) {
  RegressionData edited = ownData();
  const auto i = static_cast<std::size_t>(index);
  if (i < edited.train.x.size()) {
    edited.train.x[i] = x;
    edited.train.y[i] = y;
    setOwnData(std::move(edited));
  }
}

void LabRegression::erasePoint(int index) {
  RegressionData edited = ownData();
  if (index < edited.train.size()) {
    edited.train.x.erase(edited.train.x.begin() + index);
    edited.train.y.erase(edited.train.y.begin() + index);
    setOwnData(std::move(edited));
  }
}

}  // namespace dubito
