// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "core/base/run_context.h"
#include "core/io/item_lines.h"
#include "core/labs/preset/lab_options.h"

namespace dubito::cli {

/// Usage error for a flag of `options` that has no effect, and for invalid options.
template <class Options>
[[nodiscard]] Status checkOptions(const FieldFlags& flags, Options options) {
  if (Status used = rejectIneffectiveFlags(flags.uses(options.fields())); !used) {
    return used;
  }
  if (const Status checked = options.check(); !checked) {
    return usageError(checked.error());
  }
  return {};
}

/// Arguments of a command with an options struct: its flags, and where the result is reported.
template <class Options>
struct OptionArguments {
  Options options;
  FieldFlags flags;  ///< of `options`
  ReportFlags output;

  void declare(CLI::App& app, const std::string& group) {
    flags = declareFields(app, options.fields(), group);
  }
  /// Usage error for a flag that has no effect, and for invalid options.
  [[nodiscard]] Status check() const { return checkOptions(flags, options); }
  /// check(), and what of the arguments belongs to the context.
  [[nodiscard]] Status prepare(RunContext& /*context*/) { return check(); }
  /// Adds the arguments to a report.
  void describe(nlohmann::json& report) const { report["options"] = labOptionsToJson(options); }
};

/// Arguments of a command that runs one experiment.
template <class Options>
struct ExperimentArguments : OptionArguments<Options> {
  std::uint64_t seed = 0;

  void declare(CLI::App& app, const std::string& group, const std::string& seed_help) {
    OptionArguments<Options>::declare(app, group);
    app.add_option("--seed", seed, seed_help)->capture_default_str();
  }
  [[nodiscard]] Status prepare(RunContext& context) {
    context.seed = seed;
    return this->check();
  }
  void describe(nlohmann::json& report) const {
    OptionArguments<Options>::describe(report);
    report["seed"] = seed;
  }
};

/// Lets `lab` (with done(), total() and advance()) work to its end in about a hundred parts, so
/// that progress is shown. `stage`: what it does.
template <class Lab>
[[nodiscard]] Status runToEnd(Lab& lab, const std::string& stage, RunContext& context) {
  const std::int64_t units = std::max(lab.total() / 100, std::int64_t{1});
  while (lab.done() < lab.total()) {
    if (Status advanced = lab.advance(units, context); !advanced) {
      return advanced;
    }
    if (context.step(stage, lab.done(), lab.total()) == Step::kCancel) {
      return cancelled();
    }
  }
  return {};
}

/// One line per statement that a reader of the result must know.
[[nodiscard]] inline std::string noteLines(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

/// Reports `object` or `text`; before that, `write_csv(path)` writes the CSV file if --csv names
/// one.
template <class WriteCsv>
[[nodiscard]] Status reportWithCsv(const ReportFlags& output, const WriteCsv& write_csv,
                                   const nlohmann::json& object, const std::string& text) {
  if (!output.csv.empty()) {
    if (Status written = write_csv(output.csv); !written) {
      return written;
    }
  }
  return output.report(object, text);
}

/// What a command reports of a result.
struct ExperimentReport {
  nlohmann::json object;  ///< without the arguments
  std::string text;
  std::string csv_head = {};  ///< of a command with --csv
  std::int64_t csv_rows = 0;
  std::function<std::string(std::int64_t row)> csv_line = {};
};

/// The command that prepares the context, computes a report and writes it.
template <class Arguments>
[[nodiscard]] Command experimentCommand(
    const std::shared_ptr<Arguments>& arguments,
    Expected<ExperimentReport> (*compute)(const Arguments& arguments, RunContext& context)) {
  return {[arguments, compute](RunContext& context) -> Status {
    if (Status prepared = arguments->prepare(context); !prepared) {
      return prepared;
    }
    auto report = compute(*arguments, context);
    if (!report) {
      return failWith(report);
    }
    arguments->describe(report->object);
    return reportWithCsv(
        arguments->output,
        [&](const std::string& path) {
          return writeItemLines(path, report->csv_head, report->csv_rows, report->csv_line,
                                context);
        },
        report->object, report->text);
  }};
}

}  // namespace dubito::cli
