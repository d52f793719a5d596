// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include whom, read from the sources themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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
  return std::regex_search(path, std::regex("_(torch|cv|cuda|pq)\\.h$"));
}

TEST(Layers, CoreIncludesNoQtAndNothingAboveIt) {
  const auto files = sourcesUnder("core");
  ASSERT_GT(files.size(), 20U);
  for (const SourceFile& file : files) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"Q", "qcustomplot", "widgets/", "app/"}))
          << file.path << ": " << include;
    }
  }
}

TEST(Layers, PublicHeadersOfCoreShowNoForeignTypes) {
  for (const SourceFile& file : sourcesUnder("core")) {
    if (!file.path.ends_with(".h") || isPrivateHeader(file.path)) {
      continue;
    }
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"torch/", "ATen/", "c10/", "opencv2/", "cuda", "libpq",
                                           "sqlite3", "SQLiteCpp/"}) ||
                   isPrivateHeader(include))
          << file.path << ": " << include;
    }
  }
}

/// Appends the folders below `folder` in the order of its CMakeLists.txt, each before its own
/// rooms.
void appendFoldersInOrder(const std::string& folder, std::vector<std::string>& folders) {
  std::ifstream list(test::sourceDir() / folder / "CMakeLists.txt");
  const std::regex pattern(R"(^\s*add_subdirectory\((\w+)\))");
  for (std::string line; std::getline(list, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) {
      folders.push_back(folder + "/" + match[1].str());
      appendFoldersInOrder(folders.back(), folders);
    }
  }
}

/// Position in `folders` of the folder of `path`, the innermost one that is listed.
std::size_t rankOf(const std::vector<std::string>& folders, const std::string& path) {
  std::size_t rank = folders.size();
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (path.starts_with(folders[i] + "/") &&
        (rank == folders.size() || folders[i].size() > folders[rank].size())) {
      rank = i;
    }
  }
  return rank;
}

void expectOnlyIncludesFromBelow(const std::string& root, std::size_t min_folders) {
  std::vector<std::string> folders;
  appendFoldersInOrder(root, folders);
  ASSERT_GE(folders.size(), min_folders);
  for (const SourceFile& file : sourcesUnder(root)) {
    const std::size_t own = rankOf(folders, file.path);
    if (own == folders.size()) {
      continue;  // The program itself may include everything.
    }
    for (const std::string& include : file.includes) {
      if (!include.starts_with(root + "/")) {
        continue;
      }
      const std::size_t rank = rankOf(folders, include);
      ASSERT_LT(rank, folders.size()) << file.path << ": " << include;
      // A folder and its rooms, such as code for one kind of device, may know each other.
      const bool related =
          folders[rank].starts_with(folders[own]) || folders[own].starts_with(folders[rank]);
      EXPECT_TRUE(rank <= own || related) << file.path << ": " << include;
    }
  }
}

TEST(Layers, FoldersOfCoreIncludeOnlyWhatLiesBelow) {
  expectOnlyIncludesFromBelow("core", 20U);
}
TEST(Layers, FoldersOfAppIncludeOnlyWhatLiesBelow) {
  expectOnlyIncludesFromBelow("app", 9U);
}

TEST(Layers, WidgetsKnowOnlyBase) {
  for (const SourceFile& file : sourcesUnder("widgets")) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"app/", "torch/", "ATen/"}))
          << file.path << ": " << include;
      EXPECT_TRUE(include.rfind("core/", 0) != 0 || include.rfind("core/base/", 0) == 0)
          << file.path << ": " << include;
    }
  }
}

TEST(Layers, TheCommandLineNeedsNoQt) {
  for (const SourceFile& file : sourcesUnder("app/cli")) {
    for (const std::string& include : file.includes) {
      EXPECT_FALSE(startsWithAny(include, {"Q", "widgets/"})) << file.path << ": " << include;
    }
  }
}

}  // namespace
}  // namespace dubito
