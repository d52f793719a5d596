// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/bandit/lab_bandit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <cmath>

#include "app/shell/page_stack.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/pull_plot.h"
#include "widgets/world_plot.h"

namespace dubito::test {

/// The bandit laboratory in the real window.
class LabBanditTest : public QObject, private LabWindow<LabBandit> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kBandit); }
  void cleanup() { closeAll(); }

  void theFirstGamesStartByThemselves() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(picture().done >= 20, kPatience);
    const CurvePlotValue& shown = curve().curves();
    QCOMPARE(shown.curves.size(), std::size_t{4});
    QVERIFY(shown.curves[0].is_band);
    QCOMPARE(shown.curves[0].intervals.size(), shown.curves[0].curve.y.size());
    QCOMPARE(pulls().value().groups.size(), std::size_t{5});
    QCOMPARE(*pulls().value().circle, 0.95);
    QCOMPARE(partOf<KeyValueList>(lab(), "banditNumbers").values().size(), std::size_t{4});
  }

  void pausedGamesWaitAndStep() {
    pauseAndReset();
    QCOMPARE(partOf<QLabel>(lab(), "labStatus").text(), "Paused");
    for (int round = 1; round <= 2; ++round) {
      button("labStep").click();
      QTRY_COMPARE_WITH_TIMEOUT(picture().done, round, kPatience);
      QTRY_VERIFY(!lab().busy());
    }
    QVERIFY(partOf<Card>(lab(), "banditCurveCard").subtitle().contains("round 2 of"));
    button("labReset").click();
    QTRY_COMPARE_WITH_TIMEOUT(picture().done, 0, kPatience);
    button("labPlay").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().done > 20, kPatience);
  }

  void numbersAreThoseOfTheCore() {
    pauseAndReset();
    runner().options().agents = {"linear", "ensemble"};
    runner().options().seeds = 2;
    partOf<QSpinBox>(lab(), "labSeed").setValue(7);
    QTRY_VERIFY_WITH_TIMEOUT(picture().agents.size() == 2 && !lab().busy(), kPatience);
    constexpr int kRounds = 13;
    for (int i = 1; i <= kRounds; ++i) {
      button("labStep").click();
      QTRY_COMPARE_WITH_TIMEOUT(picture().done, i, kPatience);
      QTRY_VERIFY(!lab().busy());
    }
    RunContext context;
    auto alone = BanditLab::start(runner().options(), 7, context);
    QVERIFY(alone);
    QVERIFY(alone->advance(kRounds, context));
    for (std::size_t a = 0; a < 2; ++a) {
      QCOMPARE(picture().agents[a].curve.y, alone->picture().agents[a].curve.y);
      QCOMPARE(curve().curves().curves[a].curve.y, alone->picture().agents[a].curve.y);
    }
  }

  void anotherAgentIsDrawn() {
    pauseAndReset();
    for (int i = 0; i < 12; ++i) {
      button("labStep").click();
      QTRY_COMPARE_WITH_TIMEOUT(picture().done, i + 1, kPatience);
      QTRY_VERIFY(!lab().busy());
    }
    Card& card = partOf<Card>(lab(), "banditGameCard");
    for (int agent = 0; agent < 4; ++agent) {
      Q_EMIT card.choiceMade(agent);
      std::size_t points = 0;
      for (std::size_t arm = 0; arm < 5; ++arm) {
        std::size_t expected = 0;
        for (const PlanePull& pull : picture().agents[static_cast<std::size_t>(agent)].pulls) {
          expected += static_cast<std::size_t>(pull.arm) == arm ? 1 : 0;
        }
        QCOMPARE(pulls().value().groups[arm].points.size(), expected);
        points += expected;
      }
      QCOMPARE(points, std::size_t{12});
    }
  }

  void agentsAreChosen() {
    pauseAndReset();
    partOf<QCheckBox>(lab(), "banditAgent-greedy").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().agents.size() == 3 && !lab().busy(), kPatience);
    partOf<QCheckBox>(lab(), "banditAgent-uniform").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().agents.size() == 4 && !lab().busy(), kPatience);
    QCOMPARE(picture().agents[3].key, std::string("uniform"));
    for (const char* name : {"laplace", "linear", "epsilon-greedy", "uniform"}) {
      partOf<QCheckBox>(lab(), (std::string("banditAgent-") + name).c_str()).click();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!runner().error().isEmpty(), kPatience);
    QVERIFY(notes().contains("choose at least one"));
    QVERIFY(!button("labPlay").isEnabled());
    partOf<QCheckBox>(lab(), "banditAgent-linear").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().agents.size() == 1 && runner().error().isEmpty(), kPatience);
    QVERIFY(button("labPlay").isEnabled());
  }

  void theSmallWorldIsDrawn() {
    QComboBox& problems = partOf<QComboBox>(lab(), "banditProblem");
    problems.setCurrentIndex(problems.findData("agent"));
    Q_EMIT problems.activated(problems.currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture() && picture().is_world && picture().done >= 20,
                             kPatience);
    button("labPlay").click();
    QTRY_VERIFY(!lab().busy());
    QVERIFY(world().isVisible());
    QVERIFY(!pulls().isVisible());
    const WorldPlotValue& shown = world().value();
    QCOMPARE(shown.eyes.size(), std::size_t{9});
    QCOMPARE(shown.good.size() + shown.bad.size(), static_cast<std::size_t>(FoodWorld::kItems));
    QCOMPARE(shown.agent.x(), picture().agents[0].world->agent.x);
    QVERIFY(!shown.trail.empty());
    QVERIFY(!partOf<QCheckBox>(lab(), "banditAgent-laplace").isVisible());
    QVERIFY(partOf<QCheckBox>(lab(), "banditAgent-mc-dropout").isVisible());
    QVERIFY(partOf<Card>(lab(), "banditGameCard").subtitle().contains("eaten"));
    QCOMPARE(partOf<Card>(lab(), "banditCurveCard").title(), "Reward per step");
  }

  void aTableIsPlayed() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("clusters.csv");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("a,b,c,kind\n1,2,3,x\n2,1,3,y\n1,3,2,x\n3,1,2,y\n");
    file.close();
    pauseAndReset();
    lab().setProblem("csv:" + path);
    QTRY_VERIFY_WITH_TIMEOUT(picture().arm_names.size() == 2 && !lab().busy(), kPatience);
    QCOMPARE(partOf<QComboBox>(lab(), "banditProblem").currentText(), "clusters.csv");
    QVERIFY(partOf<Card>(lab(), "banditGameCard").emptyText().contains("two numbers"));
    // A file that is no such table is said, and the laboratory lives on.
    lab().setProblem("csv:" + folder.filePath("missing.csv"));
    QTRY_VERIFY_WITH_TIMEOUT(notes().contains("missing.csv"), kPatience);
    lab().setProblem("wheel");
    QTRY_VERIFY_WITH_TIMEOUT(picture().arm_names.size() == 5 && runner().error().isEmpty(),
                             kPatience);
  }

  void gamesWaitWhileAnotherLaboratoryIsShown() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    BanditRunner& games = runner();
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    QVERIFY(!games.isPlaying());
    window_->pages().labs().showLaboratory(Laboratory::kBandit);
    QVERIFY(games.isPlaying());
    // What was paused by hand stays so.
    games.pause();
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    window_->pages().labs().showLaboratory(Laboratory::kBandit);
    QVERIFY(!games.isPlaying());
  }

  void gamesEnd() {
    pauseAndReset();
    runner().options().steps = 30;
    runner().options().agents = {"linear"};
    button("labReset").click();
    button("labPlay").click();
    QTRY_VERIFY_WITH_TIMEOUT(runner().isFinished() && picture().done == 30, kPatience);
    QCOMPARE(partOf<QLabel>(lab(), "labStatus").text(), "Games ended");
    QVERIFY(!button("labPlay").isEnabled());
  }

 private:
  const BanditPicture& picture() { return *runner().picture(); }
  CurvePlot& curve() { return partOf<CurvePlot>(lab(), "banditCurve"); }
  PullPlot& pulls() { return partOf<PullPlot>(lab(), "banditPulls"); }
  WorldPlot& world() { return partOf<WorldPlot>(lab(), "banditWorld"); }
  QString notes() { return partOf<QLabel>(lab(), "banditNotes").text(); }

  /// Before the first round, and nothing moves.
  void pauseAndReset() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    button("labPlay").click();
    button("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().done == 0 && !lab().busy(), kPatience);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabBanditTest)
#include "lab_bandit_test.moc"
