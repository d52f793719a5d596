// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/run_identity.h"
#include "app/cli/run_input.h"
#include "core/decisions/dirichlet_report.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string run;
  RunInput input;
  DirichletOptions options;
  ReportFlags output;
};

nlohmann::json toJson(const Arguments& arguments, const Run& run, const DirichletReport& report) {
  DirichletOptions options = arguments.options;
  nlohmann::json object{{"n", report.items},
                        {"classes", run.classCount()},
                        {"source", report.source},
                        {"options", fieldsToJson(options.fields())},
                        {"labelled", report.labelled},
                        {"mean_size", report.meanSetSize()},
                        {"sizes", report.set_sizes},
                        {"run", identityToJson(arguments.run, run)},
                        {"notes", textsOf(run.meta.notes)}};
  if (report.labelled > 0) {
    object["accuracy_of_sets"] = report.accuracyOfSets();
    object["accuracy"] = report.topAccuracy(1.0);
    object["accuracy_of_plain_sets"] = report.topAccuracy(report.meanSetSize());
  }
  if (report.fulfilled) {
    object["proposition_1"] = {{"classes", report.fulfilled->of_classes},
                               {"predicted_classes", report.fulfilled->of_predicted_classes}};
  }
  nlohmann::json& by_prediction = object["by_prediction"] = nlohmann::json::array();
  for (std::size_t k = 0; k < report.by_prediction.size(); ++k) {
    const ClassVariance& of_class = report.by_prediction[k];
    by_prediction.push_back({{"class", k}, {"items", of_class.items}});
    if (of_class.items > 0) {
      by_prediction.back()["mean_variance"] = of_class.mean_variance;
    }
  }
  return object;
}

std::string toText(const Arguments& arguments, const Run& run, const DirichletReport& report) {
  std::string text;
  for (const std::string& note : textsOf(run.meta.notes)) {
    text += fmt::format("note: {}\n", note);
  }
  text += fmt::format("Dirichlets of {} items: {}\n", report.items, report.source);
  text +=
      fmt::format("top-k sets, T = {}, at most {} classes: mean size {:.4f}\n",
                  arguments.options.threshold, arguments.options.max_classes, report.meanSetSize());
  if (report.labelled > 0) {
    text += fmt::format(
        "true class in the set                       {:.2f} % of {} labelled items\n"
        "true class is most likely                   {:.2f} %\n"
        "true class in plain top-k set, same size    {:.2f} %\n",
        100.0 * report.accuracyOfSets(), report.labelled, 100.0 * report.topAccuracy(1.0),
        100.0 * report.topAccuracy(report.meanSetSize()));
  }
  if (report.fulfilled) {
    text += fmt::format(
        "Hobbhahn's proposition 1 holds for {:.2f} % of all classes, {:.2f} % of the predicted "
        "classes\n",
        100.0 * report.fulfilled->of_classes, 100.0 * report.fulfilled->of_predicted_classes);
  }
  for (std::size_t size = 0; size < report.set_sizes.size(); ++size) {
    if (report.set_sizes[size] > 0) {
      text += fmt::format("size {:<5}  {} items\n", size, report.set_sizes[size]);
    }
  }
  // Longer tables are left to the JSON output.
  constexpr std::size_t kMaxClassesShown = 50;
  if (report.by_prediction.size() <= kMaxClassesShown) {
    text += "mean variance of the probabilities by predicted class\n";
    for (std::size_t k = 0; k < report.by_prediction.size(); ++k) {
      const ClassVariance& of_class = report.by_prediction[k];
      if (of_class.items > 0) {
        text += fmt::format("  {:<20} {:.4g}  ({} items)\n",
                            run.className(static_cast<std::int64_t>(k)), of_class.mean_variance,
                            of_class.items);
      }
    }
  }
  return text;
}

/// CSV line of one item; `covered` is empty if the true class is unknown.
std::string csvLine(const Run& run, std::int64_t i, const ItemDirichlet& item) {
  const std::int64_t label = run.labels.data()[i];
  std::string covered;
  if (label >= 0) {
    covered = std::ranges::find(item.set, label) != item.set.end() ? "1" : "0";
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}", run.ids.data()[i], label, item.prediction,
                     numberText(item.precision), numberText(item.mean_variance),
                     numberText(item.probability), numberText(item.lower), numberText(item.upper),
                     item.set.size(), covered, fmt::join(item.set, " "));
}

Status writeItems(const Arguments& arguments, const Run& run, RunContext& context) {
  const auto dirichlets = RunDirichlets::of(run, arguments.run, arguments.options.source);
  if (!dirichlets) {
    return failWith(dirichlets);
  }
  return writeItemLines(
      arguments.output.csv,
      "id,label,prediction,precision,mean_variance,probability,lower,upper,size,covered,classes",
      run.itemCount(),
      [&](std::int64_t i) {
        return csvLine(run, i, describeItem(dirichlets->alpha(i), arguments.options.rule()));
      },
      context);
}

Status report(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto run = arguments.input.open(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  const auto found = reportDirichlets(*run, arguments.run, arguments.options, context);
  if (!found) {
    return failWith(found);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeItems(arguments, *run, context); !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *run, *found), toText(arguments, *run, *found));
}

}  // namespace

Command dirichletCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("run", arguments->run,
                 "laplace run with a bridge link, or any run with stored draws")
      ->required();
  arguments->input.declare(app);
  declareFields(app, arguments->options.fields(), "Dirichlets");
  arguments->output.declare(
      app, "CSV file to write: precision, variance, interval and set of each item");
  return {[arguments](RunContext& context) { return report(*arguments, context); }};
}

}  // namespace dubito::cli
