// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/error_text.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/grouped_digits.h"
#include "core/models/guessed_preprocessing.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The string literals of a source file, neighbours joined as the compiler does.
std::vector<std::string> literalsOf(const fs::path& path) {
  const std::string text = textOf(path);
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

void forSourcesOfCore(const std::function<void(const fs::path& path)>& visit) {
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(test::sourceDir() / "core")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") {
      ++seen;
      visit(entry.path());
    }
  }
  EXPECT_GT(seen, 500) << "the sources are not found any more";
}

/// The first group of each match in the sources of core.
std::set<std::string> foundInCore(const std::regex& pattern) {
  std::set<std::string> found;
  forSourcesOfCore([&](const fs::path& path) {
    const std::string text = textOf(path);
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end;
         ++match) {
      found.insert((*match)[1]);
    }
  });
  return found;
}

Error errorWith(std::string message, std::vector<Setting> settings) {
  return {ErrorCode::kInvalidArgument, std::move(message), {}, {.settings = std::move(settings)}};
}

TEST(ErrorText, ASettingFollowsWithTheLabelOfTheForm) {
  EXPECT_EQ(errorText(errorWith("net.pt: cut short -- or damaged", {})),
            "net.pt: cut short -- or damaged");
  EXPECT_EQ(errorText(errorWith("use the last layer", {setting("layers", "last")})),
            "use the last layer (Layers: last)");
  EXPECT_EQ(errorText(errorWith("laplace needs items; give them", {setting("fit")})),
            "laplace needs items; give them (Fitted on)");
}

TEST(ErrorText, ValuesOfSettingsAndNotesAreWordsOfTheWindow) {
  EXPECT_EQ(errorText(errorWith("too large", {setting("structure", "kron")})),
            "too large (Structure: Kronecker)");
  const Note note = guessedPreprocessingNote({"input size"}, {});
  const QString shown = noteText(note);
  EXPECT_TRUE(shown.endsWith("set the correct values with Edit preprocessing…"))
      << shown.toStdString();
  EXPECT_EQ(noteText(takenFrom("net", note)), "net: " + shown);
  EXPECT_EQ(noteText("NLL 0.2 -> 0.1"), QStringLiteral("NLL 0.2 → 0.1"));
  EXPECT_EQ(metadataSourceText(ModelMetadata()), "nothing given, guessed");
}

TEST(ErrorText, SeveralSettingsStandInTheOrderOfTheWords) {
  EXPECT_EQ(errorText(errorWith("use fewer items at once, or allow more",
                                {setting("batch", "8"), setting("memory")})),
            "use fewer items at once, or allow more (Batch: 8, Memory)");
}

TEST(ErrorText, ALabelThatTheMessageSaysIsNotRepeated) {
  EXPECT_EQ(errorText(errorWith("Batch is 0; it must lie in [1, 9]", {setting("batch")})),
            "Batch is 0; it must lie in [1, 9]");
  EXPECT_EQ(errorText(errorWith("choose a smaller batch, or allow more",
                                {setting("batch"), setting("memory")})),
            "choose a smaller batch, or allow more (Memory)");
  // Its value is not in the message.
  EXPECT_EQ(errorText(errorWith("choose a smaller batch", {setting("batch", "8")})),
            "choose a smaller batch (Batch: 8)");
}

TEST(ErrorText, ASettingWithoutAFormIsLeftOut) {
  EXPECT_EQ(errorText(errorWith("the folder has results; continue", {setting("no_such_option")})),
            "the folder has results; continue");
  EXPECT_EQ(errorText(errorWith("continue, or use the last layer",
                                {setting("no_such_option", "7"), setting("layers", "last")})),
            "continue, or use the last layer (Layers: last)");
  EXPECT_EQ(optionLabel("no_such_option"), QString());
}

TEST(ErrorText, ASettingMayBeLeftOut) {
  EXPECT_EQ(errorText(errorWith("nothing is held out", {omitted("validation_share")})),
            "nothing is held out (no Validation share)");
}

TEST(ErrorText, SettingsOfDatasetsAndNetworksHaveTheirOwnForms) {
  EXPECT_EQ(errorText(errorWith("its label is 12; take some of them, or compare with them",
                                {datasetSetting("classes"), datasetSetting("role", "ood")})),
            "its label is 12; take some of them, or compare with them (Classes, Role: OOD)");
  EXPECT_EQ(errorText(errorWith("use fewer", {datasetSetting("items", "0:N")})),
            "use fewer (Items: 0:N)");
  EXPECT_EQ(errorText(errorWith("several tensors can be scores", {metadataSetting("output_key")})),
            "several tensors can be scores (Class scores)");
  EXPECT_EQ(errorText(errorWith("the images have other sizes", {metadataSetting("input_size")})),
            "the images have other sizes (Preprocessing)");
  EXPECT_EQ(errorText(errorWith(
                "name the classes, or open the dataset as out-of-distribution",
                {metadataSetting("classes"), setting("metadata"), datasetSetting("role", "ood")})),
            "name the classes, or open the dataset as out-of-distribution (Preprocessing, Role: "
            "OOD)");
}

QString counted(std::int64_t count) {
  return QString::fromStdString(groupedDigits(count));
}

TEST(ErrorText, CountsHaveGroupedDigitsAndNumbersOfOtherThingsDoNot) {
  EXPECT_EQ(errorText(errorWith("a.csv: has 10000 rows, but digits has 2000 images", {})),
            QStringLiteral("a.csv: has %1 rows, but digits has %2 images")
                .arg(counted(10000), counted(2000)));
  EXPECT_EQ(
      noteText("Temperature 1.5, fitted on 5000 items: NLL 0.25 -> 0.125"),
      QStringLiteral("Temperature 1.5, fitted on %1 items: NLL 0.25 → 0.125").arg(counted(5000)));
  for (const char* const same : {"item 12345 is damaged", "mnist-2000 images.gz is absent",
                                 "1000:2000 items", "0.12345 of them", "999 items", "seed 20241"}) {
    EXPECT_EQ(noteText(same), QString::fromUtf8(same));
  }
  EXPECT_EQ(errorText(errorWith("choose classes, or set the role ood", {})),
            "choose classes, or set the role OOD");
}

TEST(ErrorText, WordsAreShownAsTheyAre) {
  EXPECT_EQ(errorText(errorWith("it has no effect", {neededWords("a method with draws")})),
            "it has no effect (a method with draws)");
}

TEST(ErrorText, AMessageKeepsPercentSigns) {
  EXPECT_EQ(errorText(errorWith("a %1 of 95 %2", {setting("layers", "%1")})),
            "a %1 of 95 %2 (Layers: %1)");
}

TEST(ErrorText, ARequirementNamesAllSettingsOrOneOfThem) {
  EXPECT_EQ(requirementText({}), QString());
  EXPECT_EQ(requirementText(oneUnless(true, {setting("layers", "last")})), QString());
  EXPECT_EQ(requirementText(oneUnless(false, {setting("layers", "above 1"),
                                              setting("dropout", "fixed, concrete or multi")})),
            "Layers: above 1 or Dropout: fixed, concrete or multi");
  EXPECT_EQ(requirementText(allUnless(false, {setting("layers", "1"), setting("batch")})),
            "Layers: 1 and Batch");
  EXPECT_EQ(requirementText(oneUnless(false, {neededWords("Resize: shorter-side")})),
            "Resize: shorter-side");
}

// Every message of core may reach the window; none may advise what only a command line has.
TEST(ErrorText, NoMessageOfCoreNamesAFlag) {
  const std::regex of_command_line(
      R"(--[a-z]|\?(role|items|classes)=|\brole=[a-z{]|.output_key|output_key.)");
  int seen = 0;
  forSourcesOfCore([&](const fs::path& path) {
    const std::string name = path.filename().string();
    // Lines to copy are for another program; what is wrong in a metadata file is quoted as it is
    // written there.
    const bool is_of_another = name == "export_lines.cpp" || name == "model_metadata.cpp";
    for (const std::string& literal : literalsOf(path)) {
      ++seen;
      EXPECT_FALSE(!is_of_another && std::regex_search(literal, of_command_line))
          << path << ": " << literal;
    }
  });
  EXPECT_GT(seen, 5000) << "the messages are not found any more";
}

TEST(ErrorText, EverySettingOfCoreHasALabel) {
  const std::set<std::string> only_in_a_command = {"allow_same_split"};
  const auto names = foundInCore(std::regex(R"re(\b(?:setting|omitted)\(\s*"([a-z0-9_]+)")re"));
  EXPECT_GT(names.size(), 40U) << "the settings are not found any more";
  for (const std::string& name : names) {
    EXPECT_EQ(optionLabel(QString::fromStdString(name)).isEmpty(), only_in_a_command.contains(name))
        << name;
  }
}

// The window's own texts.
TEST(ErrorText, NoTextOfTheWindowNamesAFlag) {
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
          name == "study_runner.cpp" || name == "open_model.cpp") {
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
