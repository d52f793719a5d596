// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/window_words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <vector>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// The string literals of a source file, neighbours joined as the compiler does.
std::vector<std::string> literalsOf(const fs::path& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> literals;
  std::string literal;
  bool inside = false;
  bool between = false;  // white space alone since the last one
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (inside) {
      if (letter == '\\') {
        literal += text[++i];
      } else if (letter == '"') {
        inside = false;
        between = true;
      } else {
        literal += letter;
      }
    } else if (letter == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = text.find('\n', i);
    } else if (letter == '\'') {
      i += text[i + 1] == '\\' ? 3 : 2;
    } else if (letter == '"') {
      inside = true;
      if (!between && !literal.empty()) {
        literals.push_back(std::exchange(literal, {}));
      }
    } else if (std::isspace(static_cast<unsigned char>(letter)) == 0) {
      between = false;
    }
  }
  literals.push_back(literal);
  return literals;
}

TEST(WindowWords, TheChooserOfAnOutputIsNamed) {
  EXPECT_EQ(
      withWindowLabels("net.pt: its forward returns 2 tensors, of which several can be class "
                       "scores [N, classes]: 0 'a' [N, 4], 1 'b' [N, 4]; write the name or "
                       "position of the one with the class scores into the model's metadata, as "
                       "in \"output_key\": \"a\""),
      "net.pt: its forward returns 2 tensors, of which several can be class scores [N, "
      "classes]: 0 'a' [N, 4], 1 'b' [N, 4]; choose one in the 'Class scores' dialog");
  EXPECT_EQ(
      withWindowLabels("The network returns 2 tensors; the class scores are 'a', as output_key "
                       "says"),
      "The network returns 2 tensors; the class scores are 'a', as its preprocessing says");
}

TEST(WindowWords, OptionsOfTheCommandLineBecomeLabels) {
  EXPECT_EQ(withWindowLabels("use the last layer (--layers last)"),
            "use the last layer (Layers: last)");
  EXPECT_EQ(withWindowLabels("choose a smaller batch (--batch)"),
            "choose a smaller batch ('Batch')");
  EXPECT_EQ(withWindowLabels("laplace needs items; give them with --fit"),
            "laplace needs items; choose them under 'Fitted on'");
  EXPECT_EQ(withWindowLabels("classes 0 to 9; choose classes with ?classes=, or set ?role=ood"),
            "classes 0 to 9; choose Classes in the dataset's menu, or choose the role ood in the "
            "dataset's menu");
  EXPECT_EQ(withWindowLabels("net.pt: cut short -- or damaged"), "net.pt: cut short -- or damaged");
}

// Every message of core may reach the window; none may advise what only a command line has.
TEST(WindowWords, SpecificationsStayAsTheyAreTyped) {
  const std::string typed = "folder:/data/x?role=tst: no role is called tst";
  EXPECT_EQ(withWindowLabels(typed), typed);
  EXPECT_EQ(withWindowLabels("choose another ?role="), "choose another the role ");
}

TEST(WindowWords, NoMessageOfCoreNamesAFlagInTheWindow) {
  const std::regex of_command_line(R"(--[a-z]|\?role=|\brole=(train|ood|calibration|test))");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(test::sourceDir() / "core")) {
    if (entry.path().extension() != ".cpp") {
      continue;
    }
    for (const std::string& literal : literalsOf(entry.path())) {
      // Lines to copy are for another program.
      const bool is_to_copy = literal.starts_with("python -m ");
      if (!is_to_copy && std::regex_search(literal, of_command_line)) {
        ++seen;
        EXPECT_FALSE(std::regex_search(withWindowLabels(literal), of_command_line))
            << entry.path() << ": " << withWindowLabels(literal);
      }
    }
  }
  EXPECT_GT(seen, 40) << "the messages are not found any more";
}

// The window's own texts.
TEST(WindowWords, NoTextOfTheWindowNamesAFlag) {
  const std::regex flag(R"((^|[ (])--[a-z]|\?role=)");
  const fs::path app = test::sourceDir() / "app";
  for (const auto& folder : fs::directory_iterator(app)) {
    const std::string of = folder.path().filename().string();
    if (!folder.is_directory() || of == "cli" || of == "studies") {
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      // They write command lines.
      if (entry.path().extension() != ".cpp" || name == "isolated_compute.cpp" ||
          name == "study_runner.cpp" || name == "open_model.cpp" || name == "window_words.cpp") {
        continue;
      }
      for (const std::string& literal : literalsOf(entry.path())) {
        EXPECT_FALSE(std::regex_search(literal, flag)) << entry.path() << ": " << literal;
      }
    }
  }
}

}  // namespace
}  // namespace dubito
