// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/window_program.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "widgets/theme.h"

namespace dubito {

int runWindowBenchmark(int argc, char** argv, std::span<const CountFlag> flags,
                       const std::function<nlohmann::json(PaintClock&)>& measure) {
  CLI::App arguments;
  for (const CountFlag& flag : flags) {
    arguments.add_option(flag.name, *flag.value)->check(CLI::PositiveNumber)->capture_default_str();
  }
  CLI11_PARSE(arguments, argc, argv);
  setenv("QT_QPA_PLATFORM", "offscreen", 0);
  PaintClock application(argc, argv);
  applyTheme(application, Theme::light());
  std::printf("%s\n", measure(application).dump(2).c_str());
  return 0;
}

}  // namespace dubito
