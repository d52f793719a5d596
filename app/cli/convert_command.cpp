// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/run_input.h"
#include "core/base/json_text.h"
#include "core/io/mapped_file.h"
#include "core/io/run_file.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string predictions;
  RunInput input;
  std::string output;
  bool as_json = false;
};

Status convert(const Arguments& arguments, RunContext& context) {
  const auto run = arguments.input.openLabelled(arguments.predictions, context);
  if (!run) {
    return failWith(run);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (Status written = writeRun(*run, arguments.output, context); !written) {
    return written;
  }
  if (arguments.as_json) {
    const nlohmann::json report = {{"output", arguments.output},
                                   {"n", run->itemCount()},
                                   {"classes", run->classCount()},
                                   {"notes", run->meta.notes}};
    fmt::print("{}\n", jsonText(report, 2));
    return {};
  }
  fmt::print("{}: {} items, {} classes\n", arguments.output, run->itemCount(), run->classCount());
  for (const std::string& note : run->meta.notes) {
    fmt::print("note: {}\n", note);
  }
  return {};
}

}  // namespace

Command convertCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("predictions", arguments->predictions,
                 "npz, npy (PROBS.npy,LABELS.npy) or csv file with probabilities and labels")
      ->required();
  app.add_option("-o,--output", arguments->output, "run file to write (.npz)")->required();
  arguments->input.declareLabels(app);
  arguments->input.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) { return convert(*arguments, context); }};
}

}  // namespace dubito::cli
