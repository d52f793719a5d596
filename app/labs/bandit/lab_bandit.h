// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <vector>

#include "app/labs/experiment_view.h"
#include "core/labs/bandit/bandit_lab.h"

class QStackedWidget;

namespace dubito {

class KeyValueList;
class PullPlot;
class WorldPlot;

/// What BanditRunner plays. A unit of work is one round of every game.
struct BanditExperiment : LabExperiment<BanditLabOptions, BanditLab, BanditPicture> {
  static constexpr bool kKeepsPicture = true;

  /// What a round takes differs a lot, because networks are trained only every so often; so the
  /// speeds count rounds, not seconds.
  [[nodiscard]] static const std::vector<PlaybackSpeed>& speeds();
  [[nodiscard]] Expected<std::shared_ptr<Lab>> start(std::uint64_t seed, RunContext& context) const;
  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& /*pacer*/,
                                      RunContext& context) {
    return lab.advance(pace.units(), context);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return lab.picture();
  }
};
using BanditRunner = ExperimentRunner<BanditExperiment>;

/// The bandit laboratory: agents that explore contextual bandits, and a creature in a small world
/// that learns what to eat.
class LabBandit : public ExperimentView<BanditRunner> {
 public:
  explicit LabBandit(const LabParts& parts, QWidget* parent = nullptr);

  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  /// Plays another problem, given as BanditLabOptions::problem, with the agents that suit it.
  void setProblem(const QString& problem);

 protected:
  /// Shows the options and agents of the problem.
  void showOptions() override;
  void showPicture() override;
  [[nodiscard]] LabBar::StateTexts stateTexts() const override;

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void chooseProblem();
  void changeAgents();
  void showFirstAgent();
  void showChosenAgent();

  int view_ = 0;              ///< index of the agent whose game is drawn
  QStringList shown_agents_;  ///< choices of the game's card

  QComboBox* problems_;
  std::vector<QCheckBox*> agents_;  ///< one per banditAgents()
  OptionsForm* form_;
  QLabel* notes_;
  LabCard<CurvePlot> curve_;
  LabCard<KeyValueList> numbers_;
  Card* game_card_;
  QStackedWidget* games_;
  PullPlot* pulls_;
  WorldPlot* world_;
};

}  // namespace dubito
