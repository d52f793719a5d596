// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/open_model.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/sample_files.h"
#include "tests/hostile/network_archive.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

class OpenModel : public testing::Test {
 protected:
  Expected<ModelPtr> open(const std::string& path) { return openModel(path, opening_, context_); }

  test::TempDir dir_;
  ChildReaper reaper_;
  RunContext context_;
  ModelOpening opening_{.program = DUBITO_CLI, .reaper = &reaper_};
};

TEST_F(OpenModel, OpensANetworkThatAConfinedProcessCouldOpen) {
  std::vector<std::string> stages;
  context_.on_progress = [&stages](const Progress& progress) { stages.push_back(progress.stage); };
  const auto model = open(*findSampleFile("lenet-mnist.pt"));
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().classes, 10);
  EXPECT_THAT(stages, testing::Contains(HasSubstr("confined process")));
}

TEST_F(OpenModel, PassesOnWhatTheProcessReports) {
  const std::string path = (test::sourceDir() / "tests/data/models/two_scores.pt").string();
  const auto model = open(path);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, loadModel(path, {}, context_).error().code);
  EXPECT_EQ(model.error().message, loadModel(path, {}, context_).error().message);
  EXPECT_EQ(model.error().remedy, loadModel(path, {}, context_).error().remedy);
  EXPECT_EQ(model.error().remedy.outputs.size(), 3U);
}

TEST_F(OpenModel, RefusesHostileNetworks) {
  test::writeBytes(dir_.path() / "net.pt",
                   test::buildArchive({.program = "  def forward(self: __torch__.Net,\n"
                                                  "    x: Tensor) -> Tensor:\n"
                                                  "    torch.save(x, \"w\")\n    return x\n"}));
  const auto model = open(dir_.file("net.pt"));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("aten::save"));
}

TEST_F(OpenModel, OpensKnownFilesItselfUntilTheyChange) {
  const std::string path = dir_.file("net.pt");
  fs::copy_file(*findSampleFile("lenet-mnist.pt"), path);
  opening_.program = "/nonexistent/dubito-cli";
  const auto unknown = open(path);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("install it next to dubito"));
  opening_.known.insert(modelKey(path));
  EXPECT_OK(open(path));
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  EXPECT_FALSE(open(path));
}

TEST_F(OpenModel, KeysTellFilesApart) {
  test::writeBytes(dir_.path() / "a", "text");
  fs::copy_file(dir_.path() / "a", dir_.path() / "b");
  EXPECT_NE(modelKey(dir_.file("a")), modelKey(dir_.file("b")));
  EXPECT_EQ(modelKey(dir_.file("a")), modelKey(dir_.file("./a")));
  EXPECT_EQ(modelKey(dir_.file("absent")), "");
}

}  // namespace
}  // namespace dubito
