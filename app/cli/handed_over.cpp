// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that dubito-cli leaves to dubito-cli-networks: libtorch alone takes longer to load
// than most other commands to run.
#include "app/cli/lab/lab_commands.h"
#include "app/cli/program.h"

namespace dubito::cli {
namespace {

[[noreturn]] Command handOver(CLI::App& app) {
  throw HandedOver{app.get_name()};
}

}  // namespace

Command inspectCommand(CLI::App& app) {
  return handOver(app);
}

Command labCommand(CLI::App& app) {
  return labCommandWith(app, {.rotation = handOver});
}

Command laplaceCommand(CLI::App& app) {
  return handOver(app);
}

Command predictCommand(CLI::App& app) {
  return handOver(app);
}

Command studyCommand(CLI::App& app) {
  return handOver(app);
}

Command trainCommand(CLI::App& app) {
  return handOver(app);
}

Command whyCommand(CLI::App& app) {
  return handOver(app);
}

}  // namespace dubito::cli
