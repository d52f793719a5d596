// SPDX-License-Identifier: GPL-3.0-or-later
// Whole studies of small synthetic sets.
#include "core/study/study_run.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/io/run_file.h"
#include "core/metrics/evaluation.h"
#include "core/study/study_folder.h"
#include "core/study/study_inputs.h"
#include "core/study/study_notes.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

StudySpec specOf(const json& study) {
  auto spec = parseStudy(study.dump(1), "s.json");
  EXPECT_OK(spec);
  return spec.value_or(StudySpec());
}

RunContext oneThread() {
  RunContext context;
  context.threads = 1;
  return context;
}

Expected<StudyReport> runIn(const std::string& folder, const json& study, bool resume,
                            RunContext context = oneThread()) {
  return runStudy(specOf(study), {.folder = folder, .resume = resume}, {}, context);
}

/// Everything in a run but times and the folder of the study.
std::string contentOf(const fs::path& path) {
  RunContext context;
  const auto run = readRun(path.string(), context);
  EXPECT_OK(run);
  if (!run) {
    return {};
  }
  json meta = toJson(run->meta);
  meta.erase("timings");
  meta["model_path"] = fs::path(run->meta.model_path).filename().string();
  std::string text = meta.dump();
  std::visit(
      [&text](const auto& probs) {
        text.append(reinterpret_cast<const char*>(probs.data()),
                    static_cast<std::size_t>(probs.size()) * sizeof(probs.data()[0]));
      },
      *run->probs);
  for (const auto* const measure : {&run->entropy, &run->mutual_information}) {
    if (*measure) {
      text.append(reinterpret_cast<const char*>((*measure)->data()),
                  static_cast<std::size_t>(run->itemCount()) * sizeof(double));
    }
  }
  return text;
}

/// Contents of all files that a study leaves, by path.
std::map<std::string, std::string> filesOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = entry.path().extension() == ".npz"
                                                               ? contentOf(entry.path())
                                                               : test::readBytes(entry.path());
    }
  }
  return files;
}

/// Which files differ, in words.
std::string differenceOf(const std::map<std::string, std::string>& files,
                         const std::map<std::string, std::string>& expected) {
  std::string names;
  for (const auto& [name, content] : expected) {
    const auto found = files.find(name);
    if (found == files.end() || found->second != content) {
      names += (found == files.end() ? "missing " : "different ") + name + "; ";
    }
  }
  for (const auto& [name, content] : files) {
    names += expected.contains(name) ? "" : "unexpected " + name + "; ";
  }
  return names;
}

/// A study that is half as long.
json shortStudy() {
  json study = test::tinyStudy();
  study["methods"].erase(5);
  study["targets"].erase(1);
  return study;
}

TEST(StudyRun, SecondTimeThereIsNothingToDo) {
  const test::TempDir folder;
  const std::string place = folder.file("study");
  const auto first = runIn(place, test::tinyStudy(), false);
  ASSERT_OK(first);
  EXPECT_EQ(first->counts.kept, 0);
  // Seeds 1 and 2 of both, and 3 for the ensemble of seed 2.
  EXPECT_EQ(first->counts.trained, 5);
  EXPECT_TRUE(first->failures.empty());
  EXPECT_EQ(first->results.cells.size(), 16U);
  const auto files = filesOf(place);
  // And the study file.
  EXPECT_EQ(static_cast<std::int64_t>(files.size()), first->files + std::ssize(first->written) + 1);
  EXPECT_EQ(json::parse(test::readBytes(fs::path(place) / "study.json")), test::tinyStudy());

  const auto refused = runIn(place, test::tinyStudy(), false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has results; resume the study, or use another"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("resume")));

  const auto second = runIn(place, test::tinyStudy(), true);
  ASSERT_OK(second);
  EXPECT_EQ(second->counts.kept, first->files);
  EXPECT_EQ(second->counts.trained + second->counts.predicted + second->counts.evaluated, 0);
  EXPECT_EQ(differenceOf(filesOf(place), files), "");
}

TEST(StudyRun, DamagedResultsAreComputedAgain) {
  const test::TempDir folder;
  const std::string place = folder.file("study");
  json study = shortStudy();
  study["retraining"] = {{"rows", {"plain/map"}}};
  ASSERT_OK(runIn(place, study, false));
  const auto files = filesOf(place);
  std::int64_t damaged = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(place) / "runs")) {
    std::string bytes = test::readBytes(entry.path());
    if (entry.path().extension() != ".json") {
      continue;
    }
    // A digit of some number: still JSON, with another value.
    const std::size_t digit = bytes.find("0.");
    ASSERT_NE(digit, std::string::npos) << entry.path();
    bytes[digit + 2] = bytes[digit + 2] == '4' ? '3' : '4';
    test::writeBytes(entry.path(), bytes);
    ++damaged;
  }
  ASSERT_GT(damaged, 4);
  const auto again = runIn(place, study, true);
  ASSERT_OK(again);
  EXPECT_TRUE(again->failures.empty());
  EXPECT_EQ(again->counts.recomputed, damaged);
  EXPECT_EQ(again->counts.predicted + again->counts.trained, 0);
  EXPECT_EQ(differenceOf(filesOf(place), files), "");
}

TEST(StudyRun, AChangeAffectsOnlyWhatDependsOnIt) {
  const test::TempDir folder;
  const std::string place = folder.file("study");
  json study = test::tinyStudy();
  const auto first = runIn(place, study, false);
  ASSERT_OK(first);
  const auto changed = [&](const char* pointer, const json& value) {
    json other = study;
    other[json::json_pointer(pointer)] = value;
    auto report = runIn(place, other, true);
    EXPECT_OK(report);
    EXPECT_TRUE(!report || report->failures.empty());
    return report ? report->counts : StudyCounts();
  };
  // Five draws on one network: two seeds, five sets each (two targets, OOD, both for labelling).
  StudyCounts counts = changed("/methods/3/options/draws", 6);
  EXPECT_EQ(counts.trained, 0);
  EXPECT_EQ(counts.predicted, 10);
  EXPECT_EQ(counts.evaluated, 4);
  EXPECT_TRUE(fs::exists(fs::path(place) / "earlier"));
  // Back again: what was moved away is found.
  counts = changed("/methods/3/options/draws", 5);
  EXPECT_EQ(counts.predicted + counts.evaluated, 0);
  EXPECT_EQ(counts.kept, first->files);
  // Bins of the evaluation: no run.
  counts = changed("/evaluation", {{"bins", 7}});
  EXPECT_EQ(counts.trained + counts.predicted, 0);
  EXPECT_EQ(counts.evaluated, 32);
  // Another adaptation set: the temperature fitted on it, and runs over it.
  counts = changed("/adaptation", "synthetic:blobs?blobs=4&n=70&seed=3&corrupt=noise:1");
  EXPECT_EQ(counts.trained, 0);
  // Per seed: four runs of the temperature on target and its run over the set itself; one over the
  // set for each of the other rows: 2 map, 2 temperature, dropout, laplace, ensemble, and the map
  // of the third seed for the ensemble.
  EXPECT_EQ(counts.predicted, 2 * (5 + 7) + 1);
  EXPECT_EQ(counts.evaluated, 4);
  // A network: everything of it.
  counts = changed("/networks/1/train/drop_rate", 0.4);
  EXPECT_EQ(counts.trained, 2);
  EXPECT_EQ(counts.evaluated, 12);
}

TEST(StudyRun, AllLayersAreTrainedAgainWithTheSameResult) {
  const test::TempDir folder;
  json study = shortStudy();
  study["retraining"] = {{"rows", {"plain/map"}}, {"layers", "all"}, {"epochs", 2}, {"budget", 20}};
  const auto first = runIn(folder.file("first"), study, false);
  ASSERT_OK(first);
  EXPECT_TRUE(first->failures.empty());
  ASSERT_OK(runIn(folder.file("second"), study, false));
  EXPECT_EQ(differenceOf(filesOf(folder.file("second")), filesOf(folder.file("first"))), "");
  const auto cell = std::ranges::find_if(
      first->results.cells, [](const StudyCell& one) { return !one.retraining.empty(); });
  ASSERT_NE(cell, first->results.cells.end());
  EXPECT_EQ(cell->retraining.front().labels.mean, 20.0);
  // The last layer alone is another result of the same networks.
  study["retraining"] = {{"rows", {"plain/map"}}};
  const auto last = runIn(folder.file("first"), study, true);
  ASSERT_OK(last);
  EXPECT_EQ(last->counts.trained + last->counts.predicted + last->counts.evaluated, 0);
  EXPECT_EQ(last->counts.kept + 2, last->files);
}

TEST(StudyRun, TrainsNothingTwiceForEnsembles) {
  json study = test::tinyStudy();
  study["seeds"] = {1, 2, 3, 4};
  study["methods"][4]["members"] = 3;
  const StudySpec spec = specOf(study);
  RunContext context = oneThread();
  const auto inputs = openStudy(spec, context);
  ASSERT_OK(inputs);
  const StudyPlan plan = planStudy(spec, *inputs, "runs", context);
  std::set<std::pair<std::size_t, std::uint64_t>> networks;
  for (const NetworkTask& task : plan.networks) {
    EXPECT_TRUE(networks.insert({task.network, task.seed}).second);
  }
  EXPECT_EQ(networks.size(), 6U + 4U);  // plain: 1..6
  std::set<std::string> paths;
  for (const std::string& name : plan.fileNames()) {
    EXPECT_TRUE(paths.insert(name).second) << name;
  }
  for (const RunTask& task : plan.runs) {
    for (std::size_t j = 0; j < task.members.size(); ++j) {
      EXPECT_EQ(plan.runs[task.members[j]].seed, task.seed + j);
      EXPECT_EQ(plan.runs[task.members[j]].set, task.set);
    }
  }
}

TEST(StudyRun, EachRowIsRetrainedOnItsOwnNetwork) {
  const test::TempDir folder;
  json study = shortStudy();
  // Steps so small that the network stays what it was.
  study["retraining"] = {{"rows", {"plain/map", "fixed/map"}},
                         {"layers", "all"},
                         {"epochs", 1},
                         {"learning_rate", 1e-8}};
  ASSERT_OK(runIn(folder.file("study"), study, false));
  std::set<double> before;
  for (const auto& [name, content] : filesOf(folder.file("study"))) {
    if (name.ends_with(".retraining.json")) {
      const json result = json::parse(content).at("results").at(0);
      EXPECT_GT(result.at("labels"), 0);
      EXPECT_EQ(result.at("automatic"), result.at("before")) << name;
      before.insert(result.at("before").get<double>());
    }
  }
  EXPECT_GT(before.size(), 1U);  // networks differ
}

TEST(StudyRun, TheGridChoosesTheLowestNll) {
  const test::TempDir folder;
  json study = shortStudy();
  const auto laplaceRow = [](const char* name) {
    return json{{"name", name}, {"network", "plain"}, {"method", "laplace"}};
  };
  study["methods"] = {laplaceRow("low"), laplaceRow("high"), laplaceRow("chosen")};
  study["methods"][0]["options"] = {{"tau", 0.01}};
  study["methods"][1]["options"] = {{"tau", 100}};
  study["methods"][2]["grid"] = {{"tau", {0.01, 100}}};
  study.erase("baseline");
  study.erase("retraining");
  ASSERT_OK(runIn(folder.file("study"), study, false));
  const StudySpec spec = specOf(study);
  RunContext context = oneThread();
  const auto inputs = openStudy(spec, context);
  ASSERT_OK(inputs);
  const StudyPlan plan =
      planStudy(spec, *inputs, (fs::path(folder.file("study")) / "runs").string(), context);
  const auto nllOf = [&](std::size_t row, std::size_t seed) {
    const auto task = std::ranges::find_if(plan.evaluations, [&](const EvaluationTask& one) {
      return one.row == row && one.seed_index == seed;
    });
    const auto run = readRun(plan.runs[*task->validation].path, context);
    EXPECT_OK(run);
    const auto evaluation = evaluate(*run, {}, {}, context);
    EXPECT_OK(evaluation);
    return evaluation->nll.value_or(-1.0);
  };
  for (const std::size_t seed : {0U, 1U}) {
    const double low = nllOf(0, seed);
    const double high = nllOf(1, seed);
    ASSERT_NE(low, high);
    EXPECT_EQ(nllOf(2, seed), std::min(low, high));
  }
}

TEST(StudyRun, AnUndeterminedTemperatureKeepsTheNetworkAndSaysSoEverywhere) {
  const test::TempDir folder;
  json study = shortStudy();
  study.erase("retraining");
  study.erase("labelling");
  // Blobs so far apart that every validation item is right; the target has wrong ones.
  study["source"] = "synthetic:blobs?blobs=4&n=400&seed=1&noise=0.05";
  study["validation"] = "synthetic:blobs?blobs=4&n=160&seed=2&noise=0.05";
  study["adaptation"] = "synthetic:blobs?blobs=4&n=80&seed=3&noise=0.05";
  study["networks"] = {
      {{"name", "plain"}, {"train", {{"architecture", "mlp"}, {"epochs", 30}, {"drop_rate", 0}}}}};
  study["methods"] = {{{"name", "map"}, {"network", "plain"}, {"method", "map"}},
                      {{"name", "temperature"}, {"network", "plain"}, {"method", "temperature"}}};
  const auto report = runIn(folder.file("study"), study, false);
  ASSERT_OK(report);
  ASSERT_TRUE(report->failures.empty());
  ASSERT_EQ(report->results.cells.size(), 2U);
  const std::size_t nll = studyColumnIndex("nll");
  const StudyCell& map = report->results.cells[0];
  const StudyCell& scaled = report->results.cells[1];
  EXPECT_NEAR(scaled.columns[nll].mean, map.columns[nll].mean, 1e-6);
  const std::string sentence = "Temperature 1, not fitted: 160 items do not determine it";
  ASSERT_EQ(scaled.runs.size(), 2U);
  for (const StudyCellRuns& runs : scaled.runs) {
    EXPECT_TRUE(std::ranges::any_of(textsOf(runs.notes), [&](const std::string& note) {
      return note.find(sentence) != std::string::npos;
    }));
  }
  // In the tables and the report, and in the folder that is read again.
  for (const char* const file : {"table.csv", "table.json", "report.html"}) {
    EXPECT_THAT(test::readBytes(fs::path(folder.file("study")) / file), HasSubstr(sentence));
  }
  const auto read = readStudyFolder(folder.file("study"));
  ASSERT_OK(read);
  const std::vector<std::string> notes = textsOf(notesOfRuns(*read));
  EXPECT_TRUE(std::ranges::any_of(notes, [&](const std::string& note) {
    return note.rfind("plain/temperature", 0) == 0 && note.find(sentence) != std::string::npos;
  }));
}

TEST(StudyRun, ACancelAtAnyMomentLosesNothing) {
  const test::TempDir folder;
  const json study = shortStudy();
  ASSERT_OK(runIn(folder.file("whole"), study, false));
  const auto expected = filesOf(folder.file("whole"));
  // Cancels at the n-th report of progress, more often at the beginning; every call continues.
  int calls = 0;
  for (int after = 1; after < 2000; after += 1 + after / 2) {
    const std::string place = folder.file("cut" + std::to_string(after));
    RunContext context(std::make_shared<RunControl>());
    context.threads = 1;
    int reports = 0;
    context.on_progress = [&, control = context.control()](const Progress&) {
      if (++reports >= after) {
        control->requestCancel();
      }
    };
    const auto cut = runIn(place, study, false, context);
    if (cut) {
      break;
    }
    ++calls;
    EXPECT_EQ(cut.error().code, ErrorCode::kCancelled);
    ASSERT_OK(runIn(place, study, true));
    EXPECT_EQ(differenceOf(filesOf(place), expected), "") << after;
  }
  EXPECT_GT(calls, 5);
}

TEST(StudyRun, ADamagedRunIsComputedAgain) {
  const test::TempDir folder;
  const std::string place = folder.file("study");
  const json study = shortStudy();
  ASSERT_OK(runIn(place, study, false));
  const auto files = filesOf(place);
  for (const auto& [name, content] : files) {
    if (name.find("plain.map.clean.seed1") != std::string::npos && name.ends_with(".npz")) {
      const std::string whole = test::readBytes(fs::path(place) / name);
      test::writeBytes(fs::path(place) / name, whole.substr(0, whole.size() / 2));
    } else if (name.ends_with(".evaluation.json")) {
      fs::remove(fs::path(place) / name);
    }
  }
  const auto repaired = runIn(place, study, true);
  ASSERT_OK(repaired);
  EXPECT_EQ(repaired->counts.recomputed, 1);
  EXPECT_EQ(differenceOf(filesOf(place), files), "");
}

TEST(StudyRun, AFailureStopsNothingElse) {
  const test::TempDir folder;
  json study = shortStudy();
  // Points of the plane fit no LeNet.
  study["networks"][1]["train"] = {{"architecture", "lenet"}, {"epochs", 1}};
  const auto report = runIn(folder.file("study"), study, false);
  ASSERT_OK(report);
  EXPECT_EQ(report->failures.size(), 2U);  // one per seed
  EXPECT_EQ(report->failures.front().what, "fixed, seed 1");
  EXPECT_EQ(report->counts.left_out, 6);  // map, temperature, dropout
  EXPECT_EQ(report->results.cells.size(), 4U);
  const json table = json::parse(test::readBytes(fs::path(folder.file("study")) / "table.json"));
  EXPECT_EQ(table.at("failures").size(), 2U);
}

}  // namespace
}  // namespace dubito
