// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "app/labs/bandit/bandit_runner.h"
#include "app/labs/lab_view.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace dubito {

class Card;
class CurvePlot;
class KeyValueList;
class LabBar;
class OptionsForm;
class PullPlot;
class WorldPlot;

/// The bandit laboratory: agents that explore contextual bandits, and a creature in a small world
/// that learns what to eat.
class LabBandit : public LabView {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads the games may use.
  LabBandit(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabBandit() override;

  void begin() override;
  [[nodiscard]] bool busy() const override { return runner_->busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] BanditRunner& runner() { return *runner_; }
  /// Plays another problem, given as BanditLabOptions::problem, with the agents that suit it.
  void setProblem(const QString& problem);

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void buildPlots(QBoxLayout& row);
  void connectParts();
  void chooseProblem();
  /// Shows the options and agents of the problem.
  void showOptions();
  void changeAgents();
  void showPicture();
  void showChosenAgent();
  void showState();

  BanditRunner* runner_;
  bool begun_ = false;
  int view_ = 0;              ///< index of the agent whose game is drawn
  QStringList shown_agents_;  ///< choices of the game's card

  QComboBox* problems_;
  QLabel* problem_text_;
  std::vector<QCheckBox*> agents_;  ///< one per banditAgents()
  OptionsForm* form_;
  LabBar* bar_;
  QLabel* notes_;
  Card* curve_card_;
  CurvePlot* curve_;
  Card* numbers_card_;
  KeyValueList* numbers_;
  Card* game_card_;
  QStackedWidget* games_;
  PullPlot* pulls_;
  WorldPlot* world_;
};

}  // namespace dubito
