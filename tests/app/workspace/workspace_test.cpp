// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/shift/shift_request.h"
#include "app/workspace/workspace_open.h"
#include "app/workspace/workspace_save.h"
#include "tests/app/support/workspace_files.h"
#include "tests/core/io/mutate.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A workspace with one of everything; its files are not there.
Workspace sample() {
  Workspace workspace;
  const auto file = [](const std::string& path) {
    return WorkspaceFileRef{path, {123, -5, "00ff00ff00ff00ff"}};
  };
  workspace.models = {{"net", file("/w/model/net.pt")}};
  workspace.datasets = {{"digits",
                         "idx:/w/data/i.gz,/w/data/l.gz?items=0:30",
                         false,
                         true,
                         {file("/w/data/i.gz"), file("/w/data/l.gz")}},
                        {"made", "synthetic:glyphs?n=10", true, false, {}}};
  workspace.runs = {{0,
                     {{"digits", file("/w/r/a.npz"), 0}, {"made", file("/r/b.npz"), {}}},
                     {"mine", "two\nlines"}}};
  workspace.active_model = 0;
  workspace.active_run = 0;
  workspace.evaluation = {.bins = 20, .scores = "entropy,margin"};
  workspace.thresholds = {{"entropy", 0.25}};
  workspace.threshold_measure = "entropy";
  SessionView view;
  view.query.group = GroupFilter::kOod;
  view.query.predicted = 3;
  view.query.label = 1;
  view.query.range = MeasureRange{Measure::kEntropy, {0.1, 0.7}};
  view.query.reliability_bin =
      ReliabilityBinFilter{{.bins = 200, .equal_mass = true}, 150, false, {0.25, 0.3}};
  view.query.cell = ClassPair{2, 5};
  view.query.attribute = AttributeFilter{"site", "Ulm"};
  view.query.sort = Measure::kConfidence;
  view.query.sort_attribute = "age";
  view.query.descending = false;
  view.primary = ItemRef{1, 7};
  view.reliability = {.bins = 30, .of_class = 2, .with_ood = true};
  workspace.view = view;
  return workspace;
}

class WorkspaceTest : public testing::Test {
 protected:
  test::TempDir dir_;
  std::string path_ = dir_.file("work.dubito");
  RunContext context_;

  std::string written(const Workspace& workspace) {
    const Status status = writeWorkspace(workspace, path_);
    EXPECT_TRUE(status) << (status ? "" : status.error().message);
    return test::readBytes(path_);
  }
  Error refused(const std::string& bytes) {
    test::writeBytes(path_, bytes);
    const auto workspace = readWorkspace(path_);
    EXPECT_FALSE(workspace);
    return workspace ? Error{} : workspace.error();
  }
  Workspace saved(const Session& session, const std::string& path) {
    const auto result = saveWorkspace(draftOf(session, {}), path, {}, context_);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? result->workspace : Workspace{};
  }
  OpenedWorkspace opened(const std::string& path) {
    auto workspace = readWorkspace(path);
    EXPECT_TRUE(workspace) << (workspace ? "" : workspace.error().message);
    OpenedWorkspace start;
    start.workspace = workspace.value_or(Workspace{});
    auto result = openWorkspace(std::move(start), {}, context_);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result.value_or(OpenedWorkspace{});
  }
};

TEST_F(WorkspaceTest, IsReadAsItWasWritten) {
  written(sample());
  const auto read = readWorkspace(path_);
  ASSERT_OK(read);
  Workspace expected = sample();
  // What the specification names is taken from the files.
  expected.datasets[0].specification = read->datasets[0].specification;
  EXPECT_EQ(*read, expected);
}

TEST_F(WorkspaceTest, KeepsTheColumnByWhichItemsAreSorted) {
  for (const ItemColumn column : kItemColumns) {
    Workspace workspace = sample();
    workspace.view->query.sort_attribute.reset();
    workspace.view->query.sort_column = column;
    written(workspace);
    const auto read = readWorkspace(path_);
    ASSERT_OK(read);
    EXPECT_EQ(read->view, workspace.view);
  }
  std::string bytes = test::readBytes(path_);
  const std::string name = R"("loss")";
  const std::size_t at = bytes.find(name);
  ASSERT_NE(at, std::string::npos);
  const Error error = refused(bytes.replace(at, name.size(), R"("lost")"));
  EXPECT_NE(error.message.find("sort_column"), std::string::npos) << error.message;
}

TEST_F(WorkspaceTest, RangesOfAttributesMayBeOpenAtEitherEnd) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  for (const Interval& wanted :
       {Interval{30.0, kUnbounded}, Interval{-kUnbounded, 5.5}, Interval{1.0, 2.0}}) {
    Workspace workspace = sample();
    workspace.view->query.attribute = AttributeFilter{"age", wanted};
    written(workspace);
    const auto read = readWorkspace(path_);
    ASSERT_OK(read);
    EXPECT_EQ(read->view, workspace.view);
  }
}

TEST_F(WorkspaceTest, FilesBelowItsFolderAreWrittenRelativeToIt) {
  fs::create_directories(dir_.path() / "data");
  test::writeBytes(dir_.path() / "data" / "i.gz", "x");
  Workspace workspace = sample();
  workspace.datasets.resize(1);
  workspace.runs.clear();
  workspace.active_run.reset();
  workspace.datasets[0].files = {{(dir_.path() / "data" / "i.gz").string(), {}}};
  const json text = json::parse(written(workspace));
  EXPECT_EQ(text.at("datasets").at(0).at("files").at(0).at("path"), "data/i.gz");
  EXPECT_EQ(text.at("datasets").at(0).at("specification"), "idx:data/i.gz?items=0:30");
  EXPECT_EQ(text.at("schema_version"), 1);
}

TEST_F(WorkspaceTest, ASavedSessionOpensAgainWithTheSameNumbers) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  session.plots().setThreshold(Measure::kEntropy, 0.5);
  const std::string path = dir_.file("tree/work.dubito");
  const Workspace workspace = saved(session, path);
  ASSERT_EQ(workspace.runs.size(), 1U);
  EXPECT_EQ(workspace.runs[0].parts[0].file.path,
            dir_.file("tree/work.dubito-runs/map-digits.npz"));

  const OpenedWorkspace again = opened(path);
  EXPECT_TRUE(again.problems.empty());
  ASSERT_TRUE(again.models.at(0));
  EXPECT_EQ(again.datasets.at(0)->size(), 30);
  EXPECT_EQ(again.datasets.at(1)->size(), 20);
  ASSERT_TRUE(again.analyses.at(0));
  const Analysis& before = *session.activeAnalysis();
  const Analysis& after = *again.analyses[0];
  ASSERT_EQ(after.parts.size(), 2U);
  EXPECT_EQ(after.parts[1].name, "signs");
  EXPECT_EQ(after.in().dataset, again.datasets[0]);
  EXPECT_EQ(after.model, again.models[0]);
  EXPECT_TRUE(after.method && std::holds_alternative<MapOptions>(*after.method));
  for (std::int64_t i = 0; i < 30; ++i) {
    for (std::int64_t k = 0; k < before.in().run->classCount(); ++k) {
      EXPECT_EQ(after.in().run->prob(i, k), before.in().run->prob(i, k));
    }
  }
  EXPECT_EQ(after.evaluation.nll, before.evaluation.nll);
  EXPECT_EQ(again.workspace.thresholds.at("entropy"), 0.5);
}

TEST_F(WorkspaceTest, ALaplaceRunComesBackWithItsPosterior) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  ComputeRequest request = files.request();
  request.method = LaplaceOptions{};
  request.data.fit = request.ood.front().dataset;
  request.data.allow_same_split = true;
  session.addModel("net", request.model);
  const auto analysis = computeAnalysis(request, context_);
  ASSERT_OK(analysis);
  session.addAnalysis(*analysis);
  const std::string path = dir_.file("tree/work.dubito");
  const auto first = saveWorkspace(draftOf(session, {}), path, {}, context_);
  ASSERT_OK(first);
  const std::string kept = dir_.file("tree/work.dubito-runs/laplace-digits.posterior.npz");
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_FALSE(fs::exists(dir_.file("tree/work.dubito-runs/laplace-signs.posterior.npz")));
  // One that is lost is written again as long as it is known.
  fs::remove(kept);
  for (const auto& [run, file] : first->written) {
    session.runFiles().setFile(run, file);
  }
  const auto second = saveWorkspace(draftOf(session, {}), path, first->workspace, context_);
  ASSERT_OK(second);
  EXPECT_TRUE(second->written.empty());
  EXPECT_TRUE(fs::exists(kept));

  fs::rename(dir_.file("tree"), dir_.file("elsewhere"));
  const OpenedWorkspace again = opened(dir_.file("elsewhere/work.dubito"));
  ASSERT_TRUE(again.analyses.at(0) && again.analyses[0]->method);
  EXPECT_EQ(whyNoShift(*again.analyses[0]), "");
  const auto predicted =
      predict(*again.models.at(0), *again.datasets.at(0), *again.analyses[0]->method, {}, context_);
  ASSERT_OK(predicted);
  for (std::int64_t i = 0; i < predicted->itemCount(); ++i) {
    ASSERT_EQ(predicted->prob(i, 0), (*analysis)->in().run->prob(i, 0));
  }
  // Without it the run opens as it is, and is not offered to be repeated.
  fs::remove(dir_.file("elsewhere/work.dubito-runs/laplace-digits.posterior.npz"));
  const OpenedWorkspace without = opened(dir_.file("elsewhere/work.dubito"));
  EXPECT_TRUE(without.problems.empty());
  ASSERT_TRUE(without.analyses.at(0));
  EXPECT_THAT(whyNoShift(*without.analyses[0]), HasSubstr("posterior"));
}

TEST_F(WorkspaceTest, ShiftsComeBackWithTheirCurves) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  ComputeRequest request = files.request();
  request.method = McDropoutOptions{.draws = 4};
  session.addModel("net", request.model);
  const auto analysis = computeAnalysis(request, context_);
  ASSERT_OK(analysis);
  session.addAnalysis(*analysis);
  const auto shift = computeShift(
      {.analysis = *analysis, .kind = CorruptionKind::kBlur, .predict = {}, .evaluation = {}},
      context_);
  ASSERT_OK(shift);
  session.addShift(*shift);
  const std::string path = dir_.file("tree/work.dubito");
  const auto first = saveWorkspace(draftOf(session, {}), path, {}, context_);
  ASSERT_OK(first);
  // The run, its OOD set, and one file for each severity, which is not written twice.
  EXPECT_EQ(first->written.size(), 2U + 6U);
  for (const auto& [run, file] : first->written) {
    session.runFiles().setFile(run, file);
  }
  const auto second = saveWorkspace(draftOf(session, {}), path, first->workspace, context_);
  ASSERT_OK(second);
  EXPECT_TRUE(second->written.empty());

  fs::rename(dir_.file("tree"), dir_.file("elsewhere"));
  const OpenedWorkspace again = opened(dir_.file("elsewhere/work.dubito"));
  EXPECT_TRUE(again.problems.empty());
  ASSERT_EQ(again.shifts.size(), 1U);
  const ShiftResult& result = *again.shifts[0];
  EXPECT_EQ(result.kind, CorruptionKind::kBlur);
  EXPECT_EQ(result.analysis, again.analyses.at(0));
  EXPECT_EQ(result.items, (*shift)->items);
  ASSERT_EQ(result.steps.size(), (*shift)->steps.size());
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const ShiftStep& now = result.steps[i];
    const ShiftStep& before = (*shift)->steps[i];
    EXPECT_EQ(now.severity, before.severity);
    EXPECT_EQ(now.evaluation.accuracy, before.evaluation.accuracy);
    EXPECT_EQ(now.evaluation.nll, before.evaluation.nll);
    EXPECT_EQ(now.mean_entropy, before.mean_entropy);
    EXPECT_EQ(now.mean_mutual_information, before.mean_mutual_information);
  }
  // What is open is not read and evaluated again.
  const auto twice = openWorkspace(again, {}, context_);
  ASSERT_OK(twice);
  EXPECT_EQ(twice->shifts, again.shifts);
  // Without one of its files the curve does not open, and the run does.
  fs::remove(dir_.file("elsewhere/work.dubito-runs/shift-blur-3-digits.npz"));
  const OpenedWorkspace without = opened(dir_.file("elsewhere/work.dubito"));
  ASSERT_EQ(without.problems.size(), 1U);
  EXPECT_THAT(without.problems[0].message, HasSubstr("shift-blur-3-digits.npz"));
  EXPECT_TRUE(without.shifts.empty());
  EXPECT_TRUE(without.analyses.at(0));
}

TEST_F(WorkspaceTest, AWholeTreeThatMovedStillOpens) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  saved(session, dir_.file("tree/sub.dubito"));
  fs::rename(dir_.file("tree"), dir_.file("elsewhere"));
  const OpenedWorkspace again = opened(dir_.file("elsewhere/sub.dubito"));
  EXPECT_TRUE(again.problems.empty());
  EXPECT_TRUE(again.models.at(0));
  EXPECT_TRUE(again.datasets.at(0) && again.datasets.at(1));
  EXPECT_TRUE(again.analyses.at(0));
}

TEST_F(WorkspaceTest, WhatIsMissingOrChangedIsNamedAndTheRestOpens) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  const std::string path = dir_.file("tree/work.dubito");
  saved(session, path);
  fs::remove(files.model);
  const std::string labels = dir_.file("tree/data/digits-labels-idx1-ubyte.gz");
  const std::string bytes = test::readBytes(labels);
  test::writeBytes(labels, bytes + "x");

  OpenedWorkspace again = opened(path);
  ASSERT_EQ(again.problems.size(), 2U);
  EXPECT_EQ(again.problems[0].path, files.model);
  EXPECT_THAT(again.problems[0].message, HasSubstr("net.pt: no longer exists"));
  EXPECT_FALSE(again.problems[0].now);
  EXPECT_EQ(again.problems[1].path, labels);
  EXPECT_THAT(again.problems[1].message, HasSubstr("has changed"));
  EXPECT_THAT(again.problems[1].message,
              HasSubstr(std::to_string(bytes.size() + 1) + " bytes now"));
  EXPECT_FALSE(again.models.at(0) || again.datasets.at(0));
  EXPECT_TRUE(again.datasets.at(1));
  ASSERT_TRUE(again.analyses.at(0));
  EXPECT_FALSE(again.analyses[0]->in().dataset);

  // Put back with another time: the same content is the same file; the run gets its pictures.
  test::writeBytes(labels, bytes);
  const AnalysisPtr without = again.analyses[0];
  const auto complete = openWorkspace(std::move(again), {}, context_);
  ASSERT_OK(complete);
  EXPECT_EQ(complete->problems.size(), 1U);
  EXPECT_NE(complete->analyses.at(0), without);
  EXPECT_EQ(complete->analyses[0]->in().dataset, complete->datasets.at(0));
}

TEST_F(WorkspaceTest, WhatCannotBeOpenedIsAProblemUntilItIsLeftOut) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  Workspace workspace = saved(session, path_);
  // As they were, and no use all the same.
  WorkspaceFileRef& model = workspace.models.at(0).file;
  WorkspaceFileRef& signs = workspace.runs.at(0).parts.at(1).file;
  for (WorkspaceFileRef* const file : {&model, &signs}) {
    test::writeBytes(file->path, "no such thing");
    file->content = *fingerprintOf(file->path, context_);
  }
  workspace.datasets.push_back({"none", "synthetic:nothing-of-the-kind", false, true, {}});
  written(workspace);

  OpenedWorkspace again = opened(path_);
  ASSERT_EQ(again.problems.size(), 3U);
  EXPECT_EQ(again.problems[0].path, model.path);
  EXPECT_EQ(again.problems[1].path, "synthetic:nothing-of-the-kind");
  EXPECT_EQ(again.problems[2].path, signs.path);
  EXPECT_FALSE(again.problems[0].now || again.problems[0].message.empty());
  ASSERT_TRUE(again.analyses.at(0));
  EXPECT_EQ(again.analyses[0]->parts.size(), 1U);
  again = openWorkspace(std::move(again), {}, context_).value_or(OpenedWorkspace{});
  EXPECT_EQ(again.problems.size(), 3U);
  for (const WorkspaceProblem& problem : again.problems) {
    again.left_out.insert(problem.path);
  }
  again = openWorkspace(std::move(again), {}, context_).value_or(OpenedWorkspace{});
  EXPECT_TRUE(again.problems.empty());
  ASSERT_TRUE(again.analyses.at(0));
  EXPECT_EQ(again.analyses[0]->parts.size(), 1U);
}

TEST_F(WorkspaceTest, SavingAgainWritesNoRunTwiceAndLosesNone) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  const auto first = saveWorkspace(draftOf(session, {}), path_, {}, context_);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->written.size(), 2U);
  for (const auto& [run, file] : first->written) {
    session.runFiles().setFile(run, file);
  }
  const auto second = saveWorkspace(draftOf(session, {}), path_, first->workspace, context_);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->written.empty());
  EXPECT_EQ(second->workspace, first->workspace);
  // A file that somebody removed meanwhile is written again.
  fs::remove(first->written[0].second);
  const auto third = saveWorkspace(draftOf(session, {}), path_, first->workspace, context_);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->written.size(), 1U);
  EXPECT_TRUE(opened(path_).problems.empty());
}

TEST_F(WorkspaceTest, ASaveThatFailsLeavesNoRuns) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  WorkspaceDraft draft = draftOf(session, {});
  draft.runs.front().posterior = std::make_shared<const FittedLaplace>();
  const fs::path runs = runsFolderOf(path_);
  // The workspace cannot be written, once its runs are, and a posterior.
  fs::create_directory(path_);
  EXPECT_FALSE(saveWorkspace(draft, path_, {}, context_));
  EXPECT_TRUE(fs::is_empty(runs));
  fs::remove(path_);
  // A file of it is gone: nothing is written in the first place.
  fs::remove(runs);
  fs::rename(files.model, files.model + "-gone");
  EXPECT_FALSE(saveWorkspace(draft, path_, {}, context_));
  EXPECT_FALSE(fs::exists(runs));
  fs::rename(files.model + "-gone", files.model);
  // Cancelled while a run is written.
  context_.on_progress = [this, &runs](const Progress&) {
    if (fs::exists(runs)) {
      context_.control()->requestCancel();
    }
  };
  EXPECT_FALSE(saveWorkspace(draft, path_, {}, context_));
  EXPECT_TRUE(fs::is_empty(runs));
}

TEST_F(WorkspaceTest, ALinkInTheFolderOfTheRunsIsNotWrittenThrough) {
  const test::WorkspaceFiles files(dir_.file("tree"));
  Session session;
  files.fill(session);
  fs::create_directory(runsFolderOf(path_));
  fs::create_symlink(dir_.file("elsewhere.npz"), runsFolderOf(path_) + "/map-digits.npz");
  const Workspace workspace = saved(session, path_);
  EXPECT_EQ(workspace.runs.at(0).parts.at(0).file.path, runsFolderOf(path_) + "/map-digits-2.npz");
  EXPECT_FALSE(fs::exists(dir_.file("elsewhere.npz")));
}

TEST_F(WorkspaceTest, ALaterVersionIsSaidToBeOne) {
  json text = json::parse(written(sample()));
  text["schema_version"] = 2;
  text["models"] = "of another shape";
  const Error error = refused(text.dump());
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("newer version"));
}

TEST_F(WorkspaceTest, WhatIsWrongInTheTextIsNamed) {
  const json good = json::parse(written(sample()));
  const auto with = [&](const char* pointer, const json& value) {
    json text = good;
    text[json::json_pointer(pointer)] = value;
    return refused(text.dump()).message;
  };
  EXPECT_THAT(with("/runs/0/parts/0/dataset", 7), HasSubstr("'dataset' is '7'"));
  EXPECT_THAT(with("/runs/0/model", -1), HasSubstr("'model'"));
  EXPECT_THAT(with("/active/dataset", 2), HasSubstr("'dataset'"));
  EXPECT_THAT(with("/models/0/file/bytes", 1.5), HasSubstr("'bytes'"));
  EXPECT_THAT(with("/models/0/file/bytes", 1e300), HasSubstr("'bytes'"));
  EXPECT_THAT(with("/models/0/name", json::array()), HasSubstr("'name'"));
  EXPECT_THAT(with("/runs/0/parts", json::array()), HasSubstr("without a file"));
  EXPECT_THAT(with("/bins", 0), HasSubstr("'bins'"));
  EXPECT_THAT(with("/thresholds/entropy", "much"), HasSubstr("'entropy'"));
  EXPECT_THAT(with("/view/query/sort", "much"), HasSubstr("'sort'"));
  EXPECT_THAT(with("/view/query/range/interval", json::array({1})), HasSubstr("'interval'"));
  EXPECT_THAT(with("/view/reliability/bins", 0), HasSubstr("'bins'"));
  EXPECT_THAT(with("/view", 3), HasSubstr("'view'"));
  EXPECT_THAT(with("/datasets/0/specification", "nonsense:x"), HasSubstr("has an invalid dataset"));
  EXPECT_THAT(with("/datasets/0/files", json::array()), HasSubstr("has an invalid dataset"));
  EXPECT_THAT(refused("{}").message, HasSubstr("is not a Dubito workspace"));
  EXPECT_THAT(refused(std::string(100'000, '[')).message, HasSubstr("is not a Dubito workspace"));
}

TEST_F(WorkspaceTest, APositionInAnEmptyListIsNone) {
  json text = json::parse(written(Workspace{}));
  text["active"]["model"] = 18'446'744'073'709'551'615U;
  EXPECT_THAT(refused(text.dump()).message, HasSubstr("'model' names an entry of an empty list"));
  text["active"]["model"] = 0;
  EXPECT_THAT(refused(text.dump()).message, HasSubstr("empty list"));
}

TEST_F(WorkspaceTest, WhatIsNestedDeeplyIsRefusedWithoutBeingCopied) {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  EXPECT_THAT(refused("{\"format\":" + deep + "}").message, HasSubstr("is not a Dubito workspace"));
  std::string good = written(Workspace{});
  good.replace(good.find("\"bins\": 15"), 10, "\"bins\": " + deep);
  EXPECT_THAT(refused(good).message, HasSubstr("is not a Dubito workspace"));
}

TEST_F(WorkspaceTest, DamagedFilesAreRefusedInOneLineOrRead) {
  const std::string good = written(sample());
  int refused_count = 0;
  const auto read = [&](const std::string& bytes) {
    test::writeBytes(path_, bytes);
    const auto workspace = readWorkspace(path_);
    if (!workspace) {
      const std::string& message = workspace.error().message;
      ++refused_count;
      EXPECT_EQ(message.find(path_), 0U) << message;
      EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) {
        return (c >= 0 && c < ' ') || c == '\x7F';
      })) << message;
      EXPECT_LT(message.size(), 1000U) << message;
    }
  };
  for (std::size_t length = 0; length + 2 < good.size(); length += 7) {
    read(good.substr(0, length));
  }
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    read(test::mutate(good, seed));
  }
  EXPECT_GT(refused_count, 200);
}

TEST_F(WorkspaceTest, AFolderOrAFileThatIsNotThereIsNoWorkspace) {
  EXPECT_EQ(readWorkspace(dir_.path().string()).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(readWorkspace(dir_.file("none.dubito")).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace dubito
