// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/noise_rule.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

constexpr double kMinNoise = 1e-6;
constexpr double kMaxNoise = 1e6;

}  // namespace

Expected<NoiseRule> parseNoiseRule(const std::string& text) {
  if (text == "auto") {
    return NoiseRule{NoiseRule::Kind::kEvidence};
  }
  if (text == "shared") {
    return NoiseRule{NoiseRule::Kind::kShared};
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stopped == end && value >= kMinNoise && value <= kMaxNoise) {
    return NoiseRule{NoiseRule::Kind::kValue, value};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the noise is {}; use auto, shared or a number between {:g} and {:g}",
                          inQuotes(text), kMinNoise, kMaxNoise),
              {setting("noise_from")});
}

FieldInfo noiseFieldInfo() {
  return {.name = "noise_from",
          .label = "Noise from",
          .help =
              "standard deviation of the noise: auto (maximises the evidence), shared (the one "
              "of all methods) or a number, in units of the scaled targets",
          .forms = {{.prefix = "auto", .label = "auto"},
                    {.prefix = "shared", .label = "shared"},
                    {.prefix = "", .label = "number", .number = 0.3, .above = 0.0}}};
}

}  // namespace dubito
