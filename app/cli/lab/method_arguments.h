// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/lab/alternative_flags.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/report_flags.h"
#include "core/labs/methods/method_lab.h"

namespace dubito::cli {

/// Arguments of a command that fits one of several methods, of the laboratory whose types are those
/// of `Kind` (RegressionKind, ClassificationKind).
template <class Kind>
struct MethodArguments {
  std::string method;
  std::string data;
  std::uint64_t seed = 0;
  typename Kind::Options options;  ///< of all methods
  AlternativeFlags method_flags;
  ReportFlags output;
};

/// Declares all arguments on `app`; their values are the defaults.
template <class Kind>
void declareMethodArguments(CLI::App& app, MethodArguments<Kind>& arguments,
                            const std::string& data_help, const std::string& csv_help) {
  std::vector<std::string> keys;
  for (const auto& info : Kind::methods()) {
    keys.emplace_back(info.key);
    arguments.method_flags.add(info.key, info.make()->fields());
  }
  app.add_option("--method", arguments.method, "method")
      ->check(CLI::IsMember(keys))
      ->capture_default_str();
  app.add_option("--data", arguments.data, data_help)->capture_default_str();
  app.add_option("--seed", arguments.seed, "seed of data and method")->capture_default_str();
  declareFields(app, arguments.options.fields(), "Options of all methods");
  arguments.method_flags.declare(app, "--method");
  arguments.output.declare(app, csv_help);
}

/// The chosen method with the options on the command line. Usage error if these are invalid.
template <class Kind>
[[nodiscard]] Expected<std::unique_ptr<typename Kind::Method>> chosenMethod(
    const MethodArguments<Kind>& arguments) {
  const auto& info = *Kind::find(arguments.method);
  auto method = info.make();
  if (const Status applied = arguments.method_flags.apply(info.key, method->fields()); !applied) {
    return failWith(applied);
  }
  for (const Status& checked : {arguments.options.check(), method->check()}) {
    if (!checked) {
      return usageError(checked.error());
    }
  }
  return method;
}

/// The keys of a report that all methods have.
template <class Kind>
[[nodiscard]] nlohmann::json methodJson(const MethodArguments<Kind>& arguments,
                                        const typename Kind::Data& data, LabMethod& method,
                                        const MethodPicture& picture) {
  nlohmann::json diagnostics = nlohmann::json::object();
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    diagnostics[number.key] = number.value;
  }
  return {{"method", arguments.method},
          {"data", arguments.data},
          {"seed", arguments.seed},
          {"n", data.train.size()},
          {"options", labOptionsToJson(arguments.options)},
          {"method_options", fieldsToJson(method.fields())},
          {"scored_points", picture.scored_points},
          {"scored_on_training_points", picture.scored_on_training_points},
          {"units", picture.done},
          {"seconds", picture.seconds},
          {"diagnostics", diagnostics},
          {"converged", picture.diagnostics.converged},
          {"warnings", picture.diagnostics.warnings},
          {"notes", data.notes}};
}

/// What must be known about data and result, and on what the scores below it are.
template <class Data>
[[nodiscard]] std::string methodNotes(const Data& data, const MethodPicture& picture) {
  return noteLines(data.notes) + noteLines(picture.diagnostics.warnings) +
         fmt::format("on {} {} points:\n", picture.scored_points,
                     picture.scored_on_training_points ? "training" : "test");
}

/// The diagnostics in columns, of which the first has `width` characters, and the time.
[[nodiscard]] inline std::string methodDiagnostics(const MethodPicture& picture, int width) {
  std::string text;
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    text += fmt::format("{:<{}}{:.5g}\n", number.name, width, number.value);
  }
  return text + fmt::format("{:.2f} s\n", picture.seconds);
}

/// Fits the chosen method and reports its picture with `to_json(arguments, data, method, picture)`,
/// `to_text(arguments, data, picture)` and `write_csv(path, picture, context)`.
template <class Kind, class ToJson, class ToText, class WriteCsv>
[[nodiscard]] Status fitMethod(const MethodArguments<Kind>& arguments, RunContext& context,
                               const ToJson& to_json, const ToText& to_text,
                               const WriteCsv& write_csv) {
  const auto method = chosenMethod(arguments);
  if (!method) {
    return failWith(method);
  }
  context.seed = arguments.seed;
  const auto data = Kind::open(arguments.data, arguments.options, arguments.seed, context);
  if (!data) {
    return failWith(data);
  }
  auto lab = Kind::start(*data, **method, arguments.options, arguments.seed);
  if (!lab) {
    return failWith(lab);
  }
  if (Status finished = runToEnd(*lab, "Fitting", context); !finished) {
    return finished;
  }
  const auto picture = Kind::picture(*lab, arguments.options, context);
  if (!picture) {
    return failWith(picture);
  }
  return reportWithCsv(
      arguments.output, [&](const std::string& path) { return write_csv(path, *picture, context); },
      to_json(arguments, *data, **method, *picture), to_text(arguments, *data, *picture));
}

}  // namespace dubito::cli
