// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/corruption_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace dubito {
namespace {

constexpr std::array<std::pair<CorruptionKind, const char*>, 7> kNames = {{
    {CorruptionKind::kNoise, "noise"},
    {CorruptionKind::kBlur, "blur"},
    {CorruptionKind::kBrightness, "brightness"},
    {CorruptionKind::kContrast, "contrast"},
    {CorruptionKind::kRotation, "rotation"},
    {CorruptionKind::kOcclusion, "occlusion"},
    {CorruptionKind::kInversion, "inversion"},
}};

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
      severity > Corruption::kMaxSeverity) {
    std::vector<std::string> names;
    for (const CorruptionKind kind : allCorruptions()) {
      names.push_back(toString(kind));
    }
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("corrupt={} is not understood; write one of {} with a severity from 0 "
                            "to {}, as in noise:3",
                            text, fmt::join(names, ", "), Corruption::kMaxSeverity),
                {datasetSetting("corrupt", "noise:3")});
  }
  return Corruption{known->first, severity};
}

std::string toString(const Corruption& corruption) {
  return fmt::format("{}:{}", toString(corruption.kind), corruption.severity);
}

}  // namespace dubito
