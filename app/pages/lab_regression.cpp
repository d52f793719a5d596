// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_regression.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/pages/lab_bar.h"
#include "app/pages/lab_regression_data.h"
#include "app/pages/lab_regression_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
#include "widgets/compare_table.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kSetUpWidth = 76 * kGrid;
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
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  table_timer_.setSingleShot(true);
  table_timer_.setInterval(kTableDelay);
  connectParts();
  showState();
}

LabRegression::~LabRegression() = default;

QWidget* LabRegression::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "labSetUpCard", kSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  set_up->addHeading(tr("Data"));
  data_ = new LabRegressionData(worker_, runner_->options(), content);
  layout->addWidget(data_);
  set_up->addHeading(tr("Methods"));
  methods_ = new QListWidget(content);
  methods_->setObjectName(QStringLiteral("labMethods"));
  methods_->setAccessibleName(tr("Methods"));
  for (const RegressionMethodInfo& info : regressionMethods()) {
    auto* const item =
        new QListWidgetItem(QCoreApplication::translate("Labs", info.name), methods_);
    item->setData(Qt::UserRole, QLatin1String(info.key));
    item->setToolTip(QCoreApplication::translate("Labs", info.explanation));
    const bool first = std::ranges::find(kFirstMethods, std::string_view(info.key)) !=
                       std::ranges::end(kFirstMethods);
    item->setCheckState(first ? Qt::Checked : Qt::Unchecked);
  }
  methods_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  methods_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  methods_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustIgnored);
  methods_->setFixedHeight(methods_->sizeHintForRow(0) * methods_->count() +
                           2 * methods_->frameWidth() + kGrid);
  methods_->setCurrentRow(0);
  layout->addWidget(methods_);
  explanation_ = set_up->addText("labExplanation");
  options_ = new OptionsForm(content);
  options_->setObjectName(QStringLiteral("labMethodOptions"));
  layout->addWidget(options_);
  return set_up;
}

QWidget* LabRegression::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  bar_ = new LabBar(results);
  layout->addWidget(bar_);
  plots_ = new QWidget(results);
  grid_ = new QGridLayout(plots_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(2 * kGrid);
  layout->addWidget(plots_, 2);
  table_card_ = new Card(tr("Scores"), results);
  table_card_->setObjectName(QStringLiteral("labScoresCard"));
  table_ = new CompareTable(table_card_);
  table_->setObjectName(QStringLiteral("labScores"));
  table_card_->setContent(table_);
  layout->addWidget(table_card_, 1);
  return results;
}

void LabRegression::connectParts() {
  connect(bar_, &LabBar::playRequested, runner_, &RegressionRunner::play);
  connect(bar_, &LabBar::pauseRequested, runner_, &RegressionRunner::pause);
  connect(bar_, &LabBar::stepRequested, runner_, &RegressionRunner::step);
  connect(bar_, &LabBar::resetRequested, this, [this] { runner_->restart(); });
  connect(bar_, &LabBar::speedChanged, runner_, &RegressionRunner::setSpeed);
  connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
    runner_->setSeed(seed);
    data_->open(seed);
  });
  connect(data_, &LabRegressionData::opened, runner_, &RegressionRunner::setData);
  connect(data_, &LabRegressionData::failed, this, &LabRegression::failed);
  connect(data_, &LabRegressionData::optionsChanged, this, [this] { runner_->restart(); });
  connect(data_, &LabRegressionData::pointToolChanged, this, [this](BandPlot::PointTool tool) {
    for (BandPlot* const plot : bands_) {
      plot->setPointTool(tool);
    }
  });
  connect(methods_, &QListWidget::itemChanged, this, &LabRegression::chooseMethods);
  connect(methods_, &QListWidget::currentRowChanged, this, &LabRegression::showMethodOptions);
  connect(options_, &OptionsForm::edited, this, [this] {
    const std::string key = methods_->currentItem()->data(Qt::UserRole).toString().toStdString();
    const auto& entries = runner_->entries();
    const auto entry =
        std::ranges::find(entries, key, [](const auto& one) { return one.info->key; });
    if (entry != entries.end() && options_->check() && entry->method->check()) {
      runner_->restart(static_cast<std::size_t>(entry - entries.begin()));
    }
  });
  connect(runner_, &RegressionRunner::methodsChanged, this, &LabRegression::placePlots);
  connect(runner_, &RegressionRunner::dataChanged, this, [this] {
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      showPlot(i);
    }
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
  connect(table_, &CompareTable::failed, this, &LabRegression::failed);
}

void LabRegression::begin() {
  if (!begun_) {
    begun_ = true;
    chooseMethods();
    data_->open(runner_->seed());
  }
}

bool LabRegression::busy() const {
  return runner_->busy() || data_->busy();
}

void LabRegression::chooseMethods() {
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

void LabRegression::showChosenMethods() {
  const QSignalBlocker blocker(methods_);
  for (int row = 0; row < methods_->count(); ++row) {
    QListWidgetItem& item = *methods_->item(row);
    const std::string key = item.data(Qt::UserRole).toString().toStdString();
    const bool chosen = std::ranges::any_of(
        runner_->entries(),
        [&](const RegressionRunner::Entry& one) { return one.info->key == key; });
    item.setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
  }
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
  showChosenMethods();
  showMethodOptions();
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

void LabRegression::showMethodOptions() {
  options_->clearFields();
  explanation_->clear();
  const QListWidgetItem* const item = methods_->currentItem();
  if (item == nullptr) {
    return;
  }
  const std::string key = item->data(Qt::UserRole).toString().toStdString();
  const RegressionMethodInfo& info = *findRegressionMethod(key);
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

void LabRegression::placePlots() {
  const std::size_t wanted = runner_->entries().size();
  while (cards_.size() > wanted) {
    cards_.back()->deleteLater();
    cards_.pop_back();
    bands_.pop_back();
  }
  while (cards_.size() < wanted) {
    auto* const card = new Card(QString(), plots_);
    card->setObjectName(QStringLiteral("labPlotCard%1").arg(cards_.size()));
    auto* const plot = new BandPlot(card);
    plot->setObjectName(QStringLiteral("labPlot%1").arg(cards_.size()));
    plot->setPointTool(data_->pointTool());
    card->setContent(plot);
    connect(plot, &BandPlot::failed, this, &LabRegression::failed);
    connect(plot, &BandPlot::pointAdded, this, &LabRegression::addPoint);
    connect(plot, &BandPlot::pointMoved, this, &LabRegression::movePoint);
    connect(plot, &BandPlot::pointErased, this, &LabRegression::erasePoint);
    cards_.push_back(card);
    bands_.push_back(plot);
  }
  const int columns = columnsOf(static_cast<int>(wanted));
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto place = static_cast<int>(i);
    grid_->addWidget(cards_[i], place / columns, place % columns);
    showPlot(i);
  }
  showTable();
  showState();
}

void LabRegression::showPlot(std::size_t index) {
  const RegressionRunner::Entry& entry = runner_->entries()[index];
  Card& card = *cards_[index];
  card.setTitle(QCoreApplication::translate("Labs", entry.info->name));
  bands_[index]->setValue(bandPlotOf(*runner_, index, true));
  const auto count = static_cast<int>(bands_.size());
  // Plots below share the axis; its title would cost a tenth of a small plot.
  bands_[index]->setXTitleShown(static_cast<int>(index) + columnsOf(count) >= count);
  setCaptions(card, *bands_[index], bandCaption(*runner_, index));
}

void LabRegression::showTable() {
  table_->setValue(regressionTable(*runner_));
  table_card_->setSubtitle(regressionTableCaption(*runner_));
}

void LabRegression::showState() {
  const QString text = !runner_->dataError().isEmpty() ? runner_->dataError()
                       : runner_->isFinished()         ? tr("All methods have finished")
                       : runner_->isPlaying()          ? tr("Working")
                                                       : tr("Paused");
  bar_->setState(runner_->isPlaying(), !runner_->isFinished() && runner_->dataError().isEmpty(),
                 text);
  bar_->setSeed(runner_->seed());
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
