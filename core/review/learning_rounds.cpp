// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/learning_rounds.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_integer.h"
#include "core/base/regular_file.h"
#include "core/io/atomic_file.h"

namespace dubito {
namespace {

constexpr const char* kRoundsFormat = "dubito learning rounds";
constexpr int kRoundsVersion = 1;

nlohmann::json jsonOfCount(const RightCount& count) {
  return {{"items", count.items}, {"right", count.right}};
}

RightCount countOfJson(const nlohmann::json& object) {
  return {integerFrom<std::int64_t>(object.at("items")),
          integerFrom<std::int64_t>(object.at("right"))};
}

nlohmann::json jsonOfRound(const LearningRound& round) {
  return {{"time_ms", round.time_ms},
          {"labels", round.labels},
          {"classes", round.classes},
          {"sequence", round.sequence},
          {"backbone", round.backbone},
          {"backbone_hash", round.backbone_hash},
          {"model", round.model},
          {"held_out", jsonOfCount(round.held_out)},
          {"given", jsonOfCount(round.given)}};
}

/// Throws what nlohmann::json throws.
LearningRound roundOfJson(const nlohmann::json& object) {
  LearningRound round;
  round.time_ms = integerFrom<std::int64_t>(object.at("time_ms"));
  round.labels = integerFrom<std::int64_t>(object.at("labels"));
  round.classes = integerFrom<std::int64_t>(object.at("classes"));
  round.sequence = integerFrom<std::int64_t>(object.at("sequence"));
  round.backbone = object.at("backbone").get<std::string>();
  round.backbone_hash = object.at("backbone_hash").get<std::string>();
  round.model = object.at("model").get<std::string>();
  round.held_out = countOfJson(object.at("held_out"));
  round.given = countOfJson(object.at("given"));
  return round;
}

bool isPossible(const RightCount& count) {
  return count.right >= 0 && count.right <= count.items;
}

tl::unexpected<Error> damagedRounds(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: is damaged ({}); remove or rename it to begin a new learning curve",
                          path, reason));
}

}  // namespace

Expected<std::vector<LearningRound>> readLearningRounds(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return std::vector<LearningRound>();
  }
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check its permissions", path));
  }
  try {
    const nlohmann::json object = nlohmann::json::parse(text);
    if (object.at("format") != kRoundsFormat) {
      return damagedRounds(path, "it is no learning curve");
    }
    if (integerFrom<int>(object.at("schema_version")) > kRoundsVersion) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: was written by a newer version of the program; update it", path));
    }
    std::vector<LearningRound> rounds;
    for (const nlohmann::json& round : object.at("rounds")) {
      rounds.push_back(roundOfJson(round));
      if (!isPossible(rounds.back().held_out) || !isPossible(rounds.back().given)) {
        return damagedRounds(path, "its counts are impossible");
      }
    }
    return rounds;
  } catch (const nlohmann::json::exception& exception) {
    return damagedRounds(path, exception.what());
  }
}

Status addLearningRounds(const std::string& path, const std::vector<LearningRound>& rounds) {
  auto all = readLearningRounds(path);
  if (!all) {
    return failWith(all);
  }
  all->insert(all->end(), rounds.begin(), rounds.end());
  nlohmann::json object{{"format", kRoundsFormat}, {"schema_version", kRoundsVersion}};
  object["rounds"] = nlohmann::json::array();
  for (const LearningRound& round : *all) {
    object["rounds"].push_back(jsonOfRound(round));
  }
  return writeFileAtomically(
      path, object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace dubito
