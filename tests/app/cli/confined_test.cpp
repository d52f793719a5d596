// SPDX-License-Identifier: GPL-3.0-or-later
// --confined: the same results, and nothing else can be reached.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/confine/confine.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

std::string sample(const std::string& name) {
  return (test::sourceDir() / "datasets/samples" / name).string();
}

std::string digits() {
  return "idx:" + sample("mnist-2000-images-idx3-ubyte.gz") + "," +
         sample("mnist-2000-labels-idx1-ubyte.gz") + "?items=0:60";
}

/// A BMP image of 28 x 28 grey pixels.
std::string greyBitmap() {
  const std::string pixels(std::size_t{28} * 28 * 3, 'x');
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
      text += static_cast<char>((value >> (8 * i)) & 0xFFU);
    }
    return text;
  };
  return "BM" + number(54 + pixels.size(), 4) + number(0, 4) + number(54, 4) + number(40, 4) +
         number(28, 4) + number(28, 4) + number(1, 2) + number(24, 2) + number(0, 4) +
         number(pixels.size(), 4) + number(0, 16) + pixels;
}

class Confined : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = availableConfinement().missing(); !missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }

  test::TempDir dir_;
};

TEST_F(Confined, InspectsAsWithout) {
  const auto open = cli({"inspect", sample("lenet-mnist.pt"), "--json"});
  const auto confined = cli({"inspect", sample("lenet-mnist.pt"), "--json", "--confined"});
  ASSERT_EQ(confined.exit_code, 0) << confined.err;
  EXPECT_EQ(confined.err, "");
  EXPECT_EQ(confined.out, open.out);
}

/// Exporters write the weights of ONNX files into a second file.
TEST_F(Confined, ReadsTheWeightsBesideAnOnnxFile) {
  const fs::path fixtures = test::sourceDir() / "tests/data/onnx";
  for (const char* const name : {"external.onnx", "external.bin"}) {
    fs::copy_file(fixtures / name, dir_.path() / name);
  }
  test::writeBytes(dir_.path() / "external.onnx.json", R"({"input_size": [12]})");
  const std::string network = dir_.file("external.onnx");
  const auto confined = cli({"inspect", network, "--json", "--confined"});
  ASSERT_EQ(confined.exit_code, 0) << confined.err;
  EXPECT_EQ(nlohmann::json::parse(confined.out).at("format"), "ONNX");
  EXPECT_EQ(confined.out, cli({"inspect", network, "--json"}).out);
  // Also if they are not named as it.
  fs::rename(network, dir_.path() / "net.onnx");
  fs::rename(network + ".json", dir_.path() / "net.onnx.json");
  const auto renamed = cli({"inspect", dir_.file("net.onnx"), "--confined"});
  EXPECT_EQ(renamed.exit_code, 0) << renamed.err;
}

TEST_F(Confined, PredictsAsWithout) {
  const auto predict = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"predict",
                                       sample("lenet-mnist.pt"),
                                       digits(),
                                       "-o",
                                       dir_.file(name),
                                       "--method",
                                       "mc-dropout",
                                       "--draws",
                                       "5",
                                       "--json",
                                       "--threads",
                                       "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out).at("measures");
  };
  EXPECT_EQ(predict("open.npz", {}), predict("confined.npz", {"--confined"}));
}

TEST_F(Confined, FitsAndWritesAPosterior) {
  const auto result =
      cli({"predict", sample("lenet-mnist.pt"), digits(), "-o", dir_.file("run.npz"), "--method",
           "laplace", "--fit", digits(), "--allow-same-split", "--posterior",
           dir_.file("posterior.npz"), "--confined"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(dir_.file("posterior.npz")));
}

TEST_F(Confined, ReadsMetadataBesideTheModel) {
  fs::copy_file(sample("lenet-mnist.pt"), dir_.path() / "net.pt");
  std::ofstream(dir_.path() / "net.json") << R"({"name": "from beside", "output": "logits"})";
  const auto result = cli({"inspect", dir_.file("net.pt"), "--json", "--confined"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out).at("name"), "from beside");
}

TEST_F(Confined, WritesNoFileInTheWorkingFolder) {
  const fs::path here = fs::current_path();
  fs::create_directories(dir_.path() / "here");
  fs::create_directories(dir_.path() / "out");
  fs::current_path(dir_.path() / "here");
  const auto result = cli({"predict", sample("lenet-mnist.pt"), digits(), "-o",
                           dir_.file("out/run.npz"), "--confined"});
  fs::current_path(here);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::is_empty(dir_.path() / "here"));
}

TEST_F(Confined, ReadsWhatATableListsElsewhereIfTold) {
  if (DUBITO_READS_PHOTOGRAPHS == 0) {
    GTEST_SKIP() << "needs OpenCV";
  }
  const fs::path lists = dir_.path() / "lists";
  const fs::path images = dir_.path() / "images";
  fs::create_directories(lists);
  fs::create_directories(images);
  fs::create_directories(dir_.path() / "out");
  test::writeBytes(images / "a.bmp", greyBitmap());
  std::ofstream(lists / "list.csv") << "path,label\n" << (images / "a.bmp").string() << ",0\n";
  std::vector<std::string> arguments{
      "predict", sample("lenet-mnist.pt"), "csv:" + (lists / "list.csv").string(),
      "-o",      dir_.file("out/run.npz"), "--confined"};
  const auto unaware = cli(arguments);
  EXPECT_FALSE(unaware.exit_code == 0 && unaware.out.find("skipped") == std::string::npos)
      << unaware.out;
  arguments.push_back("--may-read=" + images.string());
  const auto told = cli(arguments);
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.out, Not(HasSubstr("skipped")));
}

TEST_F(Confined, TheFlagOfOtherFoldersNeedsIt) {
  const auto result = cli({"inspect", sample("lenet-mnist.pt"), "--may-read", "/tmp"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--may-read has no effect without --confined"));
}

TEST(PlainOutput, TextOfFilesCannotControlTheTerminal) {
  const test::TempDir dir;
  fs::copy_file(sample("lenet-mnist.pt"), dir.path() / "net.pt");
  std::ofstream(dir.path() / "net.json")
      << R"({"name": "a\u001b[2Jb\u0007c\u009b1md\u007fé", "output": "logits"})";
  const auto result = cli({"inspect", dir.file("net.pt")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("a?[2Jb?c?1md?é"));
}

TEST(JsonErrors, CarryTheCodeAndTheRemedy) {
  const std::string model = (test::sourceDir() / "tests/data/models/two_scores.pt").string();
  const auto result = cli({"inspect", model, "--progress=json"});
  EXPECT_EQ(result.exit_code, 1);
  const std::size_t at = result.err.rfind("{\"error\"");
  ASSERT_NE(at, std::string::npos) << result.err;
  const auto error = nlohmann::json::parse(result.err.substr(at));
  EXPECT_THAT(error.at("error").get<std::string>(), HasSubstr(model));
  EXPECT_EQ(error.at("code"), static_cast<int>(ErrorCode::kUnsupported));
  EXPECT_EQ(error.at("remedy").at("outputs").size(), 3U);
}

}  // namespace
}  // namespace dubito
