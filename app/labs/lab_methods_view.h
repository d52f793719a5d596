// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/labs/lab_bar.h"
#include "app/labs/lab_method_list.h"
#include "app/labs/lab_method_notes.h"
#include "app/labs/lab_point_grid.h"
#include "app/labs/lab_points.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/lab_view.h"
#include "app/labs/method_runner_base.h"
#include "widgets/compare_table.h"
#include "widgets/theme.h"

namespace dubito {

/// A laboratory in which several methods learn from the same points at once, with one plot per
/// method and a table of scores. Points can be drawn and moved with the mouse.
///
/// `Runner` is a MethodRunner. `Points` is a LabPoints for its data and options, with a signal
/// opened(data), showOwnPoints(data) and reloadOptions(). A subclass builds the results, calls
/// connectParts() in its constructor, and says what is drawn.
template <class Runner, class Points, class Plot>
class LabMethodsView : public LabView {
 public:
  using Kind = typename Runner::Kind;
  using Data = typename Runner::Data;
  using Preset = typename Runner::Preset;

  void begin() override {
    if (!begun_) {
      begun_ = true;
      methods_->apply();
      points_->open(runner_->seed());
    }
  }
  [[nodiscard]] bool busy() const override { return runner_->busy() || points_->busy(); }

  [[nodiscard]] nlohmann::json setUp() const override {
    Preset preset = runner_->preset();
    if (points_->hasOwnPoints()) {
      preset.own_points = Kind::ownPointsOf(runner_->data());
    } else {
      preset.data = points_->specification().toStdString();
    }
    addShown(preset);
    return Kind::toJson(preset);
  }
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override {
    const auto preset = Kind::fromJson(set_up);
    if (!preset) {
      return failWith(preset);
    }
    begun_ = true;
    runner_->apply(*preset);
    methods_->reload();
    points_->reloadOptions();
    showPreset(*preset);
    if (preset->own_points) {
      Data own = ownData();
      Kind::setOwnPoints(*preset->own_points, own);
      setOwnData(std::move(own));
    } else {
      points_->choose(QString::fromStdString(preset->data), preset->seed);
    }
    return {};
  }

  [[nodiscard]] Runner& runner() { return *runner_; }

 protected:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  LabMethodsView(WorkerThread& worker, int threads, QWidget* parent)
      : LabView(parent), worker_(worker), runner_(new Runner(worker, threads, this)) {
    constexpr int kTableDelay = 150;  // ms
    table_timer_.setSingleShot(true);
    table_timer_.setInterval(kTableDelay);
  }

  /// Data and methods; the names of the parts begin with `prefix`. `first`: keys of the methods
  /// that are chosen at first.
  [[nodiscard]] QWidget* buildSetUp(const QString& prefix, std::span<const char* const> first) {
    constexpr int kWidth = 78 * kGrid;
    auto* const set_up =
        new LabSetUp(tr("Set-up"), qPrintable(prefix + QStringLiteral("SetUpCard")), kWidth, this);
    set_up->addHeading(tr("Data"));
    points_ = new Points(worker_, runner_->options(), set_up->body());
    set_up->rows().addWidget(points_);
    methods_ = new LabMethodList(*set_up, *runner_, prefix, methodTexts(Kind::methods()), first);
    return set_up;
  }
  /// Adds the plots with `stretch` of the height, named `plot_name` and their number, and below
  /// them the table with `table_stretch`.
  void addPlotsAndTable(LabResults& results, const QString& plot_name, int stretch,
                        const QString& table_name, int table_stretch) {
    plots_ = new LabPointGrid<Plot>(plot_name + QStringLiteral("Card"), plot_name, &results);
    results.rows().addWidget(plots_, stretch);
    makeCard(table_card_, table_, tr("Scores"), table_name);
    results.rows().addWidget(table_card_, table_stretch);
  }

  void connectParts(LabBar& bar) {
    bar_ = &bar;
    bar.control(*runner_);
    connect(&bar, &LabBar::resetRequested, this, [this] { runner_->restart(); });
    connect(&bar, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
      runner_->setSeed(seed);
      points_->open(seed);
    });
    connect(points_, &Points::opened, runner_, &Runner::setData);
    connect(points_, &LabPoints::failed, this, &LabView::failed);
    connect(points_, &LabPoints::pointToolChanged, plots_, &LabPointGridBase::setPointTool);
    connect(points_, &LabPoints::clearRequested, this, [this] {
      Data empty = ownData();
      empty.train = {};
      setOwnData(std::move(empty));
    });
    connect(this, &LabView::cardsChanged, this, [this] { showAllPlots(); });
    connect(plots_, &LabPointGridBase::cardAdded, this, [this](Card* card) { adopt(*card); });
    connect(plots_, &LabPointGridBase::failed, this, &LabView::failed);
    connect(plots_, &LabPointGridBase::pointAdded, this, [this](double x, double y) {
      Data edited = ownData();
      addPoint(x, y, edited);
      setOwnData(std::move(edited));
    });
    connect(plots_, &LabPointGridBase::pointMoved, this, [this](int index, double x, double y) {
      Data edited = ownData();
      if (index < edited.train.size()) {
        edited.train.move(index, x, y);
        setOwnData(std::move(edited));
      }
    });
    connect(plots_, &LabPointGridBase::pointErased, this, [this](int index) {
      Data edited = ownData();
      if (index < edited.train.size()) {
        edited.train.erase(index);
        setOwnData(std::move(edited));
      }
    });
    connect(runner_, &MethodRunnerBase::methodsChanged, this, [this] {
      const std::size_t count = runner_->entries().size();
      plots_->setCount(count, columnsOf(static_cast<int>(count)));
      showAll();
    });
    connect(runner_, &MethodRunnerBase::dataChanged, this, [this] { showAll(); });
    connect(runner_, &MethodRunnerBase::pictureChanged, this, [this](int index) {
      showPlot(static_cast<std::size_t>(index));
      // The table follows the plots at a slower pace.
      if (!table_timer_.isActive()) {
        table_timer_.start();
      }
    });
    connect(runner_, &LabPlayer::stateChanged, this, [this] { showState(); });
    connect(&table_timer_, &QTimer::timeout, this, [this] { showTable(); });
    showState();
  }

  /// Columns of a grid of `count` plots.
  [[nodiscard]] virtual int columnsOf(int count) const = 0;
  virtual void showPlot(std::size_t index) = 0;
  /// What belongs to all plots, such as a legend.
  virtual void showCommon() {}
  [[nodiscard]] virtual CompareTableValue tableValue() const = 0;
  /// What the scores refer to.
  [[nodiscard]] virtual QString tableCaption() const = 0;
  /// Adds to a set-up what is shown of the pictures, and shows it.
  virtual void addShown(Preset& /*preset*/) const {}
  virtual void showPreset(const Preset& /*preset*/) {}
  /// Makes `edited` the user's own: what was known about the source no longer belongs to them.
  virtual void forgetSource(Data& edited) const = 0;
  virtual void addPoint(double x, double y, Data& edited) const = 0;
  /// Adjusts what follows from the points of `edited`.
  virtual void completeOwn(Data& /*edited*/) const {}

  void showAllPlots() {
    showCommon();
    for (std::size_t i = 0; i < plots_->count(); ++i) {
      showPlot(i);
    }
  }

  [[nodiscard]] const Runner& methodRunner() const { return *runner_; }
  [[nodiscard]] Points& points() const { return *points_; }
  [[nodiscard]] LabPointGrid<Plot>& plots() const { return *plots_; }
  [[nodiscard]] Card& tableCard() const { return *table_card_; }

 private:
  void showAll() {
    showAllPlots();
    showTable();
    showState();
  }
  void showTable() {
    table_->setValue(tableValue());
    table_card_->setSubtitle(tableCaption());
  }
  void showState() {
    bar_->showState(*runner_,
                    {.stopped = runner_->dataError(), .finished = finishedText(*runner_)});
  }
  [[nodiscard]] Data ownData() const {
    Data edited = runner_->data();
    edited.name = tr("Own points").toStdString();
    edited.test = {};
    forgetSource(edited);
    return edited;
  }
  void setOwnData(Data edited) {
    completeOwn(edited);
    points_->showOwnPoints(edited);
    runner_->setData(std::move(edited));
  }

  WorkerThread& worker_;
  Runner* runner_;
  bool begun_ = false;
  QTimer table_timer_;

  LabBar* bar_ = nullptr;
  Points* points_ = nullptr;
  LabMethodList* methods_ = nullptr;
  LabPointGrid<Plot>* plots_ = nullptr;
  Card* table_card_ = nullptr;
  CompareTable* table_ = nullptr;
};

}  // namespace dubito
