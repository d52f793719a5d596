// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_classification.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/pages/lab_bar.h"
#include "app/pages/lab_classification_data.h"
#include "app/pages/lab_classification_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
#include "widgets/color_scale.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kClassSetUpWidth = 76 * kGrid;
constexpr int kClassTableDelay = 150;  // ms
constexpr int kClassTableHeight = 34 * kGrid;
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
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  table_timer_.setSingleShot(true);
  table_timer_.setInterval(kClassTableDelay);
  connectParts();
  showMapChoice();
  showState();
}

LabClassification::~LabClassification() = default;

QWidget* LabClassification::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "classSetUpCard", kClassSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  set_up->addHeading(tr("Data"));
  layout->addWidget(data_);
  set_up->addHeading(tr("Methods"));
  methods_ = new QListWidget(content);
  methods_->setObjectName(QStringLiteral("classMethods"));
  methods_->setAccessibleName(tr("Methods"));
  for (const ClassMethodInfo& info : classMethods()) {
    auto* const item =
        new QListWidgetItem(QCoreApplication::translate("Labs", info.name), methods_);
    item->setData(Qt::UserRole, QLatin1String(info.key));
    item->setToolTip(QCoreApplication::translate("Labs", info.explanation));
    const bool first = std::ranges::find(kFirstClassMethods, std::string_view(info.key)) !=
                       std::ranges::end(kFirstClassMethods);
    item->setCheckState(first ? Qt::Checked : Qt::Unchecked);
  }
  methods_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  methods_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  methods_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
  methods_->setFixedHeight(methods_->sizeHintForRow(0) * methods_->count() +
                           2 * methods_->frameWidth() + kGrid);
  methods_->setCurrentRow(0);
  layout->addWidget(methods_);
  explanation_ = set_up->addText("classExplanation");
  options_ = new OptionsForm(content);
  options_->setObjectName(QStringLiteral("classMethodOptions"));
  layout->addWidget(options_);
  return set_up;
}

QWidget* LabClassification::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  bar_ = new LabBar(results);
  layout->addWidget(bar_);
  layout->addWidget(buildMapBar(results));
  plots_ = new QWidget(results);
  grid_ = new QGridLayout(plots_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(2 * kGrid);
  layout->addWidget(plots_, 1);
  table_card_ = new Card(tr("Scores"), results);
  table_card_->setObjectName(QStringLiteral("classScoresCard"));
  table_card_->setMaximumHeight(kClassTableHeight);
  table_ = new CompareTable(table_card_);
  table_->setObjectName(QStringLiteral("classScores"));
  table_card_->setContent(table_);
  layout->addWidget(table_card_);
  return results;
}

QWidget* LabClassification::buildMapBar(QWidget* parent) {
  auto* const bar = new QWidget(parent);
  auto* const layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
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
  layout->addStretch(1);
  zoom_ = new ValueSlider(tr("Zoom out"), bar);
  zoom_->setObjectName(QStringLiteral("classZoom"));
  zoom_->setNameWidth(zoom_->fontMetrics().horizontalAdvance(tr("Zoom out")) + kGrid);
  zoom_->setRange({1.0, 10.0, true, false});
  zoom_->setValue(runner_->options().zoom);
  zoom_->setToolTip(tr("Side of the shown square over that of the data"));
  zoom_->setMaximumWidth(90 * kGrid);
  layout->addWidget(zoom_, 2);
  return bar;
}

void LabClassification::connectParts() {
  connect(bar_, &LabBar::playRequested, runner_, &ClassificationRunner::play);
  connect(bar_, &LabBar::pauseRequested, runner_, &ClassificationRunner::pause);
  connect(bar_, &LabBar::stepRequested, runner_, &ClassificationRunner::step);
  connect(bar_, &LabBar::resetRequested, this, [this] { runner_->restart(); });
  connect(bar_, &LabBar::speedChanged, runner_, &ClassificationRunner::setSpeed);
  connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
    runner_->setSeed(seed);
    data_->open(seed);
  });
  connect(data_, &LabClassificationData::opened, runner_, &ClassificationRunner::setData);
  connect(data_, &LabClassificationData::failed, this, &LabClassification::failed);
  connect(data_, &LabClassificationData::mapsChanged, this, [this] { runner_->redraw(false); });
  connect(data_, &LabClassificationData::pointToolChanged, this,
          [this](ClassMapPlot::PointTool tool) {
            for (ClassMapPlot* const plot : map_plots_) {
              plot->setPointTool(tool);
            }
          });
  connect(methods_, &QListWidget::itemChanged, this, &LabClassification::chooseMethods);
  connect(methods_, &QListWidget::currentRowChanged, this, &LabClassification::showMethodOptions);
  connect(options_, &OptionsForm::edited, this, &LabClassification::restartEdited);
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
  connect(table_, &CompareTable::failed, this, &LabClassification::failed);
}

void LabClassification::begin() {
  if (!begun_) {
    begun_ = true;
    chooseMethods();
    data_->open(runner_->seed());
  }
}

bool LabClassification::busy() const {
  return runner_->busy() || data_->busy();
}

const ClassMapInfo& LabClassification::chosenMap() const {
  return classMaps()[static_cast<std::size_t>(maps_->currentIndex())];
}

void LabClassification::chooseMethods() {
  std::vector<std::string> keys;
  for (int row = 0; row < methods_->count(); ++row) {
    const QListWidgetItem* const item = methods_->item(row);
    if (item->checkState() == Qt::Checked) {
      keys.push_back(item->data(Qt::UserRole).toString().toStdString());
    }
  }
  runner_->setMethods(keys);
  showMethodOptions();
}

void LabClassification::showChosenMethods() {
  const QSignalBlocker blocker(methods_);
  for (int row = 0; row < methods_->count(); ++row) {
    QListWidgetItem& item = *methods_->item(row);
    const std::string key = item.data(Qt::UserRole).toString().toStdString();
    const bool chosen = std::ranges::any_of(
        runner_->entries(),
        [&](const ClassificationRunner::Entry& one) { return one.info->key == key; });
    item.setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
  }
}

void LabClassification::showMethodOptions() {
  options_->clearFields();
  explanation_->clear();
  const QListWidgetItem* const item = methods_->currentItem();
  if (item == nullptr) {
    return;
  }
  const std::string key = item->data(Qt::UserRole).toString().toStdString();
  const ClassMethodInfo& info = *findClassMethod(key);
  explanation_->setText(QStringLiteral("%1\n\n%2")
                            .arg(QCoreApplication::translate("Labs", info.explanation),
                                 QString::fromUtf8(info.formula)));
  const auto& entries = runner_->entries();
  const auto entry = std::ranges::find(entries, key, [](const auto& one) { return one.info->key; });
  options_->setVisible(entry != entries.end());
  if (entry != entries.end()) {
    options_->setFields(entry->method->fields());
  }
}

void LabClassification::restartEdited() {
  const std::string key = methods_->currentItem()->data(Qt::UserRole).toString().toStdString();
  const auto& entries = runner_->entries();
  const auto entry = std::ranges::find(entries, key, [](const auto& one) { return one.info->key; });
  if (entry != entries.end() && options_->check() && entry->method->check()) {
    runner_->restart(static_cast<std::size_t>(entry - entries.begin()));
  }
}

void LabClassification::placePlots() {
  const std::size_t wanted = runner_->entries().size();
  while (cards_.size() > wanted) {
    cards_.back()->deleteLater();
    cards_.pop_back();
    map_plots_.pop_back();
  }
  while (cards_.size() < wanted) {
    auto* const card = new Card(QString(), plots_);
    card->setObjectName(QStringLiteral("classMapCard%1").arg(cards_.size()));
    auto* const plot = new ClassMapPlot(card);
    plot->setObjectName(QStringLiteral("classMap%1").arg(cards_.size()));
    plot->setPointTool(data_->pointTool());
    card->setContent(plot);
    connect(plot, &ClassMapPlot::failed, this, &LabClassification::failed);
    connect(plot, &ClassMapPlot::pointAdded, this, &LabClassification::addPoint);
    connect(plot, &ClassMapPlot::pointMoved, this, &LabClassification::movePoint);
    connect(plot, &ClassMapPlot::pointErased, this, &LabClassification::erasePoint);
    cards_.push_back(card);
    map_plots_.push_back(plot);
  }
  const int columns = mapColumnsOf(static_cast<int>(wanted));
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto place = static_cast<int>(i);
    grid_->addWidget(cards_[i], place / columns, place % columns);
    // Maps below and at the left share the axes; labels would cost a quarter of a small map.
    map_plots_[i]->setLabelsShown(place + columns >= static_cast<int>(wanted),
                                  place % columns == 0);
    showPlot(i);
  }
  showTable();
  showState();
}

void LabClassification::showPlot(std::size_t index) {
  const ClassificationRunner::Entry& entry = runner_->entries()[index];
  const ClassMapInfo& map = chosenMap();
  Card& card = *cards_[index];
  card.setTitle(QCoreApplication::translate("Labs", entry.info->name));
  map_plots_[index]->setValue(classMapOf(*runner_, index, map, functions_->isChecked()));
  card.setEmptyText(missingMapText(*runner_, index, map));
  setCaptions(card, *map_plots_[index], classMapCaption(*runner_, index, map));
}

void LabClassification::showAllPlots() {
  for (std::size_t i = 0; i < cards_.size(); ++i) {
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
  const QString text = !runner_->dataError().isEmpty() ? runner_->dataError()
                       : runner_->isFinished()         ? tr("All methods have finished")
                       : runner_->isPlaying()          ? tr("Working")
                                                       : tr("Paused");
  bar_->setState(runner_->isPlaying(), !runner_->isFinished() && runner_->dataError().isEmpty(),
                 text);
  bar_->setSeed(runner_->seed());
}

}  // namespace dubito
