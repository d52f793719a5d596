// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/field_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "app/cli/report_flags.h"
#include "app/studies/active_learning/curve_means.h"
#include "app/studies/active_learning/learning_curve.h"
#include "app/studies/active_learning/study.h"
#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/base/rank_group.h"

namespace dubito::study {
namespace {

struct Arguments {
  ActiveLearning experiment;
  std::vector<double> errors = {0.1, 0.05};
  int threads = 1;
  bool print_only = false;
  cli::ReportFlags report;
};

void printFinished(const FinishedCurve& curve) {
  // Replaces a progress line.
  const char* const begin = isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
  const auto minutes = std::lround(curve.seconds_left / 60.0);
  fmt::print(stderr, "{}{}, seed {}: {:.2f} % error at the end; {}\n", begin, curve.by, curve.seed,
             100.0 * curve.error,
             curve.points_left == 0
                 ? "nothing left"
                 : fmt::format("{} rounds left, about {} min", curve.points_left, minutes));
}

Status reportCurves(const Arguments& arguments, const RunContext& context) {
  const ActiveLearning& experiment = arguments.experiment;
  const auto curves = readCurves(experiment, context);
  if (!curves) {
    return failWith(curves);
  }
  const auto summaries =
      summarise(*curves, lastLabels(experiment.options, experiment.labels), arguments.errors);
  if (summaries.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no curves yet; compute them first", experiment.folder));
  }
  const std::string csv = (std::filesystem::path(experiment.folder) / "curves.csv").string();
  if (Status written = writeLines(csv, curvesCsv(summaries)); !written) {
    return written;
  }
  std::string text;
  for (const std::string& line : labelsNeededTable(summaries)) {
    text += line + "\n";
  }
  return arguments.report.report(toJson(summaries), text);
}

Status learnActively(const Arguments& arguments, RunContext& context) {
  context.threads = arguments.threads;
  if (!arguments.print_only) {
    if (Status computed = computeCurves(arguments.experiment, printFinished, context); !computed) {
      return computed;
    }
  }
  const bool leads = !context.ranks || context.ranks->rank() == 0;
  return leads ? reportCurves(arguments, context) : Status();
}

}  // namespace

Study activeLearning(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "active-learning",
      "accuracy against number of labels, if a network chooses which items of a pool to label "
      "next, for several acquisitions; an interrupted command continues, and mpirun shares the "
      "curves");
  const auto arguments = std::make_shared<Arguments>();
  ActiveLearning& experiment = arguments->experiment;
  app->add_option("train", experiment.train,
                  "training items, from which the pool is drawn: " + cli::datasetHelp())
      ->required();
  app->add_option("test", experiment.test, "test items")->required();
  app->add_option("-o,--output", experiment.folder, "folder of the curves and of curves.csv")
      ->required();
  app->add_option("--by", experiment.by, "acquisitions, as in review queue --by")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--labels", experiment.labels, "labels at the end of a curve")
      ->capture_default_str();
  app->add_option("--seeds", experiment.seeds, "number of seeds")->capture_default_str();
  app->add_option("--errors", arguments->errors, "test errors of the table")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_option("--threads", arguments->threads, "number of threads of each process")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_flag("--print-only", arguments->print_only,
                "print the table of the curves so far, without computing any");
  cli::declareFields(*app, experiment.options.fields(), "Experiment");
  arguments->report.declareJson(*app);
  return {app, [arguments](RunContext& context) { return learnActively(*arguments, context); },
          /*shares_work=*/true};
}

}  // namespace dubito::study
