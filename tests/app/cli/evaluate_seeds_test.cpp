// SPDX-License-Identifier: GPL-3.0-or-later
// Several seeds of one method, from files of probabilities.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "core/io/npy.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

class CliSeedFiles : public testing::Test {
 protected:
  static test::ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  static json jsonOf(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  /// Writes probabilities of 40 items and 3 classes times `sum`, and labels;
  /// "PROBS.npy,LABELS.npy".
  std::string pair(const std::string& name, unsigned seed, double sum = 1.0) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.1, 1.0);
    auto probs = Array<double>::zeros({40, 3});
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 40; ++i) {
      const auto row = probs.mutableRow(i);
      double total = 0.0;
      for (double& value : row) {
        total += value = uniform(random);
      }
      row[static_cast<std::size_t>(i % 3)] += 1.0;  // the label, which then fits
      total += 1.0;
      for (double& value : row) {
        value *= sum / total;
      }
      labels.push_back(i % 3);
    }
    const std::string path = folder_.file(name + ".npy");
    const std::string labels_path = folder_.file(name + "_y.npy");
    EXPECT_TRUE(writeNpy(path, probs));
    EXPECT_TRUE(writeNpy(labels_path, Array<std::int64_t>::fromVector(labels)));
    return path + "," + labels_path;
  }

  test::TempDir folder_;
};

TEST_F(CliSeedFiles, TellsTheNotesOfItsRunsOnce) {
  // Rows whose sums are a little off are rescaled, which is noted.
  const std::string a = pair("a", 1, 1.0005);
  const std::string b = pair("b", 2, 1.0005);
  const std::string c = pair("c", 3);
  const auto note = jsonOf({"evaluate", a, "--seed-run", b, "--seed-run", c}).at("notes");
  ASSERT_EQ(note.size(), 2U) << note.dump();
  EXPECT_EQ(note[0].get<std::string>().find(a + ": "), 0U) << note.dump();
  EXPECT_EQ(note[1].get<std::string>().find(b + ": "), 0U) << note.dump();
  const auto all = jsonOf({"evaluate", a, "--seed-run", b}).at("notes");
  ASSERT_EQ(all.size(), 1U) << all.dump();
  EXPECT_EQ(note[0], a + ": " + all[0].get<std::string>());
  const auto text = cli({"evaluate", a, "--seed-run", b});
  EXPECT_EQ(text.out.find("note: " + all[0].get<std::string>() + "\n"), 0U) << text.out;
}

TEST_F(CliSeedFiles, JsonOfOneRunHasTheNotesOfTheTable) {
  const std::string a = pair("a", 1, 1.0005);
  const std::string b = pair("b", 2);
  const std::string far = pair("far", 3, 1.0008);
  EXPECT_EQ(jsonOf({"evaluate", b}).at("notes"), json::array());
  const json notes = jsonOf({"evaluate", a, "--ood", "far=" + far}).at("notes");
  ASSERT_EQ(notes.size(), 2U) << notes.dump();
  EXPECT_EQ(notes[0].get<std::string>().find("40 of 40 rows were rescaled"), 0U) << notes.dump();
  EXPECT_EQ(notes[1].get<std::string>().find("far: 40 of 40 rows were rescaled"), 0U)
      << notes.dump();
  const auto table = cli({"evaluate", a, "--ood", "far=" + far});
  for (const json& note : notes) {
    EXPECT_THAT(table.out, HasSubstr("note: " + note.get<std::string>() + "\n"));
  }
  // With further seeds the same.
  const json of_seeds =
      jsonOf({"evaluate", a, "--seed-run", b, "--ood", "far=" + far + "," + pair("far_b", 4)})
          .at("notes");
  ASSERT_EQ(of_seeds.size(), 2U) << of_seeds.dump();
  EXPECT_EQ(of_seeds[1], a + ": " + notes[1].get<std::string>());
}

TEST_F(CliSeedFiles, RefusesARunThatIsThereAlready) {
  const std::string a = pair("a", 1);
  const std::string b = pair("b", 2);
  const std::string copy = pair("copy", 1);
  for (const std::string& again : {a, copy}) {
    const auto refused = cli({"evaluate", a, "--seed-run", b, "--seed-run", again});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(refused.err, "dubito-cli: " + again + ": same predictions as " + a +
                               "; pass a different run for each seed\n");
  }
  const auto of_ood = cli({"evaluate", a, "--seed-run", b, "--ood", "far=" + a + "," + copy});
  EXPECT_EQ(of_ood.exit_code, 1);
  EXPECT_THAT(of_ood.err, HasSubstr(copy + ": same predictions as " + a));
  // The set itself may stand for OOD.
  EXPECT_EQ(cli({"evaluate", a, "--seed-run", b, "--ood", "far=" + a + "," + b}).exit_code, 0);
}

TEST_F(CliSeedFiles, TakesPairsOfFilesAndNumbersAsNamesOfOodSets) {
  const std::string a = pair("a", 1);
  const std::string b = pair("b", 2);
  const std::string far_a = pair("far_a", 3);
  const std::string far_b = pair("far_b", 4);
  const json named =
      jsonOf({"evaluate", a, "--seed-run", b, "--ood", "far=" + far_a + "," + far_b});
  const json numbered = jsonOf({"evaluate", a, "--seed-run", b, "--ood", "0=" + far_a + "," + far_b,
                                "--ood", "1=" + far_b + "," + far_a});
  const json& sets = numbered.at("metrics").at("ood");
  ASSERT_TRUE(sets.is_object()) << sets.dump();
  EXPECT_EQ(sets.at("0"), named.at("metrics").at("ood").at("far"));
  EXPECT_EQ(sets.at("0").at("n").at("mean"), 40.0);
  // One seed alone takes the same words.
  const json first = jsonOf({"evaluate", a, "--ood", "far=" + far_a});
  const json second = jsonOf({"evaluate", b, "--ood", "far=" + far_b});
  const auto mmc = [](const json& evaluation) {
    return evaluation.at("ood").at("far").at("mmc").get<double>();
  };
  EXPECT_NEAR(sets.at("0").at("mmc").at("mean").get<double>(), (mmc(first) + mmc(second)) / 2.0,
              1e-14);

  // Probabilities alone; their labels are found next to them.
  const std::string bare_a = folder_.file("far_a.npy");
  const std::string bare_b = folder_.file("far_b.npy");
  for (const auto& [list, code] :
       {std::pair(bare_a + "," + bare_b, 0), {bare_a + "," + far_b, 2}}) {
    EXPECT_EQ(cli({"evaluate", a, "--seed-run", b, "--ood", "far=" + list}).exit_code, code)
        << list;
  }
}

}  // namespace
}  // namespace dubito
