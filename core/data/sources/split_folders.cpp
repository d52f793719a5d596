// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/split_folders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace dubito {
namespace {

enum class Split { kTrain, kValidation, kTest };

struct SplitWord {
  std::string_view word;
  Split split;
};

constexpr std::array<SplitWord, 20> kSplitWords{{{"train", Split::kTrain},
                                                 {"training", Split::kTrain},
                                                 {"trn", Split::kTrain},
                                                 {"val", Split::kValidation},
                                                 {"valid", Split::kValidation},
                                                 {"validate", Split::kValidation},
                                                 {"validation", Split::kValidation},
                                                 {"dev", Split::kValidation},
                                                 {"devel", Split::kValidation},
                                                 {"development", Split::kValidation},
                                                 {"calib", Split::kValidation},
                                                 {"calibration", Split::kValidation},
                                                 {"test", Split::kTest},
                                                 {"testing", Split::kTest},
                                                 {"tst", Split::kTest},
                                                 {"eval", Split::kTest},
                                                 {"evaluation", Split::kTest},
                                                 {"holdout", Split::kTest},
                                                 {"heldout", Split::kTest},
                                                 {"ood", Split::kTest}}};
/// Words next to them: "train_images", "test set".
constexpr std::array<std::string_view, 12> kFillWords{"images", "image",   "imgs",  "img",
                                                      "set",    "data",    "split", "seg",
                                                      "dir",    "dataset", "files", "photos"};
/// Folders that are often next to splits and are no class either.
constexpr std::array<std::string_view, 6> kCompanions{"pred",       "predict",        "unlabeled",
                                                      "unlabelled", "unlabeled_data", "extra"};

/// The words of a name in lower case, without digits and separators.
std::vector<std::string> wordsOf(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char letter : name) {
    const char lower =
        letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    if (lower >= 'a' && lower <= 'z') {
      words.back() += lower;
    } else if ((letter & 0x80) != 0) {
      return {};  // no English word
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

bool isFill(std::string_view word) {
  return std::ranges::find(kFillWords, word) != kFillWords.end();
}

/// "train", "trainset" or "testimages".
std::optional<Split> splitOfWord(std::string_view word) {
  for (const auto& [name, split] : kSplitWords) {
    if (word == name || (word.starts_with(name) && isFill(word.substr(name.size())))) {
      return split;
    }
  }
  return std::nullopt;
}

std::optional<Split> splitOf(const std::string& name) {
  std::optional<Split> split;
  for (const std::string& word : wordsOf(name)) {
    const auto of_word = splitOfWord(word);
    if ((!of_word && !isFill(word)) || (of_word && split && *split != *of_word)) {
      return std::nullopt;
    }
    split = of_word ? of_word : split;
  }
  return split;
}

bool isCompanion(const std::string& name) {
  const std::vector<std::string> words = wordsOf(name);
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kCompanions, word) != kCompanions.end();
  });
}

/// What a direct subfolder holds.
struct Contents {
  bool has_own_images = false;
  std::set<std::string_view> folders;  ///< with images
};

std::map<std::string_view, Contents> contentsOf(const FolderScan& scan) {
  std::map<std::string_view, Contents> contents;
  for (const std::string_view image : scan.images) {
    const std::size_t slash = image.find('/');
    if (slash == std::string_view::npos) {
      continue;
    }
    Contents& of_folder = contents[image.substr(0, slash)];
    const std::size_t second = image.find('/', slash + 1);
    if (second == std::string_view::npos) {
      of_folder.has_own_images = true;
    } else {
      of_folder.folders.insert(image.substr(slash + 1, second - slash - 1));
    }
  }
  return contents;
}

}  // namespace

std::vector<std::string> splitFolders(const FolderScan& scan) {
  std::vector<std::string> splits;
  std::set<Split> kinds;
  bool has_classes = false;
  bool all_nested = true;
  for (const auto& [name, contents] : contentsOf(scan)) {
    const std::string folder(name);
    if (const auto split = splitOf(folder)) {
      splits.push_back(folder);
      kinds.insert(*split);
      all_nested = all_nested && !contents.has_own_images;
    } else {
      has_classes = has_classes || !isCompanion(folder);
    }
  }
  const bool are_splits = !has_classes || (kinds.size() > 1 && all_nested);
  return are_splits ? splits : std::vector<std::string>();
}

std::optional<std::string> sameFoldersNote(const FolderScan& scan) {
  const auto contents = contentsOf(scan);
  const bool alike =
      contents.size() > 1 && std::ranges::all_of(contents, [&contents](const auto& entry) {
        const Contents& of_folder = entry.second;
        return !of_folder.has_own_images && of_folder.folders.size() > 1 &&
               of_folder.folders == contents.begin()->second.folders;
      });
  if (!alike) {
    return std::nullopt;
  }
  return fmt::format(
      "each of the {} class folders holds the same folders ({}); if these are the classes, open "
      "one "
      "of the class folders instead",
      contents.size(), fmt::join(contents.begin()->second.folders, ", "));
}

}  // namespace dubito
