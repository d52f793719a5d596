// SPDX-License-Identifier: GPL-3.0-or-later
// Words that no colleague would say, in names, comments, messages and pages of the documentation.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

struct Word {
  const char* part;     ///< every match contains it
  const char* pattern;  ///< regular expression
  const char* better;
};

constexpr Word kWords[] = {
    {"kMost", R"(\bkMost)", "kMax..."},
    {"most_", R"(\bmost_(?!likely)[a-z])", "max_..."},
    {"eside", R"(\b[Bb]eside\b)", "next to, in addition to, compared with"},
    {"end", R"(\b[Mm]end(s|ed|ing)?\b)", "fix"},
    {"items a batch", R"(\bitems a batch\b)", "items per batch"},
    {"honest", R"(\bhonest\b)", "name the property: exact, unbiased, measured"},
    {"strangers", R"(\bstrangers\b)", "out-of-distribution images"},
    {"there", R"(\b([Ww]here|of which) there (is|are) none\b)", "if absent"},
    {"kept apart", R"(\bkept apart\b)", "separate"},
    {"comes about", R"(\bcomes about\b)", "is computed from, is caused by"},
    {"faulty", R"(\bfaulty\b)", "invalid"},
    {"hers", R"(\bhers\b)", "theirs"},
};

bool isText(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".md";
}

TEST(Words, AreThoseThatAColleagueWouldSay) {
  const auto root = test::sourceDir();
  std::size_t files = 0;
  std::vector<std::filesystem::directory_entry> entries;
  std::ranges::copy(std::filesystem::directory_iterator(root), std::back_inserter(entries));
  for (const char* folder : {"core", "app", "widgets", "docs"}) {
    std::ranges::copy(std::filesystem::recursive_directory_iterator(root / folder),
                      std::back_inserter(entries));
  }
  for (const auto& entry : entries) {
    if (entry.is_regular_file() && isText(entry.path())) {
      ++files;
      std::ifstream stream(entry.path());
      int number = 0;
      for (std::string line; std::getline(stream, line);) {
        ++number;
        for (const auto& [part, pattern, better] : kWords) {
          if (line.find(part) != std::string::npos) {
            EXPECT_FALSE(std::regex_search(line, std::regex(pattern)))
                << std::filesystem::relative(entry.path(), root).string() << ":" << number << ": "
                << line << "\nBetter: " << better;
          }
        }
      }
    }
  }
  EXPECT_GT(files, 1000U);
}

}  // namespace
}  // namespace dubito
