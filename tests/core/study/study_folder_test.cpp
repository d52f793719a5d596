// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of finished studies, read again.
#include "core/study/study_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/run_file.h"
#include "core/study/study_run.h"
#include "tests/core/study/sample_study.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Expected<StudyReport> runIn(const std::string& folder, const json& study, bool resume) {
  const auto spec = parseStudy(study.dump(1), "s.json");
  EXPECT_OK(spec);
  RunContext context;
  context.threads = 1;
  return runStudy(*spec, {.folder = folder, .resume = resume}, {}, context);
}

class StudyFolderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TempDir;
    const auto report = runIn(place(), test::tinyStudy(), false);
    ASSERT_OK(report);
    results_ = new StudyResults(report->results);
    table_ = new json(json::parse(test::readBytes(fs::path(place()) / "table.json")));
    EXPECT_EQ(table_->erase("checksum"), 1U) << "which would not fit what tests change";
  }
  static void TearDownTestSuite() {
    delete table_;
    delete results_;
    delete folder_;
  }

  static std::string place() { return folder_->file("study"); }
  /// The error of reading `table` as table.json.
  static Error errorOf(const json& table) {
    const test::TempDir folder;
    test::writeBytes(folder.path() / "table.json", table.dump(1));
    const auto study = readStudyFolder(folder.path().string());
    EXPECT_FALSE(study);
    return study ? Error{} : study.error();
  }

  static test::TempDir* folder_;
  static StudyResults* results_;
  static json* table_;
};
test::TempDir* StudyFolderTest::folder_ = nullptr;
StudyResults* StudyFolderTest::results_ = nullptr;
json* StudyFolderTest::table_ = nullptr;

bool isSame(const SeedStatistics& a, const SeedStatistics& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.n == b.n && same(a.mean, b.mean) && same(a.std_dev, b.std_dev);
}

TEST_F(StudyFolderTest, SaysWhatWasComputed) {
  const auto study = readStudyFolder(place());
  ASSERT_OK(study);
  EXPECT_EQ(study->path, place());
  EXPECT_EQ(study->name, "Blobs that move");
  EXPECT_EQ(study->seeds, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(study->baseline, "plain/map");
  EXPECT_EQ(study->score_misclassified, "confidence");
  EXPECT_EQ(study->score_ood, "entropy");
  EXPECT_EQ(study->ood, std::vector<std::string>{"moons"});
  EXPECT_EQ(study->bins, 15);
  EXPECT_EQ(study->replicates, 200);
  EXPECT_EQ(study->figure_seed, 1U);
  ASSERT_EQ(study->targets.size(), 2U);
  EXPECT_EQ(study->targets[1].name, "noise 1");
  EXPECT_EQ(study->targets[1].shifts, std::vector<std::string>{"noise"});
  EXPECT_EQ(study->targets[1].severity, 1.0);
  ASSERT_EQ(study->rows.size(), 8U);
  EXPECT_EQ(study->rows[6].name(), "plain/ensemble");
  EXPECT_EQ(study->rows[6].methodText(), "ensemble (2 members)");
  EXPECT_EQ(study->rows[0].methodText(), "map");
  ASSERT_TRUE(study->labelling);
  EXPECT_EQ(study->labelling->measure, "confidence");
  EXPECT_EQ(study->labelling->guarantees, (std::vector<double>{0.5, 0.95}));
  ASSERT_TRUE(study->retraining);
  EXPECT_EQ(study->retraining->layers, "last");
  EXPECT_FALSE(study->retraining->budget);
  EXPECT_EQ(study->notes.size(), 2U);
  // Notes of runs come with their cells.
  for (const StudyCell& expected : results_->cells) {
    const StudyCell* const cell = study->cellAt(expected.row, expected.target);
    ASSERT_NE(cell, nullptr);
    for (std::size_t i = 0; i < expected.runs.size(); ++i) {
      EXPECT_EQ(cell->runs[i].notes, expected.runs[i].notes);
    }
  }
  EXPECT_TRUE(study->failures.empty());
}

TEST(StudyFolderFile, KeepsLayersAndBudgetOfRetraining) {
  const test::TempDir dir;
  test::writeSampleStudy(dir.file("s"));
  const auto study = readStudyFolder(dir.file("s"));
  ASSERT_OK(study);
  ASSERT_TRUE(study->retraining);
  EXPECT_EQ(study->retraining->layers, "all");
  EXPECT_EQ(study->retraining->budget, 100);
}

/// The notes of the first runs of a study of this table.
std::vector<Note> notesOfTable(const json& table) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "table.json", table.dump(1));
  const auto study = readStudyFolder(folder.path().string());
  EXPECT_OK(study);
  return study ? study->results.cells.at(0).runs.at(0).notes : std::vector<Note>();
}

TEST(StudyFolderFile, KeepsKindsOfNotes) {
  const test::TempDir folder;
  StudyFolder study = test::sampleStudy(folder.file("s"));
  const std::vector<Note> notes{
      "A file was skipped.",
      takenFrom("KMNIST", {NoteKind::kGuessedPreprocessing,
                           "The preprocessing is guessed (value range): x / 255; if the model was "
                           "trained with different values, its results are wrong",
                           {"value range"},
                           "set the correct values in its metadata"})};
  study.results.cells.at(0).runs.at(0).notes = notes;
  json table = toJson(study);
  EXPECT_EQ(notesOfTable(table), notes);
  json& runs = table.at("rows").at(0).at("runs").at(0);
  EXPECT_EQ(runs.at("notes"), json(textsOf(notes)));
  runs.at("note_kinds").at(0)["note"] = 2;
  test::writeBytes(folder.path() / "table.json", table.dump(1));
  const auto damaged = readStudyFolder(folder.path().string());
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("note_kinds: does not fit the notes"));
  // Of an earlier version.
  ASSERT_EQ(runs.erase("note_kinds"), 1U);
  EXPECT_EQ(notesOfTable(table), notes);
}

TEST_F(StudyFolderTest, CellsAreThoseOfTheResults) {
  const auto study = readStudyFolder(place() + "/table.json");
  ASSERT_OK(study);
  ASSERT_EQ(study->results.cells.size(), results_->cells.size());
  for (const StudyCell& expected : results_->cells) {
    SCOPED_TRACE(study->rows[expected.row].name() + " on " + study->targets[expected.target].name);
    const StudyCell* const cell = study->cellAt(expected.row, expected.target);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->seeds, expected.seeds);
    EXPECT_TRUE(std::ranges::equal(cell->columns, expected.columns, isSame));
    ASSERT_EQ(cell->differences.size(), expected.differences.size());
    for (std::size_t i = 0; i < expected.differences.size(); ++i) {
      EXPECT_EQ(cell->differences[i].mean, expected.differences[i].mean);
      EXPECT_EQ(cell->differences[i].interval.low, expected.differences[i].interval.low);
      EXPECT_EQ(cell->differences[i].interval.high, expected.differences[i].interval.high);
      EXPECT_EQ(cell->differences[i].p, expected.differences[i].p);
    }
    ASSERT_EQ(cell->labelling.size(), 8U);  // four rules, two guarantees
    for (std::size_t i = 0; i < expected.labelling.size(); ++i) {
      EXPECT_EQ(cell->labelling[i].rule, expected.labelling[i].rule);
      EXPECT_EQ(cell->labelling[i].guaranteed, expected.labelling[i].guaranteed);
      EXPECT_TRUE(isSame(cell->labelling[i].share, expected.labelling[i].share));
      EXPECT_TRUE(isSame(cell->labelling[i].kept, expected.labelling[i].kept));
      EXPECT_EQ(cell->labelling[i].effective_items, expected.labelling[i].effective_items);
    }
    ASSERT_EQ(cell->retraining.size(), expected.retraining.size());
    for (std::size_t i = 0; i < expected.retraining.size(); ++i) {
      EXPECT_EQ(cell->retraining[i].rule, expected.retraining[i].rule);
      EXPECT_TRUE(isSame(cell->retraining[i].labels, expected.retraining[i].labels));
      EXPECT_TRUE(isSame(cell->retraining[i].before, expected.retraining[i].before));
      EXPECT_TRUE(isSame(cell->retraining[i].uncertain, expected.retraining[i].uncertain));
    }
  }
  EXPECT_EQ(study->cellAt(0, 0)->retraining.size(), 4U);  // two rules, two guarantees
}

TEST_F(StudyFolderTest, WritingItAgainGivesTheSame) {
  const auto study = readStudyFolder(place());
  ASSERT_OK(study);
  json again = toJson(*study);
  json expected = *table_;
  for (json* const table : {&again, &expected}) {
    for (json& row : table->at("rows")) {
      row.erase("metrics");
    }
  }
  EXPECT_EQ(json::diff(again, expected).dump(), "[]");
}

TEST_F(StudyFolderTest, NamesTheRunsBehindEachNumber) {
  const auto study = readStudyFolder(place());
  ASSERT_OK(study);
  RunContext context;
  for (const StudyCell& cell : study->results.cells) {
    ASSERT_EQ(cell.runs.size(), 2U);
    double right = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(cell.runs[i].seed, study->seeds[i]);
      ASSERT_EQ(cell.runs[i].ood.size(), 1U);
      const auto run = readRun(cell.runs[i].target, context);
      const auto ood = readRun(cell.runs[i].ood.front(), context);
      ASSERT_OK(run);
      ASSERT_OK(ood);
      EXPECT_EQ(ood->itemCount(), 100);
      for (std::int64_t item = 0; item < run->itemCount(); ++item) {
        right += run->labels.data()[item] == run->predictions.data()[item] ? 1.0 : 0.0;
      }
    }
    EXPECT_NEAR(right / 300.0, cell.columns[0].mean, 1e-9);
  }
}

TEST_F(StudyFolderTest, FiguresAreFiles) {
  const auto study = readStudyFolder(place());
  ASSERT_OK(study);
  ASSERT_EQ(study->figures.size(), 3U);
  EXPECT_EQ(study->figures[0].heading, "Automatic labelling: guaranteed and kept");
  EXPECT_EQ(study->figures[1].heading, "Severity of the shift");
  EXPECT_EQ(study->figures[2].heading, "clean, seed 1");
  std::set<std::string> names;
  for (const StudyFigureGroup& group : study->figures) {
    EXPECT_FALSE(group.figures.empty());
    for (const StudyFigure& figure : group.figures) {
      EXPECT_TRUE(names.insert(fs::path(figure.path).filename().string()).second);
      const std::string svg = test::readBytes(figure.path);
      EXPECT_TRUE(svg.starts_with("<svg "));
      EXPECT_THAT(svg, HasSubstr(">" + figure.title + "<"));
      EXPECT_THAT(test::readBytes(place() + "/report.html"), HasSubstr(svg));
    }
  }
  EXPECT_TRUE(names.contains("001-precision-kept-guaranteed-50.svg"));
  EXPECT_TRUE(names.contains("005-accuracy-against-noise.svg"));
}

TEST_F(StudyFolderTest, CanBeMoved) {
  const test::TempDir other;
  fs::copy(place(), other.file("moved"), fs::copy_options::recursive);
  const auto study = readStudyFolder(other.file("moved"));
  ASSERT_OK(study);
  EXPECT_TRUE(study->figures[0].figures[0].path.starts_with(other.file("moved/figures/")));
  EXPECT_TRUE(study->results.cells[0].runs[0].target.starts_with(other.file("moved/runs/")));
}

TEST_F(StudyFolderTest, FiguresOfAnEarlierVersionAreRemoved) {
  const test::TempDir other;
  fs::copy(place(), other.file("study"), fs::copy_options::recursive);
  test::writeBytes(other.path() / "study/figures/mine.svg", "<svg/>");
  json study = test::tinyStudy();
  study.erase("labelling");
  study.erase("retraining");
  ASSERT_OK(runIn(other.file("study"), study, true));
  const auto read = readStudyFolder(other.file("study"));
  ASSERT_OK(read);
  std::set<std::string> expected{other.file("study/figures/mine.svg")};
  for (const StudyFigureGroup& group : read->figures) {
    for (const StudyFigure& figure : group.figures) {
      expected.insert(figure.path);
    }
  }
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(other.file("study/figures"))) {
    there.insert(entry.path().string());
  }
  EXPECT_EQ(there, expected);
  EXPECT_FALSE(read->labelling);
}

TEST_F(StudyFolderTest, AnotherFolderIsNoStudy) {
  const test::TempDir folder;
  const auto study = readStudyFolder(folder.path().string());
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(study.error().message,
            folder.path().string() +
                ": is not a study folder (it has no table.json); run dubito-cli study");
}

TEST_F(StudyFolderTest, DamageIsNamed) {
  struct Damage {
    const char* pointer;
    json value;  ///< null: removed
    const char* message;
  };
  const std::vector<Damage> damages{
      {"/schema_version", nullptr, "has no \"schema_version\""},
      {"/schema_version", "two", "schema_version: is \"two\"; write a whole number"},
      {"/name", 3, "name: is a number; write a text"},
      {"/score/ood", nullptr, "score: has no \"ood\""},
      {"/targets", nullptr, "has no \"targets\""},
      {"/targets/1/name", "other", "rows[8]: 'noise 1' is not listed"},
      {"/methods/7/method", "other", "rows[7]: 'plain/laplace' is not listed"},
      {"/methods/0/members", 0, "methods[0].members: is 0"},
      {"/rows/3/columns/ece/mean", "x", "rows[3].columns.ece.mean: is a text; write a number"},
      {"/rows/3/columns/ece/n", 1.5, "rows[3].columns.ece.n: is 1.5"},
      {"/rows/1/differences/nll/low", nullptr, "rows[1].differences.nll: has no \"low\""},
      {"/rows/1/differences/nll", nullptr, "rows[1].differences: has no \"nll\""},
      {"/rows/0/labelling/2/rule", "x", "labelling[2].rule: 'x' is no rule"},
      {"/rows/0/retraining/0/random", nullptr, "retraining[0]: has no \"random\""},
      {"/rows/0/runs/1/file", "runs/../../secret.npz", "is not a file in runs/"},
      {"/rows/0/runs/1/file", "/etc/passwd", "is not a file in runs/"},
      {"/rows/0/runs/1/file", "runs/..", "is not a file in runs/"},
      {"/rows/0/runs/1/file", "figures/a.npz", "is not a file in runs/"},
      {"/rows/0/runs/1/ood", json::array(), "has 0 files for 1 OOD sets"},
      {"/rows/1", table_->at("rows").at(0), "rows[1]: 'plain/map' on 'clean' is there twice"},
      {"/figures/0/figures/0/file", "runs/a.svg", "is not a file in figures/"},
      {"/failures", "none", "failures: is a text; write a list"},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.pointer);
    json table = *table_;
    const json::json_pointer pointer(damage.pointer);
    if (damage.value.is_null()) {
      table.at(pointer.parent_pointer()).erase(pointer.back());
    } else {
      table.at(pointer) = damage.value;
    }
    const Error error = errorOf(table);
    EXPECT_EQ(error.code, ErrorCode::kMalformed);
    EXPECT_THAT(error.message, HasSubstr("table.json"));
    EXPECT_THAT(error.message, HasSubstr(damage.message));
    const bool can_be_resumed =
        error.message.ends_with("resume the study to write the folder again");
    EXPECT_EQ(error.remedy.settings,
              can_be_resumed ? std::vector<Setting>{setting("resume")} : std::vector<Setting>());
  }
  EXPECT_THAT(errorOf(json::array()).message, HasSubstr("has no \"schema_version\""));
  const test::TempDir folder;
  test::writeBytes(folder.path() / "table.json", table_->dump(1).substr(0, 2000));
  const auto cut = readStudyFolder(folder.path().string());
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(cut.error().message,
              HasSubstr("table.json: is damaged; resume the study to write the folder again"));
  EXPECT_THAT(cut.error().remedy.settings, testing::ElementsAre(setting("resume")));
  EXPECT_THAT(cut.error().context, HasSubstr("line "));
}

TEST_F(StudyFolderTest, ANewerVersionIsRefused) {
  json table = *table_;
  table["schema_version"] = kStudyTableVersion + 1;
  const Error error = errorOf(table);
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("newer than this program; update it"));
}

/// As version 1 wrote it.
constexpr const char* kVersion1 = R"({
  "baseline": "plain/map",
  "failures": [{"reason": "no memory", "what": "plain, seed 2"}],
  "name": "Old",
  "rows": [
    {"columns": {"accuracy": {"mean": 0.75, "n": 2, "std_dev": 0.25}, "brier": {"n": 0},
                 "nll": {"mean": 0.5, "n": 1}},
     "differences": {}, "members": 1, "method": "map", "metrics": {}, "network": "plain",
     "seeds": [1, 2], "severity": 0.0, "shift": ["noise"], "target": "clean",
     "labelling": [{"effective_items": 120.0, "kept": {"mean": 0.875, "n": 2, "std_dev": 0.125},
                    "promised": 0.95, "rule": "source",
                    "share": {"mean": 0.5, "n": 2, "std_dev": 0.0}}]},
    {"columns": {"accuracy": {"mean": 0.5, "n": 2, "std_dev": 0.25}},
     "differences": {"accuracy": {"difference": -0.25, "high": -0.125, "low": -0.5, "p": 0.03125},
                     "brier": {"difference": 0.0, "high": 0.0, "low": 0.0, "p": 1.0},
                     "nll": {"difference": 0.0, "high": 0.0, "low": 0.0, "p": 1.0}},
     "members": 3, "method": "ensemble", "metrics": {}, "network": "plain",
     "seeds": [1, 2], "severity": 0.0, "shift": ["noise"], "target": "clean"},
    {"columns": {}, "differences": {}, "members": 1, "method": "map", "metrics": {},
     "network": "plain", "seeds": [1], "target": "other"}
  ],
  "schema_version": 1,
  "score": {"misclassified": "confidence", "ood": "entropy"},
  "seeds": [1, 2]
})";

TEST_F(StudyFolderTest, ReadsVersion1) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "table.json", kVersion1);
  const auto study = readStudyFolder(folder.path().string());
  ASSERT_OK(study);
  ASSERT_EQ(study->targets.size(), 2U);
  EXPECT_EQ(study->targets[0].severity, 0.0);
  EXPECT_FALSE(study->targets[1].severity);
  ASSERT_EQ(study->rows.size(), 2U);
  EXPECT_EQ(study->rows[1].members, 3);
  ASSERT_EQ(study->results.cells.size(), 3U);
  const StudyCell* const cell = study->cellAt(0, 0);
  ASSERT_EQ(cell->columns.size(), studyColumns().size());
  EXPECT_EQ(cell->columns[0].mean, 0.75);
  EXPECT_EQ(cell->columns[0].std_dev, 0.25);
  EXPECT_EQ(cell->columns[1].n, 0);
  EXPECT_TRUE(std::isnan(cell->columns[2].std_dev));
  EXPECT_EQ(cell->columns[3].n, 0);  // absent
  EXPECT_EQ(study->cellAt(1, 0)->differences[0].interval.low, -0.5);
  EXPECT_EQ(study->cellAt(1, 1), nullptr);
  ASSERT_TRUE(study->labelling);
  EXPECT_EQ(study->labelling->guarantees, std::vector<double>{0.95});
  EXPECT_EQ(study->labelling->measure, "");
  EXPECT_EQ(study->failures.front().message, "no memory");
  EXPECT_TRUE(study->figures.empty());
  EXPECT_TRUE(cell->runs.empty());
  EXPECT_EQ(study->bins, 0);
}

TEST_F(StudyFolderTest, AFlippedByteOfTheTableIsFound) {
  const std::string bytes = test::readBytes(fs::path(place()) / "table.json");
  const test::TempDir folder;
  const std::size_t mean = bytes.find("\"mean\": 0.");
  ASSERT_NE(mean, std::string::npos);
  for (const std::size_t digit : {mean + 10, mean + 11, mean + 12}) {
    std::string damaged = bytes;
    damaged[digit] = damaged[digit] == '7' ? '8' : '7';
    test::writeBytes(folder.path() / "table.json", damaged);
    const auto study = readStudyFolder(folder.path().string());
    ASSERT_FALSE(study);
    EXPECT_THAT(study.error().message, HasSubstr("is damaged (its checksum differs); resume"));
    EXPECT_THAT(study.error().remedy.settings, testing::ElementsAre(setting("resume")));
  }
}

}  // namespace
}  // namespace dubito
