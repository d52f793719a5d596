// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "app/cli/program.h"
#include "app/cli/review/review_commands.h"

namespace dubito::cli {
namespace {

// In the order of --help.
constexpr std::array kReviewCommands{
    CommandInfo{"queue", "List the items of a run in the order in which to review them",
                reviewQueueCommand},
    CommandInfo{"errors", "Find items whose given label is probably wrong", reviewErrorsCommand},
    CommandInfo{"simulate", "Count the label errors that a review in this order would have found",
                reviewSimulateCommand},
    CommandInfo{"decide", "Record, undo or redo one decision about an item", reviewDecideCommand},
    CommandInfo{"agreement", "Compare the annotators of a label store: Cohen's and Fleiss' kappa",
                reviewAgreementCommand},
    CommandInfo{"audit", "Check labels of the model on a random sample that persons decide",
                reviewAuditCommand},
    CommandInfo{"effect", "Compare given labels with those of persons: what a review has changed",
                reviewEffectCommand},
    CommandInfo{"import", "Read labels from a file of another tool into a label store",
                reviewImportCommand},
    CommandInfo{"classes", "List the classes of a label store, read and write them as files",
                reviewClassesCommand},
    CommandInfo{"export", "Write the labels of a label store in the format of another tool",
                reviewExportCommand}};

}  // namespace

Command reviewCommand(CLI::App& app) {
  app.require_subcommand(1);
  const auto chosen = std::make_shared<Command>();
  for (const CommandInfo& info : kReviewCommands) {
    CLI::App* const sub = app.add_subcommand(info.name, info.help);
    sub->preparse_callback([chosen, &info, sub](std::size_t) { *chosen = info.declare(*sub); });
  }
  return {[chosen](RunContext& context) { return chosen->run(context); }};
}

}  // namespace dubito::cli
