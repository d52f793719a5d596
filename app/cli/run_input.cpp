// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_input.h"

#include "core/io/prediction_file.h"
#include "core/io/run_file.h"

namespace dubito::cli {

CLI::Option* RunInput::declare(CLI::App& app) {
  return app.add_flag("--verify", verify,
                      "verify the checksums of run files in full; by default arrays larger than "
                      "16 MiB are skipped");
}

Status RunInput::check(const std::string& spec, RunContext& context) const {
  return verify && isRunFile(spec) ? verifyRunFile(spec, context) : Status();
}

Expected<Run> RunInput::open(const std::string& spec, RunContext& context) const {
  if (Status sound = check(spec, context); !sound) {
    return failWith(sound);
  }
  return openPredictions(spec, context);
}

}  // namespace dubito::cli
