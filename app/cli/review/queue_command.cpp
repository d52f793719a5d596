// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/csv_text.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/queue_flags.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/whole_number.h"
#include "core/base/counted.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"

namespace dubito::cli {
namespace {

/// Items that the text shows.
constexpr std::int64_t kShownItems = 20;

struct Arguments {
  QueueFlags queue;
  std::string labels;
  ReportFlags output;
};

/// Items that need no further decision.
struct Settled {
  std::string place = {};  ///< of their label store; empty: none was given
  std::vector<std::int64_t> ids = {};
};

nlohmann::json classOrNull(std::int64_t label) {
  return label >= 0 ? nlohmann::json(label) : nlohmann::json();
}

nlohmann::json toJson(const Arguments& arguments, const QueueRun& opened, const Settled& settled,
                      const Queue& queue) {
  nlohmann::json object{{"items", queue.items},
                        {"length", queue.length()},
                        {"limit", arguments.queue.options.limit},
                        {"without_score", queue.without_score},
                        {"beyond_limit", queue.beyond_limit}};
  arguments.queue.addTo(object, opened, queue);
  if (!settled.place.empty()) {
    object["labels"] = settled.place;
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
Expected<Settled> settledItems(const Arguments& arguments, QueueRun& opened) {
  Settled settled;
  if (arguments.labels.empty()) {
    return settled;
  }
  const auto labels =
      openLabelsOf(opened.run, arguments.queue.run, arguments.labels, StoreMode::kReadOnly);
  if (!labels) {
    return failWith(labels);
  }
  addMissing(labels->notes, opened.notes);
  const auto present = labels->store->labels();
  if (!present) {
    return failWith(present);
  }
  settled.place = labels->store->place();
  for (const PresentLabel& label : *present) {
    if (settles(label.action)) {
      settled.ids.push_back(label.item);
    }
  }
  return settled;
}

Status listQueue(const Arguments& arguments, RunContext& context) {
  auto opened = arguments.queue.open(context);
  if (!opened) {
    return failWith(opened);
  }
  opened->bind();
  const auto settled = settledItems(arguments, *opened);
  if (!settled) {
    return failWith(settled);
  }
  opened->inputs.settled_ids = settled->ids;
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
  return arguments.output.report(toJson(arguments, *opened, *settled, *queue),
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
                 std::string("leave out the items labelled there; ") + kLabelPlaceHelp);
  arguments->output.declare(app, "CSV file for the queue");
  return {[arguments](RunContext& context) { return listQueue(*arguments, context); }};
}

}  // namespace dubito::cli
