// SPDX-License-Identifier: GPL-3.0-or-later
// Notes are found by their kind (core/base/note.h): no source searches in their texts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

/// Whether a line of a source searches in the text of a note, as in `note.text.find("guessed")`.
bool searchesInNote(const std::string& line) {
  static const std::regex search(
      R"(\bnotes?(\[[^\]]*\]|\.(front|back)\(\))?\)?((\.|->)text)?\)?(\.|->))"
      R"((r?find|starts_with|ends_with|contains|compare|substr|startsWith|endsWith|indexOf)\()");
  return std::regex_search(line, search);
}

TEST(Notes, SearchesInTheirTextsAreRecognised) {
  for (const char* const line :
       {"if (note.find(kPhrase) != npos) {", "note.text.starts_with(kPhrase);",
        "return note->text.contains(kPhrase);", "toText(note).find(kPhrase);",
        "noteText(note).startsWith(kPhrase)", "run.meta.notes[0].text.find(kPhrase)",
        "notes.back().substr(0, 3)"}) {
    EXPECT_TRUE(searchesInNote(line)) << line;
  }
  for (const char* const line :
       {"const auto notes = node.find(\"notes\");", "std::ranges::find(notes, note);",
        "object.contains(\"note\")", "noted.find(key)"}) {
    EXPECT_FALSE(searchesInNote(line)) << line;
  }
}

TEST(Notes, AreNotSearchedForPhrases) {
  // They read notes of files: with their kinds, and those of earlier versions.
  const std::set<std::string> readers{"core/io/earlier_notes.cpp", "core/io/note_kinds.cpp"};
  const auto root = test::sourceDir();
  std::set<std::string> searching;
  for (const char* const folder : {"core", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) {
        continue;
      }
      const std::string path = std::filesystem::relative(entry.path(), root).string();
      std::ifstream stream(entry.path());
      int number = 0;
      for (std::string line; std::getline(stream, line);) {
        ++number;
        if (searchesInNote(line)) {
          searching.insert(path);
          EXPECT_TRUE(readers.contains(path))
              << path << ":" << number << ": " << line << "\nGive the note a kind instead.";
        }
      }
    }
  }
  EXPECT_EQ(searching, readers);
}

}  // namespace
}  // namespace dubito
