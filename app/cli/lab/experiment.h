// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "core/base/run_context.h"
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

/// Arguments of a command that runs one experiment.
template <class Options>
struct ExperimentArguments {
  Options options;
  FieldFlags flags;  ///< of `options`
  std::uint64_t seed = 0;
  ReportFlags output;

  /// Usage error for a flag that has no effect, and for invalid options.
  [[nodiscard]] Status check() const { return checkOptions(flags, options); }
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

}  // namespace dubito::cli
