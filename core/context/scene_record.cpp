// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/context/scene_solver.h"
#include "core/io/npz_file.h"
#include "core/io/run_file.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr const char* kSceneKey = "scene";
constexpr const char* kAloneKey = "log_alone";
constexpr const char* kScoresKey = "pair_scores";
/// Of log probabilities as stored.
constexpr double kLogTolerance = 0.1;

/// Whether the arrays of a record hold log probabilities and scores.
bool isSound(const SceneRecord& record) {
  const bool finite = std::ranges::all_of(record.scores.values(),
                                          [](double score) { return std::isfinite(score); });
  if (!finite || !PairFactors::create({.scores = record.scores}, record.weight)) {
    return false;
  }
  const double least = -std::log(static_cast<double>(record.log_alone.extent(1))) - kLogTolerance;
  for (std::int64_t i = 0; i < record.log_alone.extent(0); ++i) {
    const auto row = record.log_alone.row(i);
    const bool ordered =
        std::ranges::none_of(row, [](float log) { return std::isnan(log) || log > kLogTolerance; });
    if (!ordered || std::ranges::max(row) < least) {
      return false;
    }
  }
  return true;
}

/// The second most probable class of a row of probabilities.
std::int64_t runnerUp(const Run& run, std::int64_t row, std::int64_t first) {
  std::int64_t second = first == 0 ? 1 : 0;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    if (k != first && run.prob(row, k) > run.prob(row, second)) {
      second = k;
    }
  }
  return second;
}

}  // namespace

SceneRecord sceneRecord(const Run& run, const Scenes& scenes, const PairScores& scores,
                        double weight) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(run.itemCount()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const Array<double> alone = LogProbsAlone(run).ofMean(rows);
  auto log_alone = Array<float>::zeros(alone.shape());
  std::ranges::transform(alone.values(), log_alone.mutableData(),
                         [](double log) { return static_cast<float>(log); });
  return {.scene = Array<std::int64_t>::fromVector(scenes.of_row),
          .log_alone = log_alone,
          .scores = scores.scores,
          .weight = weight};
}

Status writeContextRun(const Run& run, const SceneRecord& record, const std::string& path,
                       RunContext& context) {
  constexpr RunAxes kPerPair{RunAxis::kClass, RunAxis::kClass};
  Run with_record = run;
  const std::vector<NamedArray> arrays = {{kSceneKey, kPerItem, record.scene},
                                          {kAloneKey, kPerClass, record.log_alone},
                                          {kScoresKey, kPerPair, record.scores}};
  for (const NamedArray& array : arrays) {
    std::erase_if(with_record.others,
                  [&](const NamedArray& other) { return other.key == array.key; });
    with_record.others.push_back(array);
  }
  return writeRun(with_record, path, context);
}

Expected<std::optional<SceneRecord>> readSceneRecord(const std::string& path, const Run& run) {
  const auto npz = NpzFile::open(path);
  if (!npz) {
    return failWith(npz);
  }
  if (!npz->contains(kSceneKey) || !npz->contains(kAloneKey) || !npz->contains(kScoresKey)) {
    return std::nullopt;
  }
  const auto scene = npz->read(kSceneKey);
  const auto alone = npz->read(kAloneKey);
  const auto scores = npz->read(kScoresKey);
  for (const auto* const array : {&scene, &alone, &scores}) {
    if (!*array) {
      return failWith(*array);
    }
  }
  auto numbers = toInt64(*scene, path + ": " + kSceneKey);
  if (!numbers) {
    return failWith(numbers);
  }
  SceneRecord record{
      .scene = *std::move(numbers), .log_alone = toFloat(*alone), .scores = toDouble(*scores)};
  const std::int64_t items = run.itemCount();
  const std::int64_t classes = run.classCount();
  const auto options =
      nlohmann::json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  const bool has_weight =
      options.is_object() && options.contains("weight") && options["weight"].is_number();
  if (has_weight) {
    record.weight = options["weight"].get<double>();
  }
  if (record.scene.shape() != std::vector{items} ||
      record.log_alone.shape() != std::vector{items, classes} ||
      record.scores.shape() != std::vector{classes, classes} || !has_weight || !isSound(record)) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its record of scenes does not fit the run; compute the context "
                            "again",
                            path));
  }
  return record;
}

Expected<std::optional<ExplainedItem>> explainItem(const Run& run, const SceneRecord& record,
                                                   std::int64_t row) {
  const std::int64_t scene = record.scene.data()[row];
  std::vector<std::int64_t> members;
  for (std::int64_t i = 0; scene >= 0 && i < record.scene.size(); ++i) {
    if (record.scene.data()[i] == scene) {
      members.push_back(i);
    }
  }
  if (members.size() < 2 || run.classCount() < 2) {
    return std::nullopt;
  }
  const auto factors = PairFactors::create({.scores = record.scores}, record.weight);
  if (!factors) {
    return failWith(factors);
  }
  auto log_probs = Array<double>::zeros({std::ssize(members), run.classCount()});
  for (std::int64_t i = 0; i < std::ssize(members); ++i) {
    std::ranges::copy(record.log_alone.row(members[static_cast<std::size_t>(i)]),
                      log_probs.mutableRow(i).begin());
  }
  const auto before = [&](std::int64_t member) { return argmax(record.log_alone.row(member)); };
  ExplainedItem item;
  item.to = run.predictions.data()[row];
  item.changed = before(row) != item.to;
  item.from = item.changed ? before(row) : runnerUp(run, row, item.to);
  const auto place = std::ranges::find(members, row) - members.begin();
  const LabelReasons reasons = explainLabel(log_probs, place, item.from, item.to, *factors, {});
  item.own = reasons.own;
  item.loops = reasons.loops;
  item.total = reasons.total;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] != row) {
      item.others.push_back({.row = members[i],
                             .before = before(members[i]),
                             .after = run.predictions.data()[members[i]],
                             .message = reasons.messages[i]});
    }
  }
  std::ranges::stable_sort(item.others, std::greater<>(),
                           [](const SceneNeighbour& other) { return std::abs(other.message); });
  return item;
}

}  // namespace dubito
