// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/threads_flag.h"

namespace dubito::cli {

void declareThreads(CLI::App& app, int& threads) {
  app.add_option(kThreadsFlag, threads, "number of CPU threads; 0: all")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
}

}  // namespace dubito::cli
