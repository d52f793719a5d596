// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "tests/benchmark/paint_clock.h"

namespace dubito {

/// A count that the command line of a benchmark can change: `--NAME N`.
struct CountFlag {
  const char* name;
  std::int64_t* value;
};

/// The main program of a benchmark of the window: reads the counts, then prints what `measure`
/// returns as JSON. Offscreen unless QT_QPA_PLATFORM is set. Returns the exit status.
int runWindowBenchmark(int argc, char** argv, std::span<const CountFlag> flags,
                       const std::function<nlohmann::json(PaintClock&)>& measure);

}  // namespace dubito
