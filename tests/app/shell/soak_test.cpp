// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions on the real window, from a seed. DUBITO_SOAK_ACTIONS=10000 makes it long,
// DUBITO_SOAK_SEED chooses other actions, DUBITO_SOAK_LOG=FILE repeats the actions of a log.
#include <QTest>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "core/io/run_file.h"
#include "tests/app/shell/soak/soak.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"

namespace dubito::test {
namespace {

/// Ten thousand actions take longer than QTest lets a function run; it reads this before main.
[[maybe_unused]] const bool may_take_long = qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT") ||
                                            qputenv("QTEST_FUNCTION_TIMEOUT", "14400000");

std::vector<SoakAction> readLog(const std::string& path) {
  std::vector<SoakAction> actions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    SoakAction action;
    if (words >> action.kind >> action.choice) {
      actions.push_back(action);
    }
  }
  return actions;
}

}  // namespace

class SoakTest : public QObject {
  Q_OBJECT

 private:
  static std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
  }
  static void writeRuns(const TempDir& files) {
    const std::array<AnalysisPtr, 3> analyses = {sampleAnalysis(), sampleAnalysisWithoutDraws(),
                                                 sampleAnalysis()};
    for (std::size_t i = 0; i < analyses.size(); ++i) {
      RunContext context;
      Run run = *analyses[i]->in().run;
      run.meta.seed = i;
      QVERIFY(writeRun(run, files.file("run" + std::to_string(i) + ".npz"), context));
    }
  }

 private Q_SLOTS:
  void everyActionFindsAWindowThatLives() {
    const TempDir files;
    writeRuns(files);
    const std::uint64_t wanted = number("DUBITO_SOAK_ACTIONS", 150);
    std::mt19937_64 random(number("DUBITO_SOAK_SEED", 1));
    const char* const log = std::getenv("DUBITO_SOAK_LOG");
    Soak soak(files);
    std::vector<SoakAction> actions;
    if (log != nullptr) {
      actions = readLog(log);
    } else {
      // Every kind in turn, in a new order each time, so that none is rare.
      std::vector<std::string> kinds = soak.kinds();
      while (actions.size() < wanted) {
        std::shuffle(kinds.begin(), kinds.end(), random);
        for (const std::string& kind : kinds) {
          actions.push_back({kind, random() % 1000003});
        }
      }
      actions.resize(wanted);
    }
    std::map<std::string, int> performed;
    std::map<std::string, int> changed;
    std::ofstream written(files.file("soak.log"));
    std::string before = soak.state();
    for (const SoakAction& action : actions) {
      written << action.kind << ' ' << action.choice << std::endl;
      soak.perform(action);
      const std::string after = soak.state();
      ++performed[action.kind];
      changed[action.kind] += after != before ? 1 : 0;
      before = after;
    }
    int changes = 0;
    for (const auto& [kind, count] : performed) {
      std::printf("%-20s %6d performed, %6d changed the state\n", kind.c_str(), count,
                  changed[kind]);
      changes += changed[kind];
    }
    const double share = static_cast<double>(changes) / static_cast<double>(actions.size());
    std::printf("%zu actions, %.1f %% changed the state\n", actions.size(), 100.0 * share);
    QVERIFY(share >= 0.8);
  }

  void theLogOfASoakReplays() {
    const TempDir files;
    writeRuns(files);
    const std::uint64_t wanted = number("DUBITO_SOAK_REPLAYED", 60);
    std::vector<std::string> states;
    {
      Soak soak(files);
      std::mt19937_64 random(number("DUBITO_SOAK_SEED", 7));
      const std::vector<std::string> kinds = soak.kinds();
      std::ofstream log(files.file("soak.log"));
      for (std::uint64_t i = 0; i < wanted; ++i) {
        const SoakAction action{kinds[random() % kinds.size()], random() % 1000003};
        log << action.kind << ' ' << action.choice << '\n';
        soak.perform(action);
        states.push_back(soak.state());
      }
    }
    Soak again(files);
    const std::vector<SoakAction> actions = readLog(files.file("soak.log"));
    QCOMPARE(actions.size(), states.size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      again.perform(actions[i]);
      // The first action that ends otherwise is the one to look at.
      const std::string state = again.state();
      const auto differs = std::ranges::mismatch(state, states[i]);
      const auto before = std::min<std::ptrdiff_t>(200, differs.in1 - state.begin());
      QVERIFY2(state == states[i],
               ("action " + std::to_string(i) + ", " + actions[i].kind + ' ' +
                std::to_string(actions[i].choice) +
                "\nthen:  " + std::string(differs.in2 - before, states[i].end()).substr(0, 300) +
                "\nagain: " + std::string(differs.in1 - before, state.end()).substr(0, 300))
                   .c_str());
    }
  }
};

}  // namespace dubito::test

#include "soak_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::SoakTest)
