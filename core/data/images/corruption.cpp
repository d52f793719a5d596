// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/corruption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace dubito {
namespace {

constexpr std::array<std::pair<CorruptionKind, const char*>, 6> kNames = {{
    {CorruptionKind::kNoise, "noise"},
    {CorruptionKind::kBlur, "blur"},
    {CorruptionKind::kBrightness, "brightness"},
    {CorruptionKind::kContrast, "contrast"},
    {CorruptionKind::kRotation, "rotation"},
    {CorruptionKind::kOcclusion, "occlusion"},
}};

class CorruptedDataset : public Dataset {
 public:
  CorruptedDataset(DatasetPtr base, const Corruption& corruption, DatasetInfo info)
      : base_(std::move(base)), corruption_(corruption), info_(std::move(info)) {}

  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] std::int64_t size() const override { return base_->size(); }
  [[nodiscard]] std::span<const std::int64_t> ids() const override { return base_->ids(); }
  [[nodiscard]] std::span<const std::int64_t> labels() const override { return base_->labels(); }
  [[nodiscard]] std::span<const Attribute> attributes() const override {
    return base_->attributes();
  }
  [[nodiscard]] std::string itemName(std::int64_t index) const override {
    return base_->itemName(index);
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    auto sample = base_->read(index);
    return sample ? corrupted(*sample, corruption_, ids()[static_cast<std::size_t>(index)])
                  : sample;
  }

 private:
  DatasetPtr base_;
  Corruption corruption_;
  DatasetInfo info_;
};

}  // namespace

const std::vector<CorruptionKind>& allCorruptions() {
  static const std::vector<CorruptionKind> kinds = [] {
    std::vector<CorruptionKind> all;
    all.reserve(kNames.size());
    for (const auto& [kind, name] : kNames) {
      all.push_back(kind);
    }
    return all;
  }();
  return kinds;
}

std::string toString(CorruptionKind kind) {
  return std::ranges::find(kNames, kind, &std::pair<CorruptionKind, const char*>::first)->second;
}

Expected<Corruption> parseCorruption(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto known =
      std::ranges::find_if(kNames, [&](const auto& entry) { return name == entry.second; });
  double severity = 0.0;
  bool is_number = false;
  if (colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, severity);
    is_number = error == std::errc() && stopped == end;
  }
  if (known == kNames.end() || !is_number || !(severity >= 0.0) ||
      severity > Corruption::kMostSeverity) {
    std::vector<std::string> names;
    for (const CorruptionKind kind : allCorruptions()) {
      names.push_back(toString(kind));
    }
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("corrupt={} is not understood; write one of {} with a severity from 0 "
                            "to {}, as in corrupt=noise:3",
                            text, fmt::join(names, ", "), Corruption::kMostSeverity));
  }
  return Corruption{known->first, severity};
}

std::string toString(const Corruption& corruption) {
  return fmt::format("{}:{}", toString(corruption.kind), corruption.severity);
}

DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption, DatasetInfo info) {
  return std::make_shared<const CorruptedDataset>(std::move(base), corruption, std::move(info));
}

DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption) {
  DatasetInfo info = base->info();
  info.name = fmt::format("{} · {} {}", info.name, toString(corruption.kind), corruption.severity);
  if (!info.spec.empty()) {
    info.spec += fmt::format("{}corrupt={}", info.spec.find('?') == std::string::npos ? "?" : "&",
                             toString(corruption));
  }
  return corruptedDataset(std::move(base), corruption, std::move(info));
}

}  // namespace dubito
