// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/whole_number.h"
#include "core/io/item_lines.h"
#include "core/review/audit.h"

namespace dubito::cli {
namespace {

/// Items that the text names.
constexpr std::size_t kShownItems = 10;

struct Arguments {
  std::string place;
  AuditOptions options;
  std::uint64_t seed = 0;
  ReportFlags output;
};

nlohmann::json toJson(const Arguments& arguments, const OpenedLabels& opened, const Audit& audit) {
  AuditOptions options = arguments.options;
  nlohmann::json object{{"labels", opened.store->place()},
                        {"options", fieldsToJson(options.fields())},
                        {"seed", arguments.seed},
                        {"labelled", audit.labelled},
                        {"n", audit.sample.size()},
                        {"right", audit.right},
                        {"wrong", audit.wrong},
                        {"unclear", audit.unclear},
                        {"open", audit.open},
                        {"interval", {audit.interval.low, audit.interval.high}},
                        {"promise", keyOf(audit.verdict)},  // as scripts know it
                        {"notes", opened.notes}};
  if (audit.precision) {
    object["precision"] = *audit.precision;
  }
  nlohmann::json& sample = object["sample"] = nlohmann::json::array();
  for (const AuditedItem& audited : audit.sample) {
    sample.push_back(
        {{"id", audited.item}, {"class", audited.class_id}, {"outcome", keyOf(audited.outcome)}});
  }
  return object;
}

std::string verdictText(const Arguments& arguments, const Audit& audit) {
  const double target = arguments.options.target;
  switch (audit.verdict) {
    case GuaranteeVerdict::kKept:
      return fmt::format("the guarantee of {} is kept\n", target);
    case GuaranteeVerdict::kBroken:
      return fmt::format("the guarantee of {} is broken\n", target);
    case GuaranteeVerdict::kOpen:
      break;
  }
  return fmt::format("the guarantee of {} cannot be judged yet; review more items\n", target);
}

std::string toText(const Arguments& arguments, const OpenedLabels& opened, const Audit& audit) {
  std::string text;
  for (const std::string& note : opened.notes) {
    text += fmt::format("note: {}\n", note);
  }
  text += fmt::format(
      "{} of {} labels of the model are in the sample: {} right, {} wrong, {} "
      "unclear, {} not decided yet\n",
      audit.sample.size(), audit.labelled, audit.right, audit.wrong, audit.unclear, audit.open);
  if (audit.precision) {
    text += fmt::format("precision    {:.2f} % ({} %: {:.2f} to {:.2f} %)\n",
                        100.0 * *audit.precision, 100.0 * arguments.options.confidence,
                        100.0 * audit.interval.low, 100.0 * audit.interval.high);
    text += verdictText(arguments, audit);
  }
  std::string next;
  std::size_t named = 0;
  for (const AuditedItem& audited : audit.sample) {
    if (audited.outcome == AuditOutcome::kOpen && named < kShownItems) {
      next += fmt::format(" {}", audited.item);
      ++named;
    }
  }
  if (named > 0) {
    text += fmt::format("next to decide: items{}{}\n", next,
                        static_cast<std::int64_t>(named) < audit.open ? " ..." : "");
  }
  return text;
}

Status check(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  const auto opened = openLabels(arguments.place, StoreMode::kReadOnly);
  if (!opened) {
    return failWith(opened);
  }
  const auto audit = auditLabels(*opened->store, arguments.options, arguments.seed);
  if (!audit) {
    return failWith(audit);
  }
  if (!arguments.output.csv.empty()) {
    Status written = writeItemLines(
        arguments.output.csv, "place,id,class,outcome",
        static_cast<std::int64_t>(audit->sample.size()),
        [&](std::int64_t i) {
          const AuditedItem& audited = audit->sample[static_cast<std::size_t>(i)];
          return fmt::format("{},{},{},{}", i + 1, audited.item, audited.class_id,
                             keyOf(audited.outcome));
        },
        context);
    if (!written) {
      return written;
    }
  }
  return arguments.output.report(toJson(arguments, *opened, *audit),
                                 toText(arguments, *opened, *audit));
}

}  // namespace

Command reviewAuditCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  declareFields(app, arguments->options.fields(), "Audit");
  app.add_option("--seed", arguments->seed, "seed of the sample")
      ->transform(wholeNumber<std::uint64_t>())
      ->capture_default_str();
  arguments->output.declare(app, "CSV file for the sample");
  return {[arguments](RunContext& context) { return check(*arguments, context); }};
}

}  // namespace dubito::cli
