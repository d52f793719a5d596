// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/regular_file.h"
#include "core/train/checkpoint_torch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <fstream>

#include "core/io/atomic_file.h"

namespace dubito {
namespace {

constexpr int kVersion = 2;

nlohmann::json toJson(const Checkpoint& checkpoint) {
  nlohmann::json epochs = nlohmann::json::array();
  for (const EpochReport& report : checkpoint.epochs) {
    epochs.push_back({report.epoch, report.train_loss, report.train_accuracy, report.seconds,
                      toJson(report.drop_rates)});
  }
  const TrainingPosition& at = checkpoint.position;
  return {{"version", kVersion},
          {"settings", checkpoint.settings},
          {"position", {at.epoch, at.batch, at.loss_sum, at.correct, at.seconds}},
          {"epochs", epochs}};
}

/// Throws nlohmann's exceptions if the structure is different.
void readJson(const nlohmann::json& json, const TrainingLoop& loop, Checkpoint& checkpoint) {
  const nlohmann::json& at = json.at("position");
  checkpoint.position = {at.at(0), at.at(1), at.at(2), at.at(3), at.at(4)};
  checkpoint.epochs.clear();
  for (const nlohmann::json& report : json.at("epochs")) {
    checkpoint.epochs.push_back(
        {report.at(0), report.at(1), report.at(2), report.at(3), dropRatesFromJson(report.at(4))});
  }
  const auto finished = static_cast<std::int64_t>(checkpoint.epochs.size());
  if (checkpoint.position.epoch != finished || checkpoint.position.batch < 0 ||
      checkpoint.position.batch >= loop.batchesPerEpoch()) {
    throw std::runtime_error("its position is invalid");
  }
}

/// "seed 1 instead of 2", for every setting that differs.
std::vector<std::string> differences(const nlohmann::json& begun, const nlohmann::json& wanted) {
  std::vector<std::string> found;
  for (const auto& [name, value] : wanted.items()) {
    const nlohmann::json before = begun.value(name, nlohmann::json());
    if (before != value) {
      found.push_back(fmt::format("{} {} instead of {}", name, before.dump(), value.dump()));
    }
  }
  return found;
}

}  // namespace

Status writeCheckpoint(const Checkpoint& checkpoint, const TrainingLoop& loop,
                       const std::string& path) {
  const std::vector<char> bytes = torch::jit::pickle_save(
      c10::ivalue::Tuple::create({toJson(checkpoint).dump(), loop.state()}));
  return writeFileAtomically(path, std::string_view(bytes.data(), bytes.size()));
}

Status readCheckpoint(const std::string& path, Checkpoint& checkpoint, TrainingLoop& loop) {
  if (Status is_file = checkRegularFile(path); !is_file) {
    return is_file;
  }
  try {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    const c10::IValue content = torch::jit::pickle_load(bytes);
    const auto& parts = content.toTupleRef().elements();
    const auto json = nlohmann::json::parse(parts.at(0).toStringRef());
    if (json.at("version") != kVersion) {
      throw std::runtime_error(fmt::format("version {}", json.at("version").dump()));
    }
    if (const auto other = differences(json.at("settings"), checkpoint.settings); !other.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the file contains an unfinished training run with {}; use its "
                              "original options, or start over",
                              path, fmt::join(other, ", ")),
                  {setting("restart")});
    }
    readJson(json, loop, checkpoint);
    loop.restore(parts.at(1));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the unfinished training run cannot be read; start over", path),
                {setting("restart")}, exception.what());
  }
  return {};
}

}  // namespace dubito
