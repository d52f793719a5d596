// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/window_jobs.h"
#include "app/labs/lab_bar.h"
#include "app/labs/lab_method_list.h"
#include "app/labs/lab_method_values.h"
#include "app/labs/lab_point_grid.h"
#include "app/labs/lab_points.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/lab_view.h"
#include "app/labs/method_runner_base.h"
#include "app/session/history.h"
#include "core/labs/methods/method_preset.h"
#include "widgets/compare_table.h"
#include "widgets/theme.h"

namespace dubito {

/// A laboratory in which several methods learn from the same points at once, with one plot per
/// method and a table of scores. Points can be drawn and moved with the mouse.
///
/// `Runner` is a MethodRunner, `Points` a LabPointsOf its kind. A subclass builds the results,
/// calls connectParts() in its constructor, and says what is drawn.
template <class Runner, class Points, class Plot>
class LabMethodsView : public LabView {
 public:
  using Kind = typename Runner::Kind;
  using Data = typename Runner::Data;
  using Preset = typename Runner::Preset;

  void begin() override {
    if (!std::exchange(begun_, true)) {
      methods_->apply();
      points_->open(runner_->seed());
    }
  }
  [[nodiscard]] bool busy() const override { return runner_->busy() || points_->busy(); }

  [[nodiscard]] nlohmann::json setUp() const override {
    Preset preset = runner_->preset();
    if (points_->hasOwnPoints()) {
      preset.own_points = runner_->data();
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
    history_.clear();
    plane_ = ++last_plane_;
    runner_->apply(*preset);
    methods_->reload();
    points_->reloadOptions();
    showPreset(*preset);
    if (preset->own_points) {
      Data own = *preset->own_points;
      own.name = tr("Own points").toStdString();
      setOwnData(std::move(own));
    } else {
      openSource(QString::fromStdString(preset->data), preset->seed);
    }
    return {};
  }
  [[nodiscard]] nlohmann::json defaults() const override {
    Preset preset;
    for (const std::string& key : first_) {
      const auto* const info = Kind::find(key);
      preset.methods.push_back({info, info->make(), freeStyle(preset.methods)});
    }
    return Kind::toJson(preset);
  }

  void undo() override { restore(history_.undo(state())); }
  void redo() override { restore(history_.redo(state())); }

  [[nodiscard]] Runner& runner() { return *runner_; }

 protected:
  LabMethodsView(const LabParts& parts, QWidget* parent)
      : LabView(parent),
        worker_(parts.worker),
        runner_(new Runner(parts.worker, parts.jobs.threads(), this)) {
    setPlayer(*runner_);
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
    first_.assign(first.begin(), first.end());
    return set_up;
  }
  /// Adds the plots with `stretch` of the height, named `plot_name` and their number, and below
  /// them the table with `table_stretch`.
  void addPlotsAndTable(LabResults& results, const QString& plot_name, int stretch,
                        const QString& table_name, int table_stretch) {
    plots_ = new LabPointGrid<Plot>(plot_name + QStringLiteral("Card"), plot_name, &results);
    results.rows().addWidget(plots_, stretch);
    table_ = makeCard<CompareTable>(tr("Scores"), table_name);
    table_row_ = results.addRow(table_stretch);
    table_row_->addWidget(table_.card, 2);
  }

  /// The column of the results, which begins with the bar.
  [[nodiscard]] LabResults* makeResults() {
    auto* const results = new LabResults(this);
    bar_ = results->addBar(*runner_);
    return results;
  }
  void connectParts() {
    connect(bar_, &LabBar::resetRequested, this, [this] { runner_->restart(); });
    connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
      runner_->setSeed(seed);
      points_->open(seed);
    });
    connect(points_, &LabPoints::opened, this, [this] { showOpened(points_->data()); });
    connect(points_, &LabPoints::failed, this, [this](const QString& message) {
      source_ = points_->specification();
      expected_.reset();
      Q_EMIT failed(message);
    });
    connect(points_, &LabPoints::pointToolChanged, plots_, &LabPointGridBase::setPointTool);
    connect(points_, &LabPoints::clearRequested, this, [this] {
      begins_step_ = true;
      edit([this](Data& edited) {
        edited.train = {};
        forgetLabels(edited);
      });
    });
    connect(points_, &LabPoints::ownPointsRequested, this, [this] {
      if (last_own_ && !LabPoints::isOwn(source_)) {
        history_.push(state());
        restore(last_own_);
      }
    });
    connect(this, &LabView::cardsChanged, this, [this] { showAllPlots(); });
    connect(plots_, &LabPointGridBase::cardAdded, this, [this](Card* card) { adopt(*card); });
    connect(plots_, &LabPointGridBase::failed, this, &LabView::failed);
    // A drag or a stroke of the eraser is a single step, however many signals it sends.
    connect(plots_, &LabPointGridBase::strokeBegun, this, [this] { begins_step_ = true; });
    connect(plots_, &LabPointGridBase::pointAdded, this, [this](double x, double y) {
      begins_step_ = true;
      edit([&](Data& edited) { addPoint(x, y, edited); });
    });
    connect(plots_, &LabPointGridBase::pointMoved, this, [this](int index, double x, double y) {
      if (index < runner_->data().train.size()) {
        edit([&](Data& edited) { edited.train.move(index, x, y); });
      }
    });
    connect(plots_, &LabPointGridBase::pointErased, this, [this](int index) {
      if (index < runner_->data().train.size()) {
        edit([&](Data& edited) { edited.train.erase(index); });
      }
    });
    connect(plots_, &LabPointGridBase::columnsChanged, this, [this] { showAll(); });
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
  /// Shows in the head of a card that its method has ended without converging.
  void showConvergence(std::size_t index) {
    const auto& entry = runner_->entries()[index];
    const bool fails = entry.picture && entry.error.isEmpty() && entry.isFinished() &&
                       !entry.picture->diagnostics.converged;
    plots_->card(index).setFigure(fails ? tr("not converged") : QString(),
                                  fails ? labMethodNotes(entry) : QString());
  }
  /// What belongs to all plots, such as a legend.
  virtual void showCommon() {}
  [[nodiscard]] virtual CompareTableValue tableValue() const = 0;
  /// What else follows the methods at the pace of the table.
  virtual void showDetails() {}
  /// What the scores refer to.
  [[nodiscard]] virtual QString tableCaption() const = 0;
  /// Adds to a set-up what is shown of the pictures, and shows it.
  virtual void addShown(Preset& /*preset*/) const {}
  virtual void showPreset(const Preset& /*preset*/) {}
  /// Makes `edited` the user's own: what was known about the source no longer belongs to them.
  virtual void forgetSource(Data& edited) const = 0;
  /// All points are gone, and with them what their axes meant.
  virtual void forgetLabels(Data& edited) const = 0;
  virtual void addPoint(double x, double y, Data& edited) const = 0;
  /// Points are about to be drawn: the axes that are shown now stay.
  virtual void keepAxes() {}
  /// Other data are about to be shown: their axes may be others.
  virtual void releaseAxes() {}
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
  [[nodiscard]] LabMethodList& methodList() const { return *methods_; }
  [[nodiscard]] LabPointGrid<Plot>& plots() const { return *plots_; }
  [[nodiscard]] const LabCard<CompareTable>& table() const { return table_; }
  /// The row of the table, for what belongs next to it.
  [[nodiscard]] QHBoxLayout& tableRow() const { return *table_row_; }

 private:
  /// The points that are shown, so that steps can be taken back and done again.
  struct State {
    /// Specification of the data. What is computed or read is opened again from it, with the seed
    /// and the options of the day.
    QString source;
    std::optional<Data> own;  ///< points that were drawn or pasted
    int plane = 0;            ///< new for each dataset that is opened; drawing stays on it
  };

  void showAll() {
    showAllPlots();
    showTable();
    showState();
  }
  void showTable() {
    table_.content->setValue(tableValue());
    table_.card->setSubtitle(tableCaption());
    showDetails();
  }
  void showState() {
    bar_->showState({.stopped = runner_->dataError(), .finished = finishedText(*runner_)});
  }
  [[nodiscard]] State state() const {
    State state{source_, std::nullopt, plane_};
    if (LabPoints::isOwn(source_)) {
      state.own = runner_->data();
    }
    return state;
  }
  /// Changes the points that are shown; they are the user's own then.
  template <class Change>
  void edit(const Change& change) {
    if (std::exchange(begins_step_, false) && !source_.isEmpty()) {
      history_.push(state());
    }
    keepAxes();
    Data edited = ownData();
    change(edited);
    setOwnData(std::move(edited));
  }
  /// Opens data that are not the user's choice of the moment: nothing is recorded.
  void openSource(const QString& source, std::uint64_t seed) {
    source_ = source;
    expected_ = source;
    points_->choose(source, seed);
  }
  void restore(std::optional<State> state) {
    if (!state) {
      return;
    }
    begins_step_ = true;
    if (state->plane != plane_) {
      plane_ = state->plane;
      releaseAxes();
    }
    if (state->own) {
      source_ = state->source;
      last_own_ = state;
      points_->showOwnPoints(*state->own);
      runner_->setData(*state->own);
    } else {
      openSource(state->source, runner_->seed());
    }
  }
  void showOpened(const Data& opened) {
    const QString source = points_->specification();
    const bool is_expected = std::exchange(expected_, std::nullopt) == source;
    // Pasted points are others each time; a preset with another seed stays the same choice.
    if (!is_expected && (LabPoints::isOwn(source) || source != source_)) {
      if (!source_.isEmpty()) {
        history_.push(state());
      }
      plane_ = ++last_plane_;
      releaseAxes();
    }
    begins_step_ = true;
    source_ = source;
    runner_->setData(opened);
    if (LabPoints::isOwn(source_)) {
      last_own_ = state();
    }
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
    source_ = points_->specification();
    expected_.reset();
    runner_->setData(std::move(edited));
    last_own_ = state();
  }

  WorkerThread& worker_;
  Runner* runner_;
  bool begun_ = false;
  QTimer table_timer_;
  std::vector<std::string> first_;  ///< keys of the methods that are chosen at first

  History<State> history_;
  std::optional<State> last_own_;    ///< nullopt: nothing was drawn or pasted yet
  bool begins_step_ = true;          ///< the next change of a point can be taken back alone
  QString source_;                   ///< specification of the data that are shown; empty: none yet
  std::optional<QString> expected_;  ///< by openSource(), until it is opened
  int plane_ = 0;                    ///< see State
  int last_plane_ = 0;

  LabBar* bar_ = nullptr;
  Points* points_ = nullptr;
  LabMethodList* methods_ = nullptr;
  LabPointGrid<Plot>* plots_ = nullptr;
  LabCard<CompareTable> table_;
  QHBoxLayout* table_row_ = nullptr;
};

}  // namespace dubito
