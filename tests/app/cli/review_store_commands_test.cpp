// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that write and read label stores, as scripts use them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "core/io/run_file.h"
#include "core/labels/label_store.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Ids = std::vector<std::int64_t>;

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

json okJson(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

std::string refused(const std::vector<std::string>& arguments, int code) {
  const auto result = cli(arguments);
  EXPECT_EQ(result.exit_code, code) << result.out << result.err;
  return result.err;
}

/// Two runs over different items, written once for this file.
struct StoreFiles {
  test::TempDir folder;
  dubito::Run run = test::randomRun(900, 4, 6.0, 1, true, false);
  std::string run_file = folder.file("run.npz");
  std::string calibration_file = folder.file("calibration.npz");
  std::string other_classes_file = folder.file("other.npz");

  StoreFiles() {
    RunContext context;
    run.meta.class_names = {"cat", "dog", "fox", "7"};
    run.meta.dataset_name = "animals";
    EXPECT_OK(writeRun(run, run_file, context));
    dubito::Run calibration = test::randomRun(1500, 4, 6.0, 2, true, false);
    calibration.meta.class_names = run.meta.class_names;
    EXPECT_OK(writeRun(calibration, calibration_file, context));
    dubito::Run other = test::randomRun(900, 4, 6.0, 3, true, false);
    other.meta.class_names = {"a", "b", "c", "d"};
    other.meta.dataset_name = "letters";
    EXPECT_OK(writeRun(other, other_classes_file, context));
  }

  static const StoreFiles& get() {
    static const StoreFiles files;
    return files;
  }
};

class CliLabels : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> autolabel() const {
    return {
        "autolabel", files_.run_file, "--calibration", files_.calibration_file, "--target", "0.95",
        "-o",        place_};
  }
  /// `review decide` with these arguments.
  [[nodiscard]] std::vector<std::string> decide(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"review", "decide", place_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  [[nodiscard]] std::vector<PresentLabel> labels() const {
    const auto store = LabelStore::open(place_, StoreMode::kReadOnly);
    EXPECT_OK(store);
    return store ? (*store)->labels().value() : std::vector<PresentLabel>();
  }
  [[nodiscard]] std::optional<PresentLabel> labelOf(std::int64_t item) const {
    const auto store = LabelStore::open(place_, StoreMode::kReadOnly);
    EXPECT_OK(store);
    return store ? (*store)->label(item).value() : std::nullopt;
  }

  const StoreFiles& files_ = StoreFiles::get();
  test::TempDir folder_;
  std::string place_ = folder_.file("a.labels");
};

TEST_F(CliLabels, QueuesShowLabelledItemsToOthers) {
  const auto queue = [&](const std::string& by, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"review", "queue", files_.run_file, "--by", by};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  ASSERT_TRUE(okJson(decide({"--item", "105", "--class", "1", "--run", files_.run_file,
                             "--annotator", "anna"}))
                  .contains("step"));
  const json asked = okJson(queue("second-opinion", {"--labels", place_, "--annotator", "ben"}));
  ASSERT_EQ(asked.at("queue").size(), 1U);
  EXPECT_EQ(asked.at("queue")[0].at("id"), 105);
  EXPECT_TRUE(okJson(queue("second-opinion", {"--labels", place_, "--annotator", "anna"}))
                  .at("queue")
                  .empty());
  EXPECT_TRUE(okJson(queue("conflicts", {"--labels", place_})).at("queue").empty());
  ASSERT_TRUE(
      okJson(decide({"--item", "105", "--class", "2", "--annotator", "ben"})).contains("step"));
  EXPECT_EQ(okJson(queue("conflicts", {"--labels", place_})).at("queue")[0].at("id"), 105);

  EXPECT_THAT(refused(queue("conflicts", {}), 2), HasSubstr("--by conflicts needs --labels"));
  EXPECT_THAT(refused(queue("entropy", {"--annotator", "ben"}), 2),
              HasSubstr("--by second-opinion"));
}

TEST_F(CliLabels, AutolabelRecordsWhatItReports) {
  const json selected = okJson({"select", files_.run_file, "--calibration", files_.calibration_file,
                                "--target", "0.95", "--delta", "0.05"});
  const json result = okJson(autolabel());
  EXPECT_EQ(result.at("labelled"), selected.at("selected"));
  EXPECT_EQ(result.at("threshold"), selected.at("threshold"));
  EXPECT_EQ(result.at("guaranteed"), true);
  EXPECT_EQ(result.at("n"), 900);
  const auto labelled = result.at("labelled").get<std::int64_t>();
  ASSERT_GT(labelled, 50);
  EXPECT_EQ(result.at("queued"), 900 - labelled);
  EXPECT_LE(result.at("bound").get<double>(), 1.0 - 0.95);
  EXPECT_GT(result.at("bound").get<double>(),
            result.at("calibration").at("upper_error_unadjusted").get<double>());
  EXPECT_DOUBLE_EQ(result.at("expected_errors").get<double>(),
                   result.at("bound").get<double>() * static_cast<double>(labelled));
  EXPECT_EQ(result.at("given"), labelled);
  EXPECT_EQ(result.at("labels"), place_);
  EXPECT_EQ(result.at("options").at("rule"), "sgr");
  EXPECT_EQ(result.at("options").at("measure"), "entropy");

  const std::vector<PresentLabel> recorded = labels();
  ASSERT_EQ(static_cast<std::int64_t>(recorded.size()), labelled);
  for (const PresentLabel& label : recorded) {
    EXPECT_EQ(label.origin, LabelOrigin::kModel);
    EXPECT_EQ(label.class_id, files_.run.predictions.data()[label.item - 100]);
  }
  // The step is one.
  const json undone = okJson(decide({"--undo"}));
  EXPECT_EQ(undone.at("undone"), result.at("step"));
  EXPECT_EQ(undone.at("items").size(), recorded.size());
  EXPECT_TRUE(labels().empty());
  EXPECT_EQ(okJson(decide({"--redo"})).at("redone"), result.at("step"));
  EXPECT_EQ(labels().size(), recorded.size());
}

TEST_F(CliLabels, AutolabelLeavesDecidedItemsAlone) {
  const json first = okJson(autolabel());
  const std::int64_t item = labels().front().item;
  const std::int64_t right = files_.run.predictions.data()[item - 100];
  const auto other = static_cast<std::int64_t>((right + 1) % 4);
  okJson(decide({"--item", std::to_string(item), "--class", files_.run.className(other),
                 "--annotator", "ben"}));
  const json second = okJson(autolabel());
  EXPECT_EQ(second.at("decided"), 1);
  EXPECT_EQ(second.at("labelled").get<std::int64_t>(),
            first.at("labelled").get<std::int64_t>() - 1);
  EXPECT_EQ(second.at("queued"), first.at("queued"));
  EXPECT_EQ(labelOf(item)->class_id, other);
  // With a stricter target, earlier labels stay and are counted.
  std::vector<std::string> strict = autolabel();
  strict[5] = "0.999";
  const json third = okJson(strict);
  EXPECT_FALSE(third.contains("threshold"));
  EXPECT_FALSE(third.contains("step"));
  EXPECT_EQ(third.at("labelled"), 0);
  EXPECT_EQ(third.at("labelled_before"), second.at("labelled"));
}

TEST_F(CliLabels, AutolabelWritesTextAndTable) {
  std::vector<std::string> arguments = autolabel();
  arguments.insert(arguments.end(), {"--csv", folder_.file("items.csv"), "--rule", "pointwise"});
  const auto result = cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("no guarantee"));
  EXPECT_THAT(result.out, HasSubstr(place_));
  std::istringstream lines(test::readBytes(folder_.path() / "items.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "id,uncertainty,labelled,prediction,label");
  std::set<std::int64_t> in_table;
  std::int64_t count = 0;
  for (; std::getline(lines, line); ++count) {
    std::istringstream fields(line);
    std::string id;
    std::string uncertainty;
    std::string labelled;
    std::getline(fields, id, ',');
    std::getline(fields, uncertainty, ',');
    std::getline(fields, labelled, ',');
    if (labelled == "1") {
      in_table.insert(std::stoll(id));
    }
  }
  EXPECT_EQ(count, 900);
  std::set<std::int64_t> in_store;
  for (const PresentLabel& label : labels()) {
    in_store.insert(label.item);
  }
  EXPECT_EQ(in_table, in_store);
}

TEST_F(CliLabels, AutolabelRefusesWhatBreaksTheGuarantee) {
  EXPECT_THAT(
      refused({"autolabel", files_.run_file, "--calibration", files_.run_file, "-o", place_}, 1),
      HasSubstr("900 of the 900 items"));
  EXPECT_FALSE(std::filesystem::exists(place_));
  const json allowed = okJson({"autolabel", files_.run_file, "--calibration", files_.run_file,
                               "--target", "0.95", "--allow-same-split", "-o", place_});
  EXPECT_EQ(allowed.at("guaranteed"), false);
  EXPECT_THAT(allowed.at("notes").dump(), HasSubstr("(allowed)"));
  // A store of other classes.
  EXPECT_THAT(refused({"autolabel", files_.other_classes_file, "--calibration",
                       files_.calibration_file, "-o", place_},
                      1),
              HasSubstr("has other class names"));
  EXPECT_EQ(cli({"autolabel", files_.run_file, "-o", place_}).exit_code, 2);
  EXPECT_EQ(cli({"autolabel", files_.run_file, "--calibration", files_.calibration_file}).exit_code,
            2);
  for (const auto& [flag, value, message] : {std::tuple("--target", "1.5", "Target is 1.5"),
                                             {"--rule", "luck", "Rule is 'luck'"},
                                             {"--measure", "luck", "Measure is 'luck'"}}) {
    std::vector<std::string> arguments = autolabel();
    arguments.insert(arguments.end(), {flag, value});
    if (std::string(flag) == "--target") {
      arguments.erase(arguments.begin() + 4, arguments.begin() + 6);
    }
    const std::string said = refused(arguments, 2);
    EXPECT_THAT(said, HasSubstr(message));
    EXPECT_THAT(said, HasSubstr(std::string("(") + flag + ")"));
  }
  std::vector<std::string> of_draws = autolabel();
  of_draws.insert(of_draws.end(), {"--measure", "variance"});
  EXPECT_THAT(refused(of_draws, 1), HasSubstr("has no variance"));
}

TEST_F(CliLabels, DecideRecordsOneDecisionAtATime) {
  const std::string item = "105";
  const std::int64_t predicted = files_.run.predictions.data()[5];
  const std::string name = files_.run.className(predicted);
  // A new store gets the classes of the run.
  const json first = okJson(
      decide({"--item", item, "--class", name, "--run", files_.run_file, "--annotator", "anna"}));
  EXPECT_EQ(first.at("action"), "accept");
  EXPECT_EQ(first.at("class"), predicted);
  EXPECT_EQ(first.at("class_name"), name);
  EXPECT_EQ(first.at("annotator"), "anna");
  EXPECT_EQ(labelOf(105)->class_id, predicted);
  EXPECT_EQ(labelOf(105)->origin, LabelOrigin::kPerson);

  // By number, as another person.
  const std::int64_t other = predicted == 0 ? 1 : 0;
  const json second =
      okJson(decide({"--item", item, "--class", std::to_string(other), "--annotator", "ben"}));
  EXPECT_EQ(second.at("action"), "correct");
  EXPECT_EQ(labelOf(105)->class_id, other);
  EXPECT_EQ(labelOf(105)->annotators, 2);
  EXPECT_TRUE(labelOf(105)->conflict);
  // The present label is the suggestion if there is no run.
  EXPECT_EQ(okJson(decide({"--item", item, "--class", std::to_string(other), "--annotator", "ben"}))
                .at("action"),
            "accept");
  EXPECT_EQ(
      okJson(decide({"--item", item, "--action", "accept", "--annotator", "carl"})).at("class"),
      other);
  // A class whose name is a number: names come first.
  EXPECT_EQ(okJson(decide({"--item", "106", "--class", "7"})).at("class"), 3);
  EXPECT_EQ(okJson(decide({"--item", "106", "--class", "3"})).at("class"), 3);

  for (const char* const action : {"not-in-classes", "ambiguous", "skip", "flag"}) {
    EXPECT_EQ(okJson(decide({"--item", "107", "--action", action})).at("action"), action);
    EXPECT_EQ(keyOf(labelOf(107)->action), action);
    EXPECT_FALSE(labelOf(107)->class_id);
  }
  const auto store = LabelStore::open(place_, StoreMode::kReadOnly);
  const auto journal = (*store)->journal().value();
  EXPECT_EQ(journal.front().decision.run, files_.run_file);
  EXPECT_EQ(journal.front().decision.probs.size(), 4U);
  EXPECT_EQ(journal.front().decision.previous_class, files_.run.labels.data()[5]);
  EXPECT_EQ(journal.at(1).decision.previous_class, predicted);
  EXPECT_EQ(journal.at(1).decision.previous_origin, LabelOrigin::kPerson);
  EXPECT_GT(journal.front().decision.time_ms, 1'600'000'000'000);
}

TEST_F(CliLabels, UndoAndRedoBelongToTheAnnotator) {
  okJson(
      decide({"--item", "100", "--class", "cat", "--run", files_.run_file, "--annotator", "anna"}));
  okJson(decide({"--item", "101", "--class", "dog", "--annotator", "anna"}));
  okJson(decide({"--item", "102", "--class", "fox", "--annotator", "ben"}));
  EXPECT_EQ(okJson(decide({"--undo", "--annotator", "anna"})).at("items"), json(Ids{101}));
  EXPECT_FALSE(labelOf(101));
  EXPECT_TRUE(labelOf(102));
  EXPECT_EQ(okJson(decide({"--redo", "--annotator", "anna"})).at("items"), json(Ids{101}));
  EXPECT_TRUE(labelOf(101));
  okJson(decide({"--undo", "--annotator", "anna"}));
  EXPECT_THAT(cli(decide({"--undo", "--annotator", "anna"})).out,
              HasSubstr("undone: 1 decision (item 100)"));
  EXPECT_EQ(labels().size(), 1U);
  EXPECT_THAT(refused(decide({"--undo", "--annotator", "anna"}), 1),
              HasSubstr("has no decision of 'anna' to be undone"));
  EXPECT_THAT(refused(decide({"--redo", "--annotator", "carl"}), 1), HasSubstr("'carl'"));
}

TEST_F(CliLabels, DecideRefusesWhatMakesNoSense) {
  EXPECT_THAT(refused(decide({"--item", "100", "--class", "cat"}), 1), HasSubstr(place_));
  EXPECT_FALSE(std::filesystem::exists(place_));
  EXPECT_THAT(refused(decide({"--item", "7", "--class", "cat", "--run", files_.run_file}), 1),
              HasSubstr("has no item 7"));
  EXPECT_FALSE(std::filesystem::exists(place_));
  okJson(decide({"--item", "100", "--class", "cat", "--run", files_.run_file}));
  EXPECT_THAT(refused(decide({"--item", "100", "--class", "cow"}), 1),
              HasSubstr("has no class 'cow'; give a name or number of 'cat', 'dog', 'fox', '7'"));
  EXPECT_THAT(refused(decide({"--item", "100", "--class", "9"}), 1), HasSubstr("no class '9'"));
  EXPECT_THAT(refused(decide({"--item", "100", "--class", "cat", "--action", "skip"}), 2),
              HasSubstr("--action skip takes no --class"));
  EXPECT_THAT(refused(decide({"--item", "101", "--action", "correct"}), 2), HasSubstr("--class"));
  EXPECT_THAT(refused(decide({"--item", "101", "--action", "accept"}), 2), HasSubstr("--class"));
  EXPECT_THAT(refused(decide({"--item", "100"}), 2), HasSubstr("--action"));
  EXPECT_THAT(refused(decide({"--class", "cat"}), 2), HasSubstr("--item"));
  EXPECT_THAT(refused(decide({"--item", "1e3", "--class", "cat"}), 2), HasSubstr("1e3"));
  EXPECT_THAT(refused(decide({"--undo", "--item", "100"}), 2),
              HasSubstr("--item has no effect here"));
  EXPECT_EQ(cli(decide({"--undo", "--redo"})).exit_code, 2);
  EXPECT_EQ(cli(decide({"--item", "100", "--action", "delete"})).exit_code, 2);
  EXPECT_EQ(labels().size(), 1U);
}

TEST_F(CliLabels, AgreementComparesAnnotators) {
  okJson(
      decide({"--item", "100", "--class", "0", "--run", files_.run_file, "--annotator", "anna"}));
  // 6 of 8 items agree: p_o = 3/4, p_e = 1/2.
  for (int i = 0; i < 8; ++i) {
    const std::string item = std::to_string(100 + i);
    okJson(decide({"--item", item, "--class", i % 2 == 0 ? "cat" : "dog", "--annotator", "anna"}));
    okJson(decide({"--item", item, "--class", (i % 2 == 0) == (i < 6) ? "cat" : "dog",
                   "--annotator", "ben"}));
  }
  okJson(decide({"--item", "200", "--class", "fox", "--annotator", "anna"}));
  const json result = okJson({"review", "agreement", place_});
  EXPECT_EQ(result.at("n"), 8);
  EXPECT_EQ(result.at("decided"), 9);
  EXPECT_EQ(result.at("annotators"), (json::array({"anna", "ben"})));
  ASSERT_EQ(result.at("cohen").size(), 1U);
  const json& pair = result.at("cohen").at("anna|ben");
  EXPECT_EQ(pair.at("n"), 8);
  EXPECT_NEAR(pair.at("value").get<double>(), 0.5, 1e-12);
  EXPECT_LT(pair.at("interval").at(0).get<double>(), 0.5);
  EXPECT_GT(pair.at("interval").at(1).get<double>(), 0.5);
  EXPECT_NEAR(result.at("fleiss").get<double>(), 0.5, 1e-12);
  const auto text = cli({"review", "agreement", place_});
  EXPECT_THAT(text.out, HasSubstr("Cohen's kappa of 'anna' and 'ben': 0.5000"));
  EXPECT_THAT(refused({"review", "agreement", folder_.file("none.labels")}, 1),
              HasSubstr("none.labels"));
}

TEST_F(CliLabels, EffectComparesGivenAndReviewedLabels) {
  // Items 0 to 9: the given labels of the first three are changed to the next class.
  for (std::int64_t i = 0; i < 10; ++i) {
    const std::int64_t given = files_.run.labels.data()[i];
    const std::int64_t chosen = i < 3 ? (given + 1) % 4 : given;
    okJson(decide({"--item", std::to_string(files_.run.ids.data()[i]), "--class",
                   files_.run.className(chosen), "--run", files_.run_file, "--annotator", "anna"}));
  }
  const json result = okJson({"review", "effect", place_, "--run", files_.run_file});
  EXPECT_EQ(result.at("n"), 900);
  EXPECT_EQ(result.at("reviewed"), 10);
  EXPECT_EQ(result.at("compared"), 10);
  EXPECT_EQ(result.at("changed"), 3);
  std::int64_t changes = 0;
  for (const json& change : result.at("changes")) {
    changes += change.at("items").get<std::int64_t>();
    EXPECT_NE(change.at("given"), change.at("reviewed"));
  }
  EXPECT_EQ(changes, 3);
  EXPECT_EQ(result.at("found").at("found").back(), 3);
  EXPECT_EQ(result.at("compared_only").at("n"), 10);
  EXPECT_EQ(result.at("shown").at("decisions"), 10);
  EXPECT_EQ(result.at("suggested").at("labels"), 10);
  EXPECT_THAT(cli({"review", "effect", place_, "--run", files_.run_file}).out,
              HasSubstr("3 of 10 given labels were changed"));
  EXPECT_THAT(refused({"review", "effect", place_, "--run", files_.other_classes_file}, 1),
              HasSubstr("class 0 is 'cat', not 'a'"));
}

TEST_F(CliLabels, QueueLeavesSettledItemsOut) {
  okJson(autolabel());
  okJson(decide({"--item", "105", "--action", "ambiguous"}));
  okJson(decide({"--item", "106", "--action", "skip"}));
  std::set<std::int64_t> settled;
  for (const PresentLabel& label : labels()) {
    if (label.item != 106) {
      settled.insert(label.item);
    }
  }
  ASSERT_TRUE(settled.contains(105));
  const json all = okJson({"review", "queue", files_.run_file});
  const json rest = okJson({"review", "queue", files_.run_file, "--labels", place_});
  Ids expected;
  for (const json& item : all.at("queue")) {
    if (!settled.contains(item.at("id").get<std::int64_t>())) {
      expected.push_back(item.at("id").get<std::int64_t>());
    }
  }
  Ids found;
  for (const json& item : rest.at("queue")) {
    found.push_back(item.at("id").get<std::int64_t>());
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(rest.at("settled"), settled.size());
  EXPECT_EQ(rest.at("labels"), place_);
  EXPECT_FALSE(all.contains("settled"));
  EXPECT_THAT(cli({"review", "queue", files_.run_file, "--labels", place_}).out,
              HasSubstr(std::to_string(settled.size()) + " already labelled"));
  EXPECT_THAT(refused({"review", "queue", files_.other_classes_file, "--labels", place_}, 1),
              HasSubstr("whose class 0 is 'cat', not 'a'"));
  EXPECT_THAT(
      refused({"review", "queue", files_.run_file, "--labels", folder_.file("no.labels")}, 1),
      HasSubstr("no.labels"));
}

TEST_F(CliLabels, AuditComparesTheModelWithPersons) {
  const auto labelled = okJson(autolabel()).at("labelled").get<std::int64_t>();
  const std::vector<std::string> audit{"review",
                                       "audit",
                                       place_,
                                       "--sample",
                                       "20",
                                       "--seed",
                                       "4",
                                       "--target",
                                       "0.5",
                                       "--csv",
                                       folder_.file("sample.csv")};
  const json before = okJson(audit);
  EXPECT_EQ(before.at("labelled"), labelled);
  ASSERT_EQ(before.at("sample").size(), 20U);
  EXPECT_EQ(before.at("open"), 20);
  EXPECT_FALSE(before.contains("precision"));
  EXPECT_EQ(before.at("promise"), "open");
  for (std::size_t i = 0; i < 20; ++i) {
    const json& item = before.at("sample")[i];
    const auto of_model = item.at("class").get<std::int64_t>();
    const std::string chosen = std::to_string(i == 0 ? (of_model + 1) % 4 : of_model);
    // The class "7" has the number 3.
    okJson(
        decide({"--item", std::to_string(item.at("id").get<std::int64_t>()), "--class", chosen}));
  }
  const json after = okJson(audit);
  EXPECT_EQ(after.at("right"), 19);
  EXPECT_EQ(after.at("wrong"), 1);
  EXPECT_DOUBLE_EQ(after.at("precision").get<double>(), 0.95);
  // Clopper and Pearson for 19 of 20.
  EXPECT_NEAR(after.at("interval").at(0).get<double>(), 0.7512671, 1e-6);
  EXPECT_NEAR(after.at("interval").at(1).get<double>(), 0.9987349, 1e-6);
  EXPECT_EQ(after.at("promise"), "kept");
  const std::string csv = test::readBytes(folder_.path() / "sample.csv");
  EXPECT_TRUE(csv.starts_with("place,id,class,outcome\n1,")) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 21);
  EXPECT_THAT(csv, HasSubstr(",wrong\n"));
  EXPECT_THAT(cli(audit).out, HasSubstr("the guarantee of 0.5 is kept"));
  EXPECT_THAT(refused({"review", "audit", place_, "--sample", "0"}, 2),
              testing::AllOf(HasSubstr("Sample is 0"), HasSubstr("(--sample)")));
}

TEST_F(CliLabels, ExportAndImportKeepTheLabels) {
  okJson(autolabel());
  okJson(decide({"--item", "105", "--class", "fox", "--annotator", "anna"}));
  okJson(decide({"--item", "106", "--class", "7", "--annotator", "ben"}));
  const std::vector<PresentLabel> before = labels();
  for (const char* const format : {"csv", "jsonl"}) {
    SCOPED_TRACE(format);
    const std::string file = folder_.file(std::string("labels.") + format);
    const std::string copy = folder_.file(std::string(format) + ".labels");
    const json exported = okJson({"review", "export", place_, "--format", format, "-o", file});
    EXPECT_GE(exported.at("exported").get<std::size_t>(), before.size());
    const json imported =
        okJson({"review", "import", copy, file, "--format", format, "--run", files_.run_file});
    EXPECT_EQ(imported.at("imported"), before.size());
    EXPECT_EQ(imported.at("by_id"), before.size());
    EXPECT_EQ(imported.at("added_classes"), json::array());
    EXPECT_EQ(imported.at("steps").size(), 3U);  // the model's, anna's and ben's
    const auto store = LabelStore::open(copy, StoreMode::kReadOnly);
    ASSERT_OK(store);
    const auto after = (*store)->labels().value();
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_EQ(after[i].item, before[i].item);
      EXPECT_EQ(after[i].class_id, before[i].class_id);
      EXPECT_EQ(after[i].origin, before[i].origin);
      EXPECT_EQ(after[i].annotator, before[i].annotator);
    }
  }
}

TEST_F(CliLabels, ImportNumbersClassesThatAreNumbersLikeARun) {
  const std::string dataset = "synthetic:blobs?n=40&seed=1&role=unlabelled";
  const std::string file = folder_.file("numbers.csv");
  const auto import = [&](const std::string& place, const std::string& first) {
    std::ofstream(file) << "id,label\n7," << first << "\n3,0\n5,2\n";
    return okJson({"review", "import", folder_.file(place), file, "--format", "csv", "--dataset",
                   dataset, "--annotator", "anna"});
  };
  const json numbered = import("numbers.labels", "3");
  EXPECT_EQ(numbered.at("added_classes"), (json{"0", "1", "2", "3"}));
  EXPECT_EQ(numbered.at("notes"), json::array());
  const auto store = LabelStore::open(folder_.file("numbers.labels"), StoreMode::kOpen);
  ASSERT_OK(store);
  EXPECT_OK((*store)->belongTo({}, std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ((*store)->label(7).value()->class_id, 3);
  EXPECT_EQ((*store)->label(5).value()->class_id, 2);

  const json named = import("names.labels", "fox");
  EXPECT_EQ(named.at("added_classes"), (json{"fox", "0", "2"}));
  EXPECT_THAT(named.at("notes").dump(), HasSubstr("with --run RUN"));
}

TEST_F(CliLabels, ExportAndImportRefuseWhatMakesNoSense) {
  okJson(autolabel());
  const std::string file = folder_.file("labels.csv");
  EXPECT_EQ(cli({"review", "export", place_, "--format", "papyrus", "-o", file}).exit_code, 2);
  EXPECT_EQ(cli({"review", "export", place_, "-o", file}).exit_code, 2);
  EXPECT_THAT(
      refused({"review", "export", folder_.file("no.labels"), "--format", "csv", "-o", file}, 1),
      HasSubstr("no.labels"));
  EXPECT_FALSE(std::filesystem::exists(file));
  okJson({"review", "export", place_, "--format", "csv", "-o", file});
  // The run names no dataset file, so that the items of the store are not known.
  EXPECT_THAT(refused({"review", "import", place_, file, "--format", "csv"}, 1),
              HasSubstr("pass --dataset SPEC or --run RUN"));
  EXPECT_THAT(refused({"review", "import", place_, file, "--format", "csv", "--verify"}, 2),
              HasSubstr("--verify has no effect here"));
  EXPECT_THAT(refused({"review", "import", place_, folder_.file("no.csv"), "--format", "csv",
                       "--run", files_.run_file},
                      1),
              HasSubstr("no.csv"));
}

}  // namespace
}  // namespace dubito
