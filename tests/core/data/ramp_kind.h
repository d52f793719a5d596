// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <numeric>

#include "core/data/sources/array_dataset.h"
#include "core/data/sources/dataset_kinds.h"

namespace dubito::test {

/// What a file of the kind begins with.
inline constexpr const char* kRampBytes = "RAMP";

/// ramp:FILE?count=N: the numbers from 0 to N - 1 as vectors [1], by default 4 of them. A kind that
/// no list of the program knows.
class RampKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "ramp"; }
  [[nodiscard]] std::string location() const override { return "FILE"; }
  [[nodiscard]] std::string label() const override { return "Ramps"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"ramp:FILE?count=9", "the first numbers"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = "count", .label = "Count", .help = "how many numbers"}}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {"*.ramp"}; }
  [[nodiscard]] bool claimsName(const std::string& name) const override {
    return name.ends_with(".ramp");
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    return path.first_bytes == kRampBytes ? MatchConfidence::kCertain : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return {location};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    return {{canonicalPath(spec.location)}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& /*context*/) const override {
    const Expected<std::int64_t> count = integerOption(spec, "count", 4, 1, 1000);
    if (!count) {
      return failWith(count);
    }
    std::vector<float> values(static_cast<std::size_t>(*count));
    std::iota(values.begin(), values.end(), 0.0F);
    DatasetInfo info;
    info.name = std::filesystem::path(spec.location).stem().string();
    info.spec = toString(spec);
    return std::make_shared<const ArrayDataset>(
        std::move(info), Array<float>::fromVector({*count, 1}, std::move(values)),
        std::vector<std::int64_t>(static_cast<std::size_t>(*count), 0));
  }
};

/// Adds the kind once; the other tests of a program do not notice.
inline void addRampKind() {
  if (findDatasetKind("ramp") == nullptr) {
    addDatasetKind(std::make_shared<const RampKind>());
  }
}

}  // namespace dubito::test
