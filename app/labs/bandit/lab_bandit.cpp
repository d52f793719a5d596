// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/bandit/lab_bandit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/labs/bandit/lab_bandit_values.h"
#include "app/labs/lab_bar.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/words/plot_caption.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/key_value_list.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kBanditSetUpWidth = 72 * kGrid;
constexpr int kBanditPlotHeight = 40 * kGrid;
/// Of the list of problems: asks for a file.
const QString kOpenTable = QStringLiteral("file");

/// Length and number of games that show something within a minute.
void useUsualSizes(BanditLabOptions& options) {
  options.steps = options.isWorld() ? 10'000 : 2000;
  options.seeds = options.isWorld() ? 2 : 5;
}

std::vector<std::string> usualAgents(const BanditLabOptions& options) {
  return options.isWorld() ? std::vector<std::string>{"mc-dropout", "epsilon-greedy"}
                           : BanditLabOptions().agents;
}

}  // namespace

LabBandit::LabBandit(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new BanditRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labBandit"));
  pauseWhileHidden(*runner_);
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  showOptions();
  showState();
}

LabBandit::~LabBandit() = default;

QWidget* LabBandit::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "banditSetUpCard", kBanditSetUpWidth, this);
  problems_ = set_up->addChoice(tr("Problem"), "banditProblem", problem_text_);
  addInfos(*problems_, banditProblems());
  problems_->insertSeparator(problems_->count());
  problems_->addItem(tr("Open CSV file…"), kOpenTable);
  problems_->setItemData(problems_->count() - 1, tableExplanation(), Qt::ToolTipRole);
  set_up->addHeading(tr("Agents"));
  for (const BanditAgentInfo& info : banditAgents()) {
    auto* const box = new QCheckBox(QCoreApplication::translate("Labs", info.name), set_up->body());
    box->setObjectName(QStringLiteral("banditAgent-") + QLatin1String(info.key));
    box->setToolTip(QCoreApplication::translate("Labs", info.explanation));
    set_up->rows().addWidget(box);
    agents_.push_back(box);
  }
  form_ = set_up->addForm("banditOptions");
  return set_up;
}

QWidget* LabBandit::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  notes_ = results->addText("banditNotes");
  buildPlots(*results->addRow(1));
  return results;
}

void LabBandit::buildPlots(QBoxLayout& row) {
  auto* const side = new QVBoxLayout;
  side->setSpacing(2 * kGrid);
  row.addLayout(side, 1);
  makeCard(curve_card_, curve_, {}, QStringLiteral("banditCurve"));
  curve_->setMinimumHeight(kBanditPlotHeight);
  side->addWidget(curve_card_, 1);
  makeCard(numbers_card_, numbers_, {}, QStringLiteral("banditNumbers"));
  numbers_card_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  side->addWidget(numbers_card_);
  game_card_ = new Card({}, this);
  game_card_->setObjectName(QStringLiteral("banditGameCard"));
  row.addWidget(game_card_, 1);
  games_ = new QStackedWidget(game_card_);
  pulls_ = new PullPlot(games_);
  pulls_->setObjectName(QStringLiteral("banditPulls"));
  world_ = new WorldPlot(games_);
  world_->setObjectName(QStringLiteral("banditWorld"));
  games_->addWidget(pulls_);
  games_->addWidget(world_);
  game_card_->setContent(games_);
}

void LabBandit::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, runner_, &BanditRunner::restart);
  connect(bar_, &LabBar::seedChanged, runner_, &BanditRunner::setSeed);
  connect(problems_, &QComboBox::activated, this, &LabBandit::chooseProblem);
  for (QCheckBox* const box : agents_) {
    connect(box, &QCheckBox::toggled, this, &LabBandit::changeAgents);
  }
  connect(form_, &OptionsForm::edited, this, [this] {
    if (form_->check()) {
      runner_->restart();
    }
  });
  connect(game_card_, &Card::choiceMade, this, [this](int index) {
    view_ = index;
    showChosenAgent();
  });
  for (PlotBase* const plot : std::initializer_list<PlotBase*>{pulls_, world_}) {
    connect(plot, &PlotBase::failed, this, &LabBandit::failed);
  }
  connect(runner_, &BanditRunner::pictureChanged, this, &LabBandit::showPicture);
  connect(runner_, &BanditRunner::stateChanged, this, &LabBandit::showState);
}

void LabBandit::begin() {
  if (!begun_) {
    begun_ = true;
    runner_->restart();
  }
}

nlohmann::json LabBandit::setUp() const {
  return {{"seed", runner_->seed()},
          {"options", labOptionsToJson(runner_->options())},
          {"agents", runner_->options().agents}};
}

Status LabBandit::applySetUp(const nlohmann::json& set_up) {
  const auto seed = set_up.at("seed").get<std::uint64_t>();
  BanditLabOptions options = runner_->options();
  options.agents = set_up.at("agents").get<std::vector<std::string>>();
  if (Status read = readLabOptions(set_up.at("options"), options); !read) {
    return read;
  }
  begun_ = true;
  runner_->options() = std::move(options);
  view_ = 0;
  game_card_->setChoice(view_);
  showOptions();
  runner_->setSeed(seed);
  return {};
}

void LabBandit::chooseProblem() {
  const QString chosen = problems_->currentData().toString();
  if (chosen != kOpenTable) {
    setProblem(chosen);
    return;
  }
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a table with classes"), QString(),
                                   tr("Tables (*.csv *.tsv *.txt);;All files (*)"));
  if (path.isEmpty()) {
    showOptions();
  } else {
    setProblem(QStringLiteral("csv:") + path);
  }
}

void LabBandit::setProblem(const QString& problem) {
  BanditLabOptions& options = runner_->options();
  const bool was_world = options.isWorld();
  options.problem = problem.toStdString();
  if (was_world != options.isWorld()) {
    useUsualSizes(options);
    options.agents = usualAgents(options);
  }
  view_ = 0;
  game_card_->setChoice(view_);
  showOptions();
  runner_->restart();
}

void LabBandit::showOptions() {
  BanditLabOptions& options = runner_->options();
  const QString problem = QString::fromStdString(options.problem);
  if (problems_->findData(problem) < 0) {
    problems_->insertItem(0, QFileInfo(problem.section(u':', 1)).fileName(), problem);
    problems_->setItemData(0, tableExplanation(), Qt::ToolTipRole);
  }
  problems_->setCurrentIndex(problems_->findData(problem));
  problem_text_->setText(problems_->currentData(Qt::ToolTipRole).toString());
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const std::string key = banditAgents()[i].key;
    const QSignalBlocker blocker(agents_[i]);
    agents_[i]->setVisible(!options.isWorld() || playsWorld(key));
    agents_[i]->setChecked(std::ranges::find(options.agents, key) != options.agents.end());
  }
  form_->setFields(effectiveFieldsWithout(options.fields(), {"problem"}));
}

void LabBandit::changeAgents() {
  std::vector<std::string>& chosen = runner_->options().agents;
  chosen.clear();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i]->isChecked()) {
      chosen.emplace_back(banditAgents()[i].key);
    }
  }
  runner_->restart();
}

void LabBandit::showPicture() {
  notes_->setText(banditNotes(*runner_));
  if (!runner_->picture()) {
    return;
  }
  const BanditPicture& picture = *runner_->picture();
  const QString caption = banditCaption(picture);
  curve_card_->setTitle(picture.is_world ? tr("Reward per step") : tr("Cumulative regret"));
  curve_->setCurves(banditCurves(picture));
  setCaptions(*curve_card_, *curve_, caption);
  const bool has_curve = picture.agents.front().curve.x.size() > 1;
  curve_card_->setEmptyText(has_curve ? QString() : tr("Comes with the first rounds"));
  numbers_card_->setTitle(banditNumbersTitle(picture));
  numbers_->setTitle(banditNumbersTitle(picture));
  numbers_->setValues(banditNumbers(picture));
  QStringList names;
  QStringList short_names;
  for (const BanditAgentPicture& agent : picture.agents) {
    names << QString::fromStdString(agent.name);
    short_names << QString::fromStdString(agent.short_name);
  }
  view_ = std::min(view_, static_cast<int>(names.size()) - 1);
  // Only if they change: an open list would close.
  if (shown_agents_ != names) {
    shown_agents_ = names;
    game_card_->setChoices(names, short_names);
    game_card_->setChoice(view_);
  }
  showChosenAgent();
}

void LabBandit::showChosenAgent() {
  const BanditPicture& picture = *runner_->picture();
  const BanditAgentPicture& agent = picture.agents[static_cast<std::size_t>(view_)];
  const bool has_plane = !picture.plane_names.empty();
  game_card_->setEmptyText(has_plane || picture.is_world
                               ? QString()
                               : tr("Only contexts of two numbers are drawn here"));
  if (picture.is_world) {
    games_->setCurrentWidget(world_);
    world_->setValue(worldOf(*agent.world));
    setCaptions(*game_card_, *world_, worldCaption(*agent.world));
  } else if (has_plane) {
    games_->setCurrentWidget(pulls_);
    const BanditLabOptions& options = runner_->options();
    pulls_->setValue(pullsOf(
        agent, picture, options.problem == "wheel" ? std::optional(options.delta) : std::nullopt));
    setCaptions(*game_card_, *pulls_, pullsCaption(agent));
  } else {
    game_card_->setSubtitle({});
  }
}

void LabBandit::showState() {
  bar_->showState(*runner_, {.stopped = runner_->error().isEmpty() ? QString() : tr("Stopped"),
                             .finished = tr("Games ended"),
                             .working = tr("Playing")});
}

}  // namespace dubito
