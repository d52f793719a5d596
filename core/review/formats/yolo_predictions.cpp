// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/yolo_predictions.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/lower_case.h"
#include "core/io/csv.h"
#include "core/review/formats/small_text.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTextsPerStep = 64;

/// `names:` of a data.yaml: "[a, b]", "- a" lines or "0: a" lines.
std::vector<std::string> namesOfYaml(std::string_view text) {
  std::vector<std::string> names;
  bool inside = false;
  for (const std::string_view line : trimmedLines(text)) {
    if (line.starts_with("names:")) {
      inside = true;
      std::string_view list = trimmed(line.substr(std::string_view("names:").size()));
      if (list.starts_with('[') && list.ends_with(']')) {
        list = list.substr(1, list.size() - 2);
        while (!list.empty()) {
          const std::size_t comma = std::min(list.find(','), list.size());
          names.push_back(unquoted(list.substr(0, comma)));
          list.remove_prefix(std::min(comma + 1, list.size()));
        }
        return names;
      }
    } else if (inside && line.starts_with("- ")) {
      names.push_back(unquoted(line.substr(2)));
    } else if (inside) {
      const std::size_t colon = line.find(':');
      const auto number = parseInteger(line.substr(0, std::min(colon, line.size())));
      if (colon == std::string_view::npos || number != std::ssize(names)) {
        break;
      }
      names.push_back(unquoted(line.substr(colon + 1)));
    }
  }
  return names;
}

std::vector<std::string> namesIn(const std::string& folder) {
  if (const auto text = smallText((fs::path(folder) / "classes.txt").string())) {
    std::vector<std::string> names;
    for (const std::string_view line : trimmedLines(*text)) {
      names.emplace_back(line);
    }
    while (!names.empty() && names.back().empty()) {
      names.pop_back();
    }
    return names;
  }
  const auto yaml = smallText((fs::path(folder) / "data.yaml").string());
  return yaml ? namesOfYaml(*yaml) : std::vector<std::string>();
}

bool isScore(double value) {
  return value >= 0.0 && value <= 1.0;  // not NaN
}

struct ScoredName {
  std::string name;
  double score = 0.0;
};

/// The classification in a line; nothing for another line.
std::optional<ScoredName> classificationOf(std::string_view line,
                                           const std::vector<std::string>& names) {
  const std::size_t space = line.find_first_of(" \t");
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view first = line.substr(0, space);
  const std::string_view rest = trimmed(line.substr(space));
  const auto number = parseInteger(first);
  const auto score = parseNumber(rest);
  if (number && *number >= 0 && score && isScore(*score)) {
    const bool is_named = *number < std::ssize(names);
    return ScoredName{is_named ? names[static_cast<std::size_t>(*number)] : std::to_string(*number),
                      *score};
  }
  const auto leading = parseNumber(first);
  if (!number && leading && isScore(*leading) && !rest.empty()) {
    return ScoredName{std::string(rest), *leading};
  }
  return std::nullopt;
}

/// Five or more numbers.
bool isShape(std::string_view line) {
  constexpr int kNumbersOfBox = 5;
  int numbers = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    if (!parseNumber(line.substr(0, end))) {
      return false;
    }
    ++numbers;
    line = trimmed(line.substr(end));
  }
  return numbers >= kNumbersOfBox;
}

LabelRow rowOf(const std::string& file, const std::vector<ScoredName>& scored, ClassIds& classes) {
  LabelRow row;
  row.path = fs::path(file).replace_extension().generic_string();
  const auto best = std::ranges::max_element(scored, {}, &ScoredName::score);
  row.class_id = classes.idOf(best->name);
  row.probability = static_cast<float>(best->score);
  row.origin = LabelOrigin::kModel;
  double sum = 0.0;
  for (const ScoredName& each : scored) {
    sum += each.score;
  }
  // Scores have two decimals. The best five of many classes are not the scores of all.
  const double rounding = 0.005 * static_cast<double>(scored.size()) + 1e-9;
  if (scored.size() > 1 && std::abs(sum - 1.0) <= rounding) {
    for (const ScoredName& each : scored) {
      const auto k = static_cast<std::size_t>(classes.idOf(each.name));
      row.probs.resize(std::max(row.probs.size(), k + 1), 0.0F);
      row.probs[k] = static_cast<float>(each.score);
    }
  }
  return row;
}

}  // namespace

bool isYoloText(const std::string& file) {
  const std::string name = lowerCase(fs::path(file).filename().string());
  return name.ends_with(".txt") && name != "classes.txt" && name != "readme.txt" &&
         name != "readme.roboflow.txt" && name != "readme.dataset.txt" && name != "license.txt" &&
         name != "train.txt" && name != "val.txt" && name != "test.txt";
}

bool beginsLikeYolo(std::string_view head) {
  const std::vector<std::string_view> lines = trimmedLines(head);
  return !lines.empty() && (isShape(lines.front()) || classificationOf(lines.front(), {}));
}

Expected<YoloPredictions> readYoloPredictions(const std::string& folder,
                                              const std::vector<std::string>& files,
                                              const std::vector<std::string>& given_names,
                                              ClassIds& classes, RunContext& context) {
  std::vector<std::string> names = namesIn(folder);
  names = names.empty() ? given_names : names;
  YoloPredictions result;
  for (const std::string& name : names) {
    (void)classes.idOf(name);
  }
  std::int64_t count = 0;
  for (const std::string& file : files) {
    if (!isYoloText(file)) {
      continue;
    }
    if (count++ % kTextsPerStep == 0 &&
        context.step("reading", count - 1, std::ssize(files)) == Step::kCancel) {
      return cancelled();
    }
    const auto text = smallText((fs::path(folder) / file).string());
    std::vector<ScoredName> scored;
    bool is_known = text.has_value();
    for (const std::string_view line :
         trimmedLines(text ? std::string_view(*text) : std::string_view())) {
      if (line.empty()) {
        continue;
      }
      if (isShape(line)) {
        ++result.boxes;
      } else if (auto each = classificationOf(line, names)) {
        scored.push_back(*std::move(each));
      } else {
        is_known = false;
      }
    }
    if (!is_known) {
      result.unreadable.push_back(file);
    } else if (!scored.empty()) {
      result.rows.push_back(rowOf(file, scored, classes));
    }
  }
  return result;
}

}  // namespace dubito
