// SPDX-License-Identifier: GPL-3.0-or-later
// Types of equal names in one namespace are one type to the linker, which keeps one destructor and
// one copy of each inline member for both. A program with two of them breaks without a message.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

/// The name of the type that a line of a header defines in a namespace; forward declarations and
/// members of other types are none.
std::optional<std::string> definedType(const std::string& line) {
  static const std::regex definition(
      R"(^(struct|class|enum class) ([A-Za-z]\w*)( final)?( :.*| \{.*)?$)");
  std::smatch match;
  return std::regex_match(line, match, definition) ? std::optional(match[2].str()) : std::nullopt;
}

TEST(TypeNames, DefinitionsAreRecognised) {
  for (const char* const line :
       {"struct Tile {", "class Tile : public QWidget {", "enum class Tile {",
        "class Tile final : public Shape {", "struct Tile {};"}) {
    EXPECT_EQ(definedType(line), "Tile") << line;
  }
  for (const char* const line : {"struct Tile;", "  struct Tile {", "class Tile* first();"}) {
    EXPECT_EQ(definedType(line), std::nullopt) << line;
  }
}

TEST(TypeNames, EachTypeIsDefinedInOneHeader) {
  const auto root = test::sourceDir();
  std::map<std::pair<std::string, std::string>, std::set<std::string>>
      headers;  // by namespace, name
  static const std::regex opened(R"(^namespace ([\w:]+) \{$)");
  for (const char* const folder : {"core", "app", "widgets"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string path = std::filesystem::relative(entry.path(), root).string();
      // The command line is another program than the window.
      if (entry.path().extension() != ".h" || path.starts_with("app/cli/")) {
        continue;
      }
      std::ifstream stream(entry.path());
      std::string space;
      std::string before;
      std::smatch match;
      for (std::string line; std::getline(stream, line); before = line) {
        // Instances of a template have other names than a type.
        if (std::regex_match(line, match, opened)) {
          space = match[1];
        } else if (const auto name = definedType(line); name && !before.starts_with("template")) {
          headers[{space, *name}].insert(path);
        }
      }
    }
  }
  EXPECT_GT(headers.size(), 1000U);
  for (const auto& [type, defined_in] : headers) {
    EXPECT_EQ(defined_in.size(), 1U)
        << type.first << "::" << type.second << " is defined in " << *defined_in.begin() << " and "
        << *defined_in.rbegin() << "; give one of them another name";
  }
}

}  // namespace
}  // namespace dubito
