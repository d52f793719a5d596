// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QVBoxLayout>
#include <algorithm>

#include "app/labs/classification/lab_classification_data.h"
#include "app/labs/classification/lab_classification_values.h"
#include "app/labs/lab_bar.h"
#include "app/labs/lab_method_list.h"
#include "app/labs/lab_method_notes.h"
#include "app/labs/lab_point_grid.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/words/plot_caption.h"
#include "widgets/color_scale.h"
#include "widgets/flow_layout.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kClassSetUpWidth = 78 * kGrid;
constexpr int kClassTableDelay = 150;  // ms
constexpr int kClassTableHeight = 44 * kGrid;
/// Shown at first: what a network believes, and five ways to make it less certain.
constexpr const char* kFirstClassMethods[] = {"map",          "ensemble", "mc-dropout",
                                              "laplace-full", "hmc",      "gp"};

/// Columns of a grid of `count` squares that is wider than high.
int mapColumnsOf(int count) {
  return count <= 3 ? std::max(count, 1) : count == 4 ? 2 : count <= 6 ? 3 : 4;
}

}  // namespace

LabClassification::LabClassification(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new ClassificationRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labClassification"));
  data_ = new LabClassificationData(worker, runner_->options(), this);
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  table_timer_.setSingleShot(true);
  table_timer_.setInterval(kClassTableDelay);
  connectParts();
  showMapChoice();
  showState();
}

LabClassification::~LabClassification() = default;

QWidget* LabClassification::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "classSetUpCard", kClassSetUpWidth, this);
  set_up->addHeading(tr("Data"));
  set_up->rows().addWidget(data_);
  methods_ = new LabMethodList(*set_up, *runner_, QStringLiteral("class"),
                               methodTexts(classMethods()), kFirstClassMethods);
  return set_up;
}

QWidget* LabClassification::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  results->rows().addWidget(buildMapBar(results));
  plots_ = new LabPointGrid<ClassMapPlot>(QStringLiteral("classMapCard"),
                                          QStringLiteral("classMap"), results);
  results->rows().addWidget(plots_, 1);
  makeCard(table_card_, table_, tr("Scores"), QStringLiteral("classScores"));
  table_card_->setMaximumHeight(kClassTableHeight);
  results->rows().addWidget(table_card_);
  return results;
}

QWidget* LabClassification::buildMapBar(QWidget* parent) {
  auto* const bar = new QWidget(parent);
  auto* const layout = new FlowLayout(bar, 2 * kGrid);
  layout->setContentsMargins(0, 0, 0, 0);
  maps_ = new QComboBox(bar);
  maps_->setObjectName(QStringLiteral("classMap"));
  maps_->setAccessibleName(tr("Map"));
  for (const ClassMapInfo& map : classMaps()) {
    maps_->addItem(QCoreApplication::translate("Labs", map.name), QLatin1String(map.key));
    maps_->setItemData(maps_->count() - 1, QCoreApplication::translate("Labs", map.explanation),
                       Qt::ToolTipRole);
  }
  layout->addWidget(maps_);
  scale_ = new ColorScale(bar);
  layout->addWidget(scale_);
  functions_ = new QCheckBox(tr("Borders of single functions"), bar);
  functions_->setObjectName(QStringLiteral("classFunctions"));
  functions_->setToolTip(
      tr("Thin lines: where single members, masks, states or draws of a method place the border"));
  functions_->setChecked(true);
  layout->addWidget(functions_);
  zoom_ = new ValueSlider(tr("Zoom out"), bar);
  zoom_->setObjectName(QStringLiteral("classZoom"));
  zoom_->setNameWidth(zoom_->fontMetrics().horizontalAdvance(tr("Zoom out")) + kGrid);
  zoom_->setRange({1.0, 10.0, true, false});
  zoom_->setValue(runner_->options().zoom);
  zoom_->setToolTip(tr("Side of the shown square over that of the data"));
  zoom_->setFixedWidth(76 * kGrid);
  layout->addWidget(zoom_);
  return bar;
}

void LabClassification::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, this, [this] { runner_->restart(); });
  connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
    runner_->setSeed(seed);
    data_->open(seed);
  });
  connect(data_, &LabClassificationData::opened, runner_, &ClassificationRunner::setData);
  connect(data_, &LabClassificationData::failed, this, &LabClassification::failed);
  connect(data_, &LabClassificationData::mapsChanged, this, [this] { runner_->redraw(false); });
  connect(data_, &LabClassificationData::pointToolChanged, plots_, &LabPointGridBase::setPointTool);
  connect(data_, &LabClassificationData::clearRequested, this, [this] {
    ClassData empty = ownData();
    empty.train = {};
    setOwnData(std::move(empty));
  });
  connect(this, &LabView::cardsChanged, this, &LabClassification::showAllPlots);
  connect(plots_, &LabPointGridBase::cardAdded, this, [this](Card* card) { adopt(*card); });
  connect(plots_, &LabPointGridBase::failed, this, &LabClassification::failed);
  connect(plots_, &LabPointGridBase::pointAdded, this, &LabClassification::addPoint);
  connect(plots_, &LabPointGridBase::pointMoved, this, &LabClassification::movePoint);
  connect(plots_, &LabPointGridBase::pointErased, this, &LabClassification::erasePoint);
  connect(maps_, &QComboBox::currentIndexChanged, this, [this] {
    showMapChoice();
    showAllPlots();
  });
  connect(functions_, &QCheckBox::toggled, this, &LabClassification::showAllPlots);
  connect(zoom_, &ValueSlider::moved, this, [this](double zoom) { runner_->setZoom(zoom, true); });
  connect(zoom_, &ValueSlider::settled, this,
          [this](double zoom) { runner_->setZoom(zoom, false); });
  connect(runner_, &ClassificationRunner::methodsChanged, this, &LabClassification::placePlots);
  connect(runner_, &ClassificationRunner::dataChanged, this, [this] {
    showMapChoice();
    showAllPlots();
    showState();
  });
  connect(runner_, &ClassificationRunner::pictureChanged, this, [this](int index) {
    showPlot(static_cast<std::size_t>(index));
    if (!table_timer_.isActive()) {
      table_timer_.start();
    }
  });
  connect(runner_, &ClassificationRunner::stateChanged, this, &LabClassification::showState);
  connect(&table_timer_, &QTimer::timeout, this, &LabClassification::showTable);
}

void LabClassification::begin() {
  if (!begun_) {
    begun_ = true;
    methods_->apply();
    data_->open(runner_->seed());
  }
}

bool LabClassification::busy() const {
  return runner_->busy() || data_->busy();
}

const ClassMapInfo& LabClassification::chosenMap() const {
  return classMaps()[static_cast<std::size_t>(maps_->currentIndex())];
}

void LabClassification::placePlots() {
  const std::size_t count = runner_->entries().size();
  plots_->setCount(count, mapColumnsOf(static_cast<int>(count)));
  for (std::size_t i = 0; i < count; ++i) {
    showPlot(i);
  }
  showTable();
  showState();
}

void LabClassification::showPlot(std::size_t index) {
  const ClassificationRunner::Entry& entry = runner_->entries()[index];
  const ClassMapInfo& map = chosenMap();
  Card& card = plots_->card(index);
  ClassMapPlot& plot = plots_->plot(index);
  card.setTitle(QCoreApplication::translate("Labs", entry.info->name));
  // The labels of shared axes would cost a quarter of a small map.
  plot.setLabelsShown(plots_->isLowest(index), plots_->isLeftmost(index));
  plot.setValue(classMapOf(*runner_, index, map, functions_->isChecked()));
  card.setEmptyText(missingMapText(*runner_, index, map));
  setCaptions(card, plot, classMapCaption(*runner_, index, map));
}

void LabClassification::showAllPlots() {
  for (std::size_t i = 0; i < plots_->count(); ++i) {
    showPlot(i);
  }
}

void LabClassification::showMapChoice() {
  const ClassMapInfo& map = chosenMap();
  const ScaleTexts ends = scaleTextsOf(map, std::max<std::int64_t>(runner_->data().classes(), 2));
  scale_->setEnds(ends.low, ends.high);
  const QString meaning = QCoreApplication::translate("Labs", map.explanation);
  maps_->setToolTip(meaning);
  scale_->setToolTip(meaning);
}

void LabClassification::showTable() {
  table_->setValue(classificationTable(*runner_));
  table_card_->setSubtitle(classificationTableCaption(*runner_));
}

void LabClassification::showState() {
  bar_->showState(*runner_, {.stopped = runner_->dataError(), .finished = finishedText(*runner_)});
}

}  // namespace dubito
