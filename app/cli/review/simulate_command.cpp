// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/queue_flags.h"
#include "app/cli/review/review_commands.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/simulate.h"
#include "core/review/true_labels.h"

namespace dubito::cli {
namespace {

struct Arguments {
  QueueFlags queue;
  std::string truth;
  std::vector<double> shares = usualReviewShares();
  ReportFlags output;
};

nlohmann::json toJson(const Arguments& arguments, const QueueRun& opened,
                      const ReviewSimulation& simulation) {
  nlohmann::json object{{"truth", arguments.truth},
                        {"n", simulation.items},
                        {"errors", simulation.errors},
                        {"length", simulation.queue.length()},
                        {"shares", simulation.shares},
                        {"reviewed", simulation.reviewed},
                        {"found", simulation.found},
                        {"random",
                         {{"found", simulation.found_in_random_order},
                          {"expected", simulation.expected_in_random_order}}}};
  arguments.queue.addTo(object, opened, simulation.queue);
  return object;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string toText(const QueueRun& opened, const ReviewSimulation& simulation) {
  std::string text = describeQueue(opened, simulation.queue);
  text += fmt::format("{} of {} given labels are wrong\n", simulation.errors, simulation.items);
  text += fmt::format("{:>10} {:>8} {:>8} {:>12} {:>16}\n", "reviewed", "", "found", "of all",
                      "random order");
  for (std::size_t i = 0; i < simulation.shares.size(); ++i) {
    text += fmt::format("{:>10} {:>6.1f} % {:>8} {:>10.1f} % {:>14.1f} %\n", simulation.reviewed[i],
                        100.0 * simulation.shares[i], simulation.found[i],
                        percent(simulation.found[i], simulation.errors),
                        percent(simulation.found_in_random_order[i], simulation.errors));
  }
  return text;
}

Status writeShares(const std::string& path, const ReviewSimulation& simulation,
                   RunContext& context) {
  return writeItemLines(
      path, "share,reviewed,found,found_in_random_order,expected_in_random_order",
      static_cast<std::int64_t>(simulation.shares.size()),
      [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        return fmt::format("{},{},{},{},{}", number(simulation.shares[k]), simulation.reviewed[k],
                           simulation.found[k], simulation.found_in_random_order[k],
                           number(simulation.expected_in_random_order[k]));
      },
      context);
}

Status simulate(const Arguments& arguments, RunContext& context) {
  auto opened = arguments.queue.open(context);
  if (!opened) {
    return failWith(opened);
  }
  opened->bind();
  const auto truth = readTrueLabels(arguments.truth, opened->run, context);
  if (!truth) {
    return failWith(truth);
  }
  const auto simulation = simulateReview(opened->run, *truth, arguments.queue.options,
                                         opened->inputs, arguments.shares, context);
  if (!simulation) {
    return failWith(simulation);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeShares(arguments.output.csv, *simulation, context); !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *opened, *simulation),
                                 toText(*opened, *simulation));
}

}  // namespace

Command reviewSimulateCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->queue.compares_with_random = true;
  arguments->queue.declare(app);
  app.add_option(
         "--truth", arguments->truth,
         "true labels: npy in the order of the run, csv with the columns id and label, or a "
         "run")
      ->required();
  app.add_option("--shares", arguments->shares,
                 "shares of the items reviewed, comma-separated numbers from 0 to 1")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1.0));
  arguments->output.declare(app, "CSV file for the counts");
  return {[arguments](RunContext& context) { return simulate(*arguments, context); }};
}

}  // namespace dubito::cli
