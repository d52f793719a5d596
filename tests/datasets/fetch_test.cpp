// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// fetch.sh without a network: every address fails at once.
test::ProcessResult fetch(std::vector<std::string> arguments) {
  std::vector<std::string> command = {"/usr/bin/env", "http_proxy=http://127.0.0.1:9",
                                      "https_proxy=http://127.0.0.1:9",
                                      (test::sourceDir() / "datasets/fetch.sh").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return test::runProcess(command);
}

void expectOneLine(const test::ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.rfind("error: ", 0), 0U) << result.err;
}

TEST(Fetch, TakesFromAFolderAndChecks) {
  DUBITO_NEEDS_SHARED();
  const test::TempDir dir;
  const std::string from = *test::sharedDir() / "datasets";
  const auto first = fetch({dir.path(), "--from", from, "mnist", "notmnist"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("mnist/t10k-labels-idx1-ubyte.gz: fetched"));
  for (const char* name : {"mnist/train-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz",
                           "notmnist/t10k-images-idx3-ubyte.gz"}) {
    EXPECT_EQ(bytesOf(dir.path() / name), bytesOf(fs::path(from) / name)) << name;
  }
  // What is there and right needs neither folder nor network; what is damaged is fetched again.
  std::ofstream(dir.path() / "mnist/t10k-labels-idx1-ubyte.gz", std::ios::app) << "x";
  const auto second = fetch({dir.path(), "--from", from, "mnist"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.out, HasSubstr("mnist/train-images-idx3-ubyte.gz: already there"));
  EXPECT_THAT(second.out, HasSubstr("mnist/t10k-labels-idx1-ubyte.gz: fetched"));
  EXPECT_EQ(fetch({dir.path(), "mnist", "notmnist"}).exit_code, 0);
}

TEST(Fetch, FilesGivenWithoutAFolderOfTheSetAreFound) {
  DUBITO_NEEDS_SHARED();
  const test::TempDir dir;
  const auto result = fetch(
      {dir.path(), "--from", (*test::sharedDir() / "datasets/notmnist").string(), "notmnist"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(Fetch, RefusesAFileThatIsNotThePublishedOne) {
  const test::TempDir dir;
  fs::create_directories(dir.path() / "source");
  std::ofstream(dir.path() / "source/t10k-images-idx3-ubyte.gz") << "something else";
  const auto result = fetch({dir.path() / "out", "--from", dir.path() / "source", "notmnist"});
  expectOneLine(result);
  EXPECT_THAT(result.err, HasSubstr("t10k-images-idx3-ubyte.gz is not the published file"));
  EXPECT_TRUE(fs::is_empty(dir.path() / "out/notmnist"));  // and nothing half is left
}

TEST(Fetch, NamesWhatAFolderLacks) {
  const test::TempDir dir;
  const auto result = fetch({dir.path() / "out", "--from", dir.path(), "kmnist"});
  expectOneLine(result);
  EXPECT_THAT(result.err, HasSubstr("kmnist/train-images-idx3-ubyte.gz"));
}

TEST(Fetch, NamesBothAddressesWhereTheNetworkFails) {
  const test::TempDir dir;
  const auto result = fetch({dir.path(), "cifar-10"});
  expectOneLine(result);
  EXPECT_THAT(result.err, HasSubstr("https://www.cs.toronto.edu"));
  EXPECT_THAT(result.err, HasSubstr("https://web.archive.org"));
  EXPECT_THAT(result.err, HasSubstr("--from DIR"));
  EXPECT_TRUE(fs::is_empty(dir.path() / "cifar-10"));
}

TEST(Fetch, RefusesUnknownSetsAndFolders) {
  const test::TempDir dir;
  expectOneLine(fetch({dir.path(), "imagenet"}));
  expectOneLine(fetch({dir.path(), "--from", "/no/such/folder"}));
  expectOneLine(fetch({}));
}

}  // namespace
}  // namespace dubito
