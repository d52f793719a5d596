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

/// Where a word is looked up.
enum class In {
  kText,     ///< whole lines
  kPresent,  ///< whole lines, but not those of the history in CHANGELOG.md
  kCode,     ///< sources without their strings and comments
};

struct Word {
  const char* part;     ///< every match contains it
  const char* pattern;  ///< regular expression
  const char* better;
  In in = In::kText;
};

constexpr Word kWords[] = {
    {"kMost", R"(\bkMost)", "kMax..."},
    {"most_", R"(\bmost_(?!likely)[a-z])", "max_..."},
    {"most", R"(\bmost\b)", "max_...", In::kCode},
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
    {" her ", R"(\bher\b)", "their"},
    {" she ", R"(\bshe\b)", "they"},
    {"sked", R"(\b[Aa]sked\b)", "requested; name who does what", In::kPresent},
    // Keys of files and of std:: stay.
    {"romise", R"((^|[^":`,a-z])[Pp]romise|[a-z]Promise)", "guarantee", In::kPresent},
    {"Where", R"((^|[^/])// Where\b)", "If, or a noun"},
    {"Where", R"(/// Where [^.:;,]*, (a|it|its|no|none|only|that|the|they|this)\b)", "If"},
    {"Where", R"((^|[.!?:] )Where\b)", "If", In::kPresent},
};

/// A line of a source without its strings and comment.
std::string codeOf(const std::string& line) {
  static const std::regex other(R"("([^"\\]|\\.)*"|//.*)");
  return std::regex_replace(line, other, "");
}

bool isSource(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cpp" || extension == ".cu";
}

bool isText(const std::filesystem::path& path) {
  return isSource(path) || path.extension() == ".md";
}

/// Whether `word` is in the part of `line` that it is looked up in.
bool isIn(const std::string& line, const std::filesystem::path& path, const Word& word) {
  if (line.find(word.part) == std::string::npos ||
      (word.in == In::kPresent && path.filename() == "CHANGELOG.md") ||
      (word.in == In::kCode && !isSource(path))) {
    return false;
  }
  return std::regex_search(word.in == In::kCode ? codeOf(line) : line, std::regex(word.pattern));
}

/// The words of kWords in a line of a file, by what is better.
std::vector<std::string> foundIn(const std::string& line, const std::filesystem::path& path) {
  std::vector<std::string> better;
  for (const Word& word : kWords) {
    if (isIn(line, path, word)) {
      better.emplace_back(word.better);
    }
  }
  return better;
}

TEST(Words, AreFoundWhereverTheyStand) {
  for (const char* line :
       {"constexpr int kMostItems = 3;", "int most_items = 3;", "const auto most = items.size();",
        "// The text beside the plot.", "// Where there is no label, the row is left out.",
        "/// Where the file is absent, it is made.", "/// A mask. Where none fits, the first.",
        "// Mend the order.", "/// Keeps its promise.", "void showPromises();",
        "// Not asked again.", "// The labels are hers."}) {
    EXPECT_EQ(foundIn(line, "core/a.cpp").size(), 1U) << line;
  }
  for (const char* line :
       {"/// At most this many items.", "std::vector<int> most_likely;", "fail(\"at most {}\", n);",
        "std::promise<void> done;", "{\"promised\", result.guaranteed},",
        "/// Where a run is stored.", "// The place where it is.", "// Recommended."}) {
    EXPECT_EQ(foundIn(line, "core/a.cpp").size(), 0U) << line;
  }
  EXPECT_EQ(foundIn("Where labels are missing, nothing is counted.", "docs/a.md").size(), 1U);
  EXPECT_EQ(foundIn("Folders are asked for once.", "CHANGELOG.md").size(), 0U);
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
        for (const std::string& better : foundIn(line, entry.path())) {
          ADD_FAILURE() << std::filesystem::relative(entry.path(), root).string() << ":" << number
                        << ": " << line << "\nBetter: " << better;
        }
      }
    }
  }
  EXPECT_GT(files, 1000U);
}

}  // namespace
}  // namespace dubito
