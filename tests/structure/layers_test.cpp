// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include whom, read from the sources themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

struct SourceFile {
  std::string path;  ///< relative to the root
  std::vector<std::string> includes;
};

std::vector<SourceFile> sourcesUnder(const std::string& folder) {
  static const std::regex pattern(R"(^\s*#include\s*[<"]([^>"]+)[>"])");
  std::vector<SourceFile> files;
  const auto root = test::sourceDir();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".cu") {
      continue;
    }
    SourceFile file{std::filesystem::relative(entry.path(), root).string(), {}};
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) {
        file.includes.push_back(match[1]);
      }
    }
    files.push_back(file);
  }
  return files;
}

bool startsWithAny(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](const std::string& prefix) { return text.rfind(prefix, 0) == 0; });
}

bool isPrivateHeader(const std::string& path) {
  return std::regex_search(path, std::regex("_(torch|cv|cuda)\\.h$"));
}

TEST(Layers, coreIncludesNoQtAndNothingAboveIt) {
  const auto files = sourcesUnder("core");
  ASSERT_GT(files.size(), 20U);
  for (const SourceFile& file : files) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"Q", "qcustomplot", "widgets/", "app/"}))
          << file.path << ": " << include;
    }
  }
}

TEST(Layers, publicHeadersOfCoreShowNoForeignTypes) {
  for (const SourceFile& file : sourcesUnder("core")) {
    if (!file.path.ends_with(".h") || isPrivateHeader(file.path)) {
      continue;
    }
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"torch/", "ATen/", "c10/", "opencv2/", "cuda"}) ||
                   isPrivateHeader(include))
          << file.path << ": " << include;
    }
  }
}

TEST(Layers, foldersOfCoreIncludeOnlyWhatLiesBelow) {
  // The order of core/CMakeLists.txt, from which it is read.
  std::map<std::string, int> rank;
  std::ifstream list(test::sourceDir() / "core" / "CMakeLists.txt");
  const std::regex pattern(R"(^add_subdirectory\((\w+)\))");
  for (std::string line; std::getline(list, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) {
      rank.emplace(match[1], static_cast<int>(rank.size()));
    }
  }
  ASSERT_GE(rank.size(), 9U);
  const auto folderOf = [](const std::string& path) {
    const auto begin = path.find('/') + 1;
    return path.substr(begin, path.find('/', begin) - begin);
  };
  for (const SourceFile& file : sourcesUnder("core")) {
    for (const std::string& include : file.includes) {
      if (include.rfind("core/", 0) == 0) {
        EXPECT_LE(rank.at(folderOf(include)), rank.at(folderOf(file.path)))
            << file.path << ": " << include;
      }
    }
  }
}

TEST(Layers, widgetsKnowOnlyBase) {
  for (const SourceFile& file : sourcesUnder("widgets")) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"app/", "torch/", "ATen/"}))
          << file.path << ": " << include;
      EXPECT_TRUE(include.rfind("core/", 0) != 0 || include.rfind("core/base/", 0) == 0)
          << file.path << ": " << include;
    }
  }
}

TEST(Layers, theCommandLineNeedsNoQt) {
  for (const SourceFile& file : sourcesUnder("app/cli")) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"Q", "widgets/"})) << file.path << ": " << include;
    }
  }
}

}  // namespace
}  // namespace dubito
