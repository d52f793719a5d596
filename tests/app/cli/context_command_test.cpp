// SPDX-License-Identifier: GPL-3.0-or-later
// Context as scripts use it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/run_file.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

/// Runs over 60 and 80 items of four classes, in scenes of three, and a table of counts.
class CliContext : public testing::Test {
 protected:
  void SetUp() override {
    makeRun("test", 60, 1);
    makeRun("calibration", 80, 2);
    std::ofstream(counts_) << "class,n_images,cat,dog,cow,pig\n"
                              "cat,9,50,20,1,0\ndog,9,20,60,3,2\ncow,9,1,3,70,30\npig,9,0,2,30,9\n";
  }

  /// The run's items are numbered by its seed, so that runs share none.
  void makeRun(const std::string& name, std::int64_t items, unsigned seed) {
    dubito::Run run = test::randomRun(items, 4, 1.5, seed, true, false);
    run.meta.dataset_name = name;
    run.meta.class_names = {"cat", "dog", "cow", "pig"};
    std::ofstream scenes(folder_.file(name + ".csv"));
    scenes << "id,scene\n";
    for (std::int64_t i = 0; i < items; ++i) {
      run.ids.mutableData()[i] = 1000 * seed + i;
      scenes << 1000 * seed + i << ",s" << i / 3 << '\n';
    }
    RunContext context;
    ASSERT_OK(writeRun(run, folder_.file(name + ".npz"), context));
  }

  std::vector<std::string> command(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"context", folder_.file("test.npz"), "-o", output_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  json ok(std::vector<std::string> more) {
    more.emplace_back("--json");
    const auto result = cli(command(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  std::string refused(const std::vector<std::string>& more, int exit_code = 1) {
    const auto result = cli(command(more));
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_FALSE(std::filesystem::exists(output_));
    return result.err;
  }

  test::TempDir folder_;
  std::string counts_ = folder_.file("counts.csv");
  std::string scenes_ = folder_.file("test.csv");
  std::string output_ = folder_.file("context.npz");
};

TEST_F(CliContext, ListsTheScenesThatDidNotConverge) {
  // Two scenes of thirty items: too large for a search.
  std::ofstream scenes(folder_.file("large.csv"));
  scenes << "id,scene\n";
  for (int i = 0; i < 60; ++i) {
    scenes << 1000 + i << (i < 30 ? ",hall\n" : ",\"yard, \"\n");
  }
  scenes.close();
  const std::vector<std::string> arguments{"--scenes",       folder_.file("large.csv"),
                                           "--cooccurrence", counts_,
                                           "--weight",       "0.3",
                                           "--iterations",   "1"};
  const auto text = cli(command(arguments));
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("0 by belief propagation, 2 not converged\n"));
  EXPECT_THAT(text.out, HasSubstr("  not converged: 'hall', largest change of the last step "));
  EXPECT_THAT(text.out, HasSubstr("  not converged: 'yard"));
  std::filesystem::remove(output_);
  const json result = ok(arguments);
  EXPECT_EQ(result.at("not_converged"), 2);
  ASSERT_EQ(result.at("scenes_not_converged").size(), 2U);
  EXPECT_GT(result.at("scenes_not_converged").at(1).at("residual"), 1e-10);
  EXPECT_EQ(result.at("scenes_not_converged").at(0).at("residual"), result.at("largest_residual"));
}

TEST_F(CliContext, WritesARunThatOtherCommandsTake) {
  const json result =
      ok({"--scenes", scenes_, "--cooccurrence", counts_, "--measure", "pmi", "--weight", "0.8"});
  EXPECT_EQ(result.at("n"), 60);
  EXPECT_EQ(result.at("method"), "context");
  EXPECT_EQ(result.at("scenes"), 20);
  EXPECT_EQ(result.at("exact"), 20);
  EXPECT_EQ(result.at("not_converged"), 0);
  EXPECT_EQ(result.at("alone"), 0);
  EXPECT_GT(result.at("changed_labels"), 0);
  EXPECT_EQ(result.at("options").at("weight"), 0.8);
  EXPECT_EQ(result.at("options").at("cooccurrence"), counts_);
  EXPECT_THAT(result.at("notes").dump(), HasSubstr("n_images"));

  RunContext context;
  const auto before = readRun(folder_.file("test.npz"), context);
  const auto after = readRun(output_, context);
  ASSERT_TRUE(before && after);
  EXPECT_TRUE(std::ranges::equal(after->ids.values(), before->ids.values()));
  EXPECT_TRUE(std::ranges::equal(after->labels.values(), before->labels.values()));
  EXPECT_EQ(after->meta.class_names, before->meta.class_names);
  for (std::int64_t i = 0; i < after->itemCount(); ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < 4; ++k) {
      sum += after->prob(i, k);
    }
    EXPECT_NEAR(sum, 1.0, 1e-6);
  }
  const auto evaluated = cli({"evaluate", output_, "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(json::parse(evaluated.out).at("n"), 60);
  EXPECT_EQ(cli({"dirichlet", output_, "--json"}).exit_code, 1);  // no draws, no Dirichlet
  EXPECT_EQ(cli({"review", "queue", output_, "--by", "entropy"}).exit_code, 0);
  EXPECT_EQ(cli({"tune", output_, "--temperature", "2", "-o", folder_.file("t.npz")}).exit_code, 0);
}

TEST_F(CliContext, FitsTheWeightOnACalibrationRun) {
  const std::vector<std::string> flags{"--scenes",
                                       scenes_,
                                       "--cooccurrence",
                                       counts_,
                                       "--calibration",
                                       folder_.file("calibration.npz"),
                                       "--calibration-scenes",
                                       folder_.file("calibration.csv")};
  const json result = ok(flags);
  const json& fitted = result.at("fitted");
  EXPECT_EQ(fitted.at("n"), 80);
  EXPECT_EQ(fitted.at("in_company"), 80);
  EXPECT_EQ(fitted.at("weight"), result.at("options").at("weight"));
  EXPECT_LE(fitted.at("nll_after").get<double>(), fitted.at("nll_before").get<double>());
  EXPECT_THAT(result.at("options").at("weight_from").get<std::string>(),
              HasSubstr("fitted on 80 items of"));
  EXPECT_THAT(result.at("notes").dump(), HasSubstr("Context weight"));

  // As a calibration run for select, itself with context of the same weight.
  EXPECT_EQ(
      cli({"context", folder_.file("calibration.npz"), "--scenes", folder_.file("calibration.csv"),
           "--cooccurrence", counts_, "--weight", "0.5", "-o", folder_.file("c.npz")})
          .exit_code,
      0);
  ok({"--scenes", scenes_, "--cooccurrence", counts_, "--weight", "0.5"});
  const auto selected =
      cli({"select", output_, "--calibration", folder_.file("c.npz"), "--target", "0.6"});
  EXPECT_EQ(selected.exit_code, 0) << selected.err;
  EXPECT_THAT(selected.out, Not(HasSubstr("was computed with")));
}

TEST_F(CliContext, LearnsTheCountsFromALabelledRun) {
  const std::string same = refused({"--scenes", scenes_, "--learn", folder_.file("test.npz")});
  EXPECT_THAT(same, HasSubstr("60 of the 60 items"));
  EXPECT_THAT(same, HasSubstr("--allow-same-split"));
  const json result = ok({"--scenes", scenes_, "--learn", folder_.file("calibration.npz"),
                          "--learn-scenes", folder_.file("calibration.csv"), "--weight", "0.5"});
  EXPECT_THAT(result.at("options").at("cooccurrence").get<std::string>(),
              HasSubstr("labels of " + folder_.file("calibration.npz")));
  // 26 scenes of three, and two items: 3 26 + 1 pairs.
  EXPECT_THAT(result.at("notes").dump(), HasSubstr("79 pairs"));
}

TEST_F(CliContext, ExplainsEveryChangedLabel) {
  const std::string changes = folder_.file("changes.csv");
  const json result = ok({"--scenes", scenes_, "--cooccurrence", counts_, "--changes", changes});
  std::ifstream file(changes);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line,
            "id,scene,label,before,after,total,own,loops,other_id,other_before,other_after,"
            "message");
  std::int64_t lines = 0;
  while (std::getline(file, line)) {
    ++lines;
  }
  EXPECT_EQ(lines, 2 * result.at("changed_labels").get<std::int64_t>());
}

TEST_F(CliContext, TellsItemsWithoutASceneAndUnknownRows) {
  std::ofstream(scenes_) << "id,scene\n1000,a\n1001,a\n1002,\n1003,b\n77,a\n";
  const auto result =
      cli(command({"--scenes", scenes_, "--cooccurrence", counts_, "--weight", "1"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 items in 1 scene, 58 alone"));
  EXPECT_THAT(result.out, HasSubstr("57 of 60 items without a scene"));
  EXPECT_THAT(result.out, HasSubstr("1 row of"));
  RunContext context;
  const auto before = readRun(folder_.file("test.npz"), context);
  const auto after = readRun(output_, context);
  ASSERT_TRUE(before && after);
  for (std::int64_t i = 2; i < 60; ++i) {
    for (std::int64_t k = 0; k < 4; ++k) {
      EXPECT_EQ(after->prob(i, k), before->prob(i, k));
    }
  }
}

TEST_F(CliContext, RefusesBadInputWithFileAndLine) {
  const std::string bad = folder_.file("bad.csv");
  std::ofstream(bad) << "id,scene\n1000,a\n1000,b\n";
  EXPECT_THAT(refused({"--scenes", bad, "--cooccurrence", counts_}),
              HasSubstr(bad + ": the item '1000' is in lines 2 and 3"));
  std::ofstream(bad) << "class,cat,dog,cow,hen\ncat,1,1,1,1\ndog,1,1,1,1\ncow,1,1,1,1\n"
                        "hen,1,1,1,1\n";
  EXPECT_THAT(refused({"--scenes", scenes_, "--cooccurrence", bad}),
              HasSubstr(bad + ": line 1 has no column for a class of the run: 'pig'"));
  EXPECT_THAT(refused({"--scenes", folder_.file("none.csv"), "--cooccurrence", counts_}),
              HasSubstr("none.csv"));
  EXPECT_THAT(refused({"--scenes", scenes_, "--scene-column", "room", "--cooccurrence", counts_}),
              HasSubstr("'room'"));
  EXPECT_THAT(refused({"--scenes", scenes_, "--cooccurrence", counts_, "--weight", "1e6"}),
              HasSubstr("choose a weight from 0 to"));
  EXPECT_THAT(refused({"--scene-folders", "--cooccurrence", counts_}),
              HasSubstr("does not know its dataset"));
  const std::string other = refused({"--scenes", scenes_, "--cooccurrence", counts_,
                                     "--calibration", folder_.file("calibration.npz")});
  EXPECT_THAT(other, HasSubstr("none of its 60 rows is about an item"));
}

TEST_F(CliContext, WrongUsageEndsWithTwo) {
  refused({"--cooccurrence", counts_}, 2);
  refused({"--scenes", scenes_, "--scene-folders", "--cooccurrence", counts_}, 2);
  refused({"--scenes", scenes_}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--learn", "x.npz"}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--learn-scenes", scenes_}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--calibration-scenes", scenes_}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--allow-same-split"}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--weight", "-1"}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--measure", "mi"}, 2);
  refused({"--scenes", scenes_, "--cooccurrence", counts_, "--weight", "1", "--calibration",
           folder_.file("calibration.npz")},
          2);
  const auto itself = cli({"context", folder_.file("test.npz"), "--scenes", scenes_,
                           "--cooccurrence", counts_, "-o", folder_.file("test.npz")});
  EXPECT_EQ(itself.exit_code, 2);
  EXPECT_THAT(itself.err, HasSubstr("--output would overwrite"));
  EXPECT_THAT(refused({"--scenes", scenes_, "--cooccurrence", counts_, "--changes", scenes_}, 2),
              HasSubstr("--changes would overwrite"));
}

TEST_F(CliContext, ChangesTheReferenceScenesAsTheReferenceSays) {
  const json vectors = test::readVectors("context");
  std::ofstream table(counts_);
  table << "class,cat,dog,cow,pig\n";
  const std::vector<std::string> names{"cat", "dog", "cow", "pig"};
  for (std::size_t a = 0; a < 4; ++a) {
    table << names[a];
    for (std::size_t b = 0; b < 4; ++b) {
      table << ',' << vectors.at("counts").at(a).at(b);
    }
    table << '\n';
  }
  table.close();
  // All scenes in one run; its float64 probabilities are those of the reference.
  std::vector<double> probs;
  std::vector<double> expected;
  std::vector<std::int64_t> labels;
  std::ofstream scenes(scenes_);
  scenes << "id,scene\n";
  int number = 0;
  for (const json& scene : vectors.at("scenes")) {
    for (std::size_t i = 0; i < scene.at("log_probs").size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        probs.push_back(std::exp(scene.at("log_probs").at(i).at(k).get<double>()));
        expected.push_back(scene.at("pmi").at("marginals").at(i).at(k).get<double>());
      }
      scenes << labels.size() << ',' << number << '\n';
      labels.push_back(0);
    }
    ++number;
  }
  scenes.close();
  const auto items = std::ssize(labels);
  dubito::Run run = test::randomRun(items, 4, 1.0, 1, true, false);
  run.probs = Array<double>::fromVector({items, 4}, probs);
  for (std::int64_t i = 0; i < items; ++i) {
    run.ids.mutableData()[i] = i;
    const auto row = std::get<Array<double>>(*run.probs).row(i);
    const auto largest = std::ranges::max_element(row);
    run.predictions.mutableData()[i] = largest - row.begin();
    run.confidence.mutableData()[i] = *largest;
  }
  run.log_rest.reset();
  run.entropy.reset();
  run.meta.class_names = names;
  RunContext context;
  ASSERT_OK(writeRun(run, folder_.file("test.npz"), context));
  ok({"--scenes", scenes_, "--cooccurrence", counts_, "--measure", "pmi", "--weight", "0.7"});
  const auto result = readRun(output_, context);
  ASSERT_OK(result);
  for (std::int64_t i = 0; i < items; ++i) {
    for (std::int64_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(
          test::closeTo(result->prob(i, k), expected[static_cast<std::size_t>(4 * i + k)], 1e-9))
          << i << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace dubito
