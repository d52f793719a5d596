// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "core/decisions/conformal.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"

namespace dubito::cli {
namespace {

struct Arguments {
  CalibrationPairFlags runs;
  ConformalOptions options;
  FieldFlags flags;
  ReportFlags output;
};

nlohmann::json toJson(const Arguments& arguments, const CalibrationPair& pair,
                      const ConformalThreshold& threshold, const ConformalSets& sets) {
  ConformalOptions options = arguments.options;
  nlohmann::json object{{"n", sets.items},
                        {"classes", pair.run.classCount()},
                        {"options", fieldsToJson(options.fields())},
                        {"mean_size", sets.meanSize()},
                        {"empty_share", sets.emptyShare()},
                        {"sizes", sets.sizes},
                        {"labelled", sets.labelled},
                        {"calibration", {{"n", threshold.n}, {"order", threshold.order}}}};
  arguments.runs.addTo(object, pair);
  if (sets.labelled > 0) {
    object["coverage"] = sets.coverage();
  }
  if (std::isfinite(threshold.threshold)) {
    object["calibration"]["threshold"] = threshold.threshold;
  }
  return object;
}

std::string toText(const Arguments& arguments, const CalibrationPair& pair,
                   const ConformalThreshold& threshold, const ConformalSets& sets) {
  std::string text;
  for (const std::string& note : textsOf(pair.notes)) {
    text += fmt::format("note: {}\n", note);
  }
  text += fmt::format("{} sets, alpha {}: threshold {:.6g}, rank {} of {} calibration scores\n",
                      arguments.options.score, arguments.options.alpha, threshold.threshold,
                      threshold.order, threshold.n);
  if (threshold.order > threshold.n) {
    text += "too few calibration items for this alpha: every set contains all classes\n";
  }
  if (sets.labelled > 0) {
    text += fmt::format("coverage    {:.2f} % of {} labelled items\n", 100.0 * sets.coverage(),
                        sets.labelled);
  }
  text += fmt::format("mean size   {:.4f} of {} classes\nempty sets  {:.2f} %\n", sets.meanSize(),
                      pair.run.classCount(), 100.0 * sets.emptyShare());
  for (std::size_t size = 0; size < sets.sizes.size(); ++size) {
    if (sets.sizes[size] > 0) {
      text += fmt::format("size {:<5}  {} items\n", size, sets.sizes[size]);
    }
  }
  return text;
}

/// One line per item; `covered` is empty if the true class is unknown.
Status writeSets(const std::string& path, const Run& run, const ConformalOptions& options,
                 double threshold, RunContext& context) {
  ConformalScorer scorer(options);
  return writeItemLines(
      path, "id,label,size,covered,classes", run.itemCount(),
      [&](std::int64_t i) {
        const std::vector<std::int64_t> set = std::visit(
            [&](const auto& probs) { return conformalSet(scorer(probs.row(i)), threshold); },
            *run.probs);
        const std::int64_t label = run.labels.data()[i];
        const bool covered = std::ranges::binary_search(set, label);
        return fmt::format("{},{},{},{},{}", run.ids.data()[i], label, set.size(),
                           label < 0 ? ""
                           : covered ? "1"
                                     : "0",
                           fmt::join(set, " "));
      },
      context);
}

Status computeSets(const Arguments& arguments, RunContext& context) {
  ConformalOptions options = arguments.options;
  if (Status used = rejectIneffectiveFlags(arguments.flags.uses(options.fields())); !used) {
    return used;
  }
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto pair = arguments.runs.open(context);
  if (!pair) {
    return failWith(pair);
  }
  const auto threshold =
      calibrateConformal(pair->calibration, arguments.runs.calibration, arguments.options, context);
  if (!threshold) {
    return failWith(threshold);
  }
  const auto sets = conformalSets(pair->run, arguments.runs.run, threshold->threshold,
                                  arguments.options, context);
  if (!sets) {
    return failWith(sets);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeSets(arguments.output.csv, pair->run, arguments.options,
                                   threshold->threshold, context);
        !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *pair, *threshold, *sets),
                                 toText(arguments, *pair, *threshold, *sets));
}

}  // namespace

Command conformalCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->runs.declare(app);
  arguments->flags = declareFields(app, arguments->options.fields(), "Sets");
  arguments->output.declare(app, "CSV file to write: prediction set of each item");
  return {[arguments](RunContext& context) { return computeSets(*arguments, context); }};
}

}  // namespace dubito::cli
