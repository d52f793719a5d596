// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include whom, read from the sources themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
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

/// The folders and libraries below a folder in the order in which the CMakeLists.txt add and
/// declare them, counted together.
struct Order {
  std::map<std::string, std::size_t> folders;
  std::map<std::string, std::size_t> sources;  ///< library of each source, without ending
  std::set<std::string> layered;  ///< folders that add sources to libraries declared elsewhere
  /// Sources added to libraries that are not declared yet.
  std::map<std::string, std::vector<std::string>> added;
  std::size_t next = 0;
};

std::string withoutEnding(const std::string& path) {
  return std::filesystem::path(path).replace_extension().string();
}

/// The CMakeLists.txt of `folder` without its comments.
std::string commandsOf(const std::string& folder) {
  std::ifstream list(test::sourceDir() / folder / "CMakeLists.txt");
  std::string commands;
  for (std::string line; std::getline(list, line);) {
    commands += line.substr(0, line.find('#')) + '\n';
  }
  return commands;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

void appendLibrary(const std::string& folder, const std::vector<std::string>& words, Order& order) {
  std::vector<std::string> sources = order.added[words.at(0)];
  order.added.erase(words[0]);
  bool are_sources = false;
  for (const std::string& word : words) {
    if (std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; })) {
      are_sources = word == "SOURCES";
    } else if (are_sources) {
      sources.push_back(folder + "/" + word);
    }
  }
  for (const std::string& source : sources) {
    order.sources.emplace(withoutEnding(source), order.next);
  }
  ++order.next;
}

void appendInOrder(const std::string& folder, Order& order) {
  const std::string commands = commandsOf(folder);
  std::size_t begin = 0;
  for (std::size_t open = commands.find('('); open != std::string::npos;
       open = commands.find('(', begin)) {
    const std::size_t close = std::min(commands.find(')', open), commands.size());
    const std::vector<std::string> before = wordsOf(commands.substr(begin, open - begin));
    const std::vector<std::string> words = wordsOf(commands.substr(open + 1, close - open - 1));
    const std::string command = before.empty() ? "" : before.back();
    begin = close;
    if (command == "add_subdirectory") {
      const std::string room = folder + "/" + words.at(0);
      order.folders[room] = order.next++;
      appendInOrder(room, order);
    } else if (command == "dubito_add_library") {
      appendLibrary(folder, words, order);
    } else if (command == "dubito_add_sources") {
      order.layered.insert(folder);
      for (std::size_t i = 1; i < words.size(); ++i) {
        order.added[words[0]].push_back(folder + "/" + words[i]);
      }
    }
  }
}

/// Where code lies: in a library, or, if it is no source and has no source of its own name, in a
/// folder.
struct Place {
  std::string folder;  ///< the innermost one that is listed; empty: none
  std::optional<std::size_t> library;
  std::size_t rank = 0;  ///< of the library, or else of the folder
};

Place placeOf(const Order& order, const std::string& path) {
  static const std::regex suffix("_(torch|cv|cuda|pq|eigen)$");
  Place place;
  for (const auto& [folder, rank] : order.folders) {
    if (path.starts_with(folder + "/") && folder.size() > place.folder.size()) {
      place.folder = folder;
      place.rank = rank;
    }
  }
  const std::string name = withoutEnding(path);
  for (const std::string& source : {name, std::regex_replace(name, suffix, "")}) {
    if (const auto found = order.sources.find(source);
        found != order.sources.end() && !place.library) {
      place.library = found->second;
      place.rank = found->second;
    }
  }
  return place;
}

/// Whether `file` may include `include`.
bool liesBelow(const Order& order, const Place& include, const Place& file) {
  if (include.rank <= file.rank) {
    return true;
  }
  // A folder and its rooms, such as code for one kind of device, may know each other; but what
  // belongs to several layers follows their order.
  const bool related =
      include.folder.starts_with(file.folder) || file.folder.starts_with(include.folder);
  const bool by_layer = include.folder == file.folder || order.layered.contains(include.folder) ||
                        order.layered.contains(file.folder);
  return related && !(include.library && file.library && by_layer);
}

void expectOnlyIncludesFromBelow(const std::string& root, std::size_t min_folders) {
  Order order;
  appendInOrder(root, order);
  ASSERT_GE(order.folders.size(), min_folders);
  for (const auto& [library, sources] : order.added) {
    ADD_FAILURE() << library << " has sources but is not declared after them: " << sources.at(0);
  }
  for (const SourceFile& file : sourcesUnder(root)) {
    const Place own = placeOf(order, file.path);
    if (own.folder.empty()) {
      continue;  // The program itself may include everything.
    }
    EXPECT_TRUE(own.library || !order.layered.contains(own.folder))
        << file.path << ": list it with the sources of its library";
    for (const std::string& include : file.includes) {
      if (!include.starts_with(root + "/")) {
        continue;
      }
      const Place place = placeOf(order, include);
      ASSERT_FALSE(place.folder.empty()) << file.path << ": " << include;
      EXPECT_TRUE(liesBelow(order, place, own)) << file.path << ": " << include;
    }
  }
}

TEST(Layers, CodeOfCoreIncludesOnlyWhatLiesBelow) {
  expectOnlyIncludesFromBelow("core", 20U);
}
TEST(Layers, CodeOfAppIncludesOnlyWhatLiesBelow) {
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
