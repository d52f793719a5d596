// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/csv_text.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/queue_flags.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/whole_number.h"
#include "core/base/counted.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/opinion_queues.h"

namespace dubito::cli {
namespace {

/// Items that the text shows.
constexpr std::int64_t kShownItems = 20;

struct Arguments {
  QueueFlags queue;
  std::string labels;
  std::string annotator;
  CLI::Option* annotator_flag = nullptr;
  ReportFlags output;
};

/// What is labelled already.
struct Labelled {
  std::string place = {};  ///< of the label store; empty: none was given
  std::vector<PresentLabel> labels = {};
  std::vector<std::int64_t> settled_ids = {};  ///< items that need no further decision
};

nlohmann::json classOrNull(std::int64_t label) {
  return label >= 0 ? nlohmann::json(label) : nlohmann::json();
}

nlohmann::json toJson(const Arguments& arguments, const QueueRun& opened, const Labelled& labelled,
                      const Queue& queue) {
  nlohmann::json object{{"items", queue.items},
                        {"length", queue.length()},
                        {"limit", arguments.queue.options.limit},
                        {"without_score", queue.without_score},
                        {"beyond_limit", queue.beyond_limit}};
  arguments.queue.addTo(object, opened, queue);
  if (!labelled.place.empty()) {
    object["labels"] = labelled.place;
    object["settled"] = queue.settled;
  }
  nlohmann::json& list = object["queue"] = nlohmann::json::array();
  for (std::size_t i = 0; i < queue.rows.size(); ++i) {
    list.push_back({{"id", queue.ids[i]},
                    {"score", queue.scores[i]},
                    {"suggested", opened.run.predictions.data()[queue.rows[i]]},
                    {"given", classOrNull(opened.run.labels.data()[queue.rows[i]])}});
  }
  return object;
}

std::string toText(const QueueRun& opened, const Queue& queue) {
  const QueueKind& kind = describe(queueOfKey(queue.key).value());
  std::string text = describeQueue(opened, queue);
  std::vector<std::string> left_out;
  if (queue.settled > 0) {
    left_out.push_back(fmt::format("{} already labelled", queue.settled));
  }
  if (queue.without_score > 0) {
    left_out.push_back(fmt::format("{} {}", queue.without_score, kind.left_out));
  }
  text += fmt::format("{} of {}{}{}\n", queue.length(), counted(queue.items, "item"),
                      left_out.empty() ? "" : "; left out: ", fmt::join(left_out, ", "));
  text += fmt::format("{:>8} {:>20} {:>12} {:>16} {:>16}\n", "place", "id", "score", "suggested",
                      "given");
  const std::int64_t shown = std::min(queue.length(), kShownItems);
  for (std::size_t i = 0; i < static_cast<std::size_t>(shown); ++i) {
    const std::int64_t given = opened.run.labels.data()[queue.rows[i]];
    text +=
        fmt::format("{:>8} {:>20} {:>12.6g} {:>16} {:>16}\n", i + 1, queue.ids[i], queue.scores[i],
                    opened.run.className(opened.run.predictions.data()[queue.rows[i]]),
                    given >= 0 ? opened.run.className(given) : "");
  }
  if (shown < queue.length()) {
    text += fmt::format("... and {} more; --csv or --json lists all\n", queue.length() - shown);
  }
  return text;
}

Status writeQueue(const std::string& path, const Run& run, const Queue& queue,
                  RunContext& context) {
  return writeItemLines(
      path, "place,id,score,suggested,given", queue.length(),
      [&](std::int64_t i) {
        const auto place = static_cast<std::size_t>(i);
        const std::int64_t row = queue.rows[place];
        return fmt::format("{},{},{},{},{}", i + 1, queue.ids[place],
                           numberText(queue.scores[place]), run.predictions.data()[row],
                           run.labels.data()[row]);
      },
      context);
}

/// Opens --labels; notes of the store are added to those of the run.
Expected<Labelled> readLabelled(const Arguments& arguments, QueueRun& opened) {
  Labelled labelled;
  if (arguments.labels.empty()) {
    const QueueKind& kind = describe(queueOfKey(arguments.queue.options.by).value());
    if (kind.needs.labels) {
      return usageError(fmt::format("--by {} needs --labels NAME.labels", kind.key));
    }
    return labelled;
  }
  const auto labels =
      openLabelsOf(opened.run, arguments.queue.run, arguments.labels, StoreMode::kReadOnly);
  if (!labels) {
    return failWith(labels);
  }
  addMissing(labels->notes, opened.notes);
  auto present = labels->store->labels();
  if (!present) {
    return failWith(present);
  }
  labelled.place = labels->store->place();
  labelled.labels = *std::move(present);
  for (const PresentLabel& label : labelled.labels) {
    if (settles(label.action)) {
      labelled.settled_ids.push_back(label.item);
    }
  }
  return labelled;
}

Status listQueue(const Arguments& arguments, RunContext& context) {
  if (Status used = rejectIneffectiveFlags(
          {{arguments.annotator_flag, allUnless(arguments.queue.options.by == kSecondOpinionQueue,
                                                {setting("by", kSecondOpinionQueue)})}});
      !used) {
    return used;
  }
  auto opened = arguments.queue.open(context);
  if (!opened) {
    return failWith(opened);
  }
  opened->bind();
  const auto labelled = readLabelled(arguments, *opened);
  if (!labelled) {
    return failWith(labelled);
  }
  opened->inputs.settled_ids = labelled->settled_ids;
  opened->inputs.labels = labelled->labels;
  opened->inputs.annotator = arguments.annotator;
  const auto queue = buildQueue(opened->run, arguments.queue.options, opened->inputs, context);
  if (!queue) {
    return failWith(queue);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (!arguments.output.csv.empty()) {
    if (Status written = writeQueue(arguments.output.csv, opened->run, *queue, context); !written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *opened, *labelled, *queue),
                                 toText(*opened, *queue));
}

}  // namespace

Command reviewQueueCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->queue.declare(app);
  app.add_option("--limit", arguments->queue.options.limit, "largest number of items; 0: all")
      ->transform(wholeNumber<std::int64_t>())
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--labels", arguments->labels,
                 std::string("leave out the items labelled there (--by second-opinion and --by "
                             "conflicts show them again); ") +
                     kLabelPlaceHelp);
  arguments->annotator_flag =
      declareAnnotator(app, arguments->annotator,
                       "who is going to decide; --by second-opinion leaves out their own labels");
  arguments->output.declare(app, "CSV file for the queue");
  return {[arguments](RunContext& context) { return listQueue(*arguments, context); }};
}

}  // namespace dubito::cli
