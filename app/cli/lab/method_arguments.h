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
#include "app/cli/report_flags.h"
#include "core/labs/methods/lab_method.h"

namespace dubito::cli {

/// Arguments of a command that fits one of several methods.
template <class Options>
struct MethodArguments {
  std::string method;
  std::string data;
  std::uint64_t seed = 0;
  Options options;  ///< of all methods
  AlternativeFlags method_flags;
  ReportFlags output;
};

/// Declares all arguments on `app`; their values are the defaults.
template <class Options, class Info>
void declareMethodArguments(CLI::App& app, MethodArguments<Options>& arguments,
                            const std::vector<Info>& methods, const std::string& data_help,
                            const std::string& csv_help) {
  std::vector<std::string> keys;
  for (const Info& info : methods) {
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

/// The keys of data sets, each followed by a comma.
template <class Info>
[[nodiscard]] std::string keysOf(const std::vector<Info>& sets) {
  std::string keys;
  for (const Info& set : sets) {
    keys += fmt::format("{}, ", set.key);
  }
  return keys;
}

/// The chosen method, of `info`, with the options on the command line. Usage error if these are
/// invalid.
template <class Options, class Method>
[[nodiscard]] Expected<std::unique_ptr<Method>> chosenMethod(
    const MethodArguments<Options>& arguments, const LabMethodInfo<Method>& info) {
  std::unique_ptr<Method> method = info.make();
  if (const Status applied = arguments.method_flags.apply(info.key, method->fields()); !applied) {
    return failWith(applied);
  }
  for (const Status& checked : {arguments.options.check(), method->check()}) {
    if (!checked) {
      return usageError(checked.error().message);
    }
  }
  return method;
}

/// The keys of a report that all methods have.
template <class Options, class Data, class Picture>
[[nodiscard]] nlohmann::json methodJson(const MethodArguments<Options>& arguments, const Data& data,
                                        LabMethod& method, const Picture& picture) {
  nlohmann::json diagnostics = nlohmann::json::object();
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    diagnostics[number.key] = number.value;
  }
  Options options = arguments.options;
  return {{"method", arguments.method},
          {"data", arguments.data},
          {"seed", arguments.seed},
          {"n", data.train.size()},
          {"options", fieldsToJson(options.fields())},
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
template <class Data, class Picture>
[[nodiscard]] std::string methodNotes(const Data& data, const Picture& picture) {
  std::string text;
  for (const auto* const notes : {&data.notes, &picture.diagnostics.warnings}) {
    for (const std::string& note : *notes) {
      text += fmt::format("note: {}\n", note);
    }
  }
  return text + fmt::format("on {} {} points:\n", picture.scored_points,
                            picture.scored_on_training_points ? "training" : "test");
}

/// The diagnostics in columns, of which the first has `width` characters, and the time.
template <class Picture>
[[nodiscard]] std::string methodDiagnostics(const Picture& picture, int width) {
  std::string text;
  for (const LabDiagnostic& number : picture.diagnostics.numbers) {
    text += fmt::format("{:<{}}{:.5g}\n", number.name, width, number.value);
  }
  return text + fmt::format("{:.2f} s\n", picture.seconds);
}

}  // namespace dubito::cli
