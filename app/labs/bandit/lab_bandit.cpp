// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/bandit/lab_bandit.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/labs/bandit/lab_bandit_values.h"
#include "app/labs/lab_values.h"
#include "core/base/json_integer.h"
#include "widgets/key_value_list.h"
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

const std::vector<PlaybackSpeed>& BanditExperiment::speeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One round at a time, five per second"), 0.0, 200, 1},
      {QT_TRANSLATE_NOOP("Labs", "Normal"), QT_TRANSLATE_NOOP("Labs", "Ten rounds per picture"),
       0.0, 25, 10},
      {QT_TRANSLATE_NOOP("Labs", "Fast"), QT_TRANSLATE_NOOP("Labs", "100 rounds per picture"), 0.0,
       0, 100}};
  return speeds;
}

Expected<std::shared_ptr<BanditLab>> BanditExperiment::start(std::uint64_t seed,
                                                             RunContext& context) const {
  return BanditLab::start(options, seed, context).map([](BanditLab lab) {
    return std::make_shared<BanditLab>(std::move(lab));
  });
}

LabBandit::LabBandit(const LabParts& parts, QWidget* parent) : ExperimentView(parts, parent) {
  setObjectName(QStringLiteral("labBandit"));
  pauseWhileHidden();
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connect(problems_, &QComboBox::activated, this, &LabBandit::chooseProblem);
  for (QCheckBox* const box : agents_) {
    connect(box, &QCheckBox::toggled, this, &LabBandit::changeAgents);
  }
  restartWith(*form_);
  connect(game_card_, &Card::choiceMade, this, [this](int index) {
    view_ = index;
    showChosenAgent();
  });
  connectRunner();
}

QWidget* LabBandit::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "banditSetUpCard", kBanditSetUpWidth, this);
  problems_ = set_up->addChoice(tr("Problem"), "banditProblem", banditProblems());
  problems_->insertSeparator(problems_->count());
  problems_->addItem(tr("Open CSV file…"), kOpenTable);
  problems_->setItemData(problems_->count() - 1, tableExplanation(), Qt::ToolTipRole);
  set_up->addHeading(tr("Agents"));
  for (const BanditAgentInfo& info : banditAgents()) {
    agents_.push_back(set_up->addCheck(labText(info.name),
                                       QStringLiteral("banditAgent-") + QLatin1String(info.key),
                                       labText(info.explanation)));
  }
  form_ = set_up->addForm("banditOptions");
  return set_up;
}

QWidget* LabBandit::buildResults() {
  LabResults* const results = makeResults();
  notes_ = results->addText("banditNotes");
  QHBoxLayout* const row = results->addRow(1);
  QVBoxLayout* const side = addColumn(*row, 1);
  curve_ = makeCard<CurvePlot>({}, "banditCurve");
  curve_.content->setMinimumHeight(kBanditPlotHeight);
  side->addWidget(curve_.card, 1);
  numbers_ = makeCard<KeyValueList>({}, "banditNumbers");
  numbers_.card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  side->addWidget(numbers_.card);
  game_card_ = new Card({}, this);
  game_card_->setObjectName(QStringLiteral("banditGameCard"));
  row->addWidget(game_card_, 1);
  games_ = new QStackedWidget(game_card_);
  pulls_ = makeContent<PullPlot>("banditPulls", games_);
  world_ = makeContent<WorldPlot>("banditWorld", games_);
  games_->addWidget(pulls_);
  games_->addWidget(world_);
  game_card_->setContent(games_);
  return results;
}

nlohmann::json LabBandit::setUp() const {
  nlohmann::json set_up = ExperimentView::setUp();
  set_up["agents"] = runner().options().agents;
  return set_up;
}

Status LabBandit::applySetUp(const nlohmann::json& set_up) {
  const auto seed = integerFrom<std::uint64_t>(set_up.at("seed"));
  BanditLabOptions options = runner().options();
  options.agents = set_up.at("agents").get<std::vector<std::string>>();
  Status read = readLabOptions(set_up.at("options"), options);
  if (read) {
    showFirstAgent();
    playWith(std::move(options), seed);
  }
  return read;
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
  BanditLabOptions& options = runner().options();
  const bool was_world = options.isWorld();
  options.problem = problem.toStdString();
  if (was_world != options.isWorld()) {
    useUsualSizes(options);
    options.agents = usualAgents(options);
  }
  showFirstAgent();
  showOptions();
  runner().restart();
}

void LabBandit::showOptions() {
  BanditLabOptions& options = runner().options();
  const QString problem = QString::fromStdString(options.problem);
  if (problems_->findData(problem) < 0) {
    problems_->insertItem(0, QFileInfo(problem.section(u':', 1)).fileName(), problem);
    problems_->setItemData(0, tableExplanation(), Qt::ToolTipRole);
  }
  problems_->setCurrentIndex(problems_->findData(problem));
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const std::string key = banditAgents()[i].key;
    const QSignalBlocker blocker(agents_[i]);
    agents_[i]->setVisible(!options.isWorld() || playsWorld(key));
    agents_[i]->setChecked(std::ranges::find(options.agents, key) != options.agents.end());
  }
  form_->setFields(effectiveFieldsWithout(options.fields(), {"problem"}));
}

void LabBandit::changeAgents() {
  std::vector<std::string>& chosen = runner().options().agents;
  chosen.clear();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i]->isChecked()) {
      chosen.emplace_back(banditAgents()[i].key);
    }
  }
  runner().restart();
}

void LabBandit::showPicture() {
  notes_->setText(banditNotes(runner()));
  if (!runner().picture()) {
    return;
  }
  const BanditPicture& picture = *runner().picture();
  curve_.card->setTitle(picture.is_world ? tr("Reward per step") : tr("Cumulative regret"));
  showIn(curve_, banditCurves(picture), banditCaption(picture));
  const bool has_curve = picture.agents.front().curve.x.size() > 1;
  curve_.card->setEmptyText(has_curve ? QString() : tr("Comes with the first rounds"));
  numbers_.card->setTitle(banditNumbersTitle(picture));
  numbers_.content->setTitle(banditNumbersTitle(picture));
  numbers_.content->setValues(banditNumbers(picture));
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

void LabBandit::showFirstAgent() {
  view_ = 0;
  game_card_->setChoice(view_);
}

void LabBandit::showChosenAgent() {
  const BanditPicture& picture = *runner().picture();
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
    const BanditLabOptions& options = runner().options();
    pulls_->setValue(pullsOf(
        agent, picture, options.problem == "wheel" ? std::optional(options.delta) : std::nullopt));
    setCaptions(*game_card_, *pulls_, pullsCaption(agent));
  } else {
    game_card_->setSubtitle({});
  }
}

LabBar::StateTexts LabBandit::stateTexts() const {
  return {.stopped = runner().error().isEmpty() ? QString() : tr("Stopped"),
          .finished = tr("Games ended"),
          .working = tr("Playing")};
}

}  // namespace dubito
