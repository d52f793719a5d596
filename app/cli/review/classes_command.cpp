// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of a label store as files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/field_flags.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/exchange.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "core/base/in_quotes.h"
#include "core/review/formats/class_list.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string place;
  std::string import_path;
  std::string export_path;
  std::string format;
  std::string annotator;
  ReportFlags output;
  CLI::Option* by = nullptr;
  CLI::Option* format_flag = nullptr;
};

std::vector<std::string> listFormatKeys() {
  std::vector<std::string> keys;
  for (const ClassListFormat& format : allClassListFormats()) {
    keys.emplace_back(format.key);
  }
  return keys;
}

std::string listFormatHelp() {
  std::string help = "format of the file:";
  for (const ClassListFormat& format : allClassListFormats()) {
    help += fmt::format(" {} ({}),", format.key, format.summary);
  }
  help.pop_back();
  return help +
         "; by default, a file to read is recognised and one to write is json, or "
         "label-studio if its name ends with .xml";
}

std::string formatToWrite(const Arguments& arguments) {
  if (!arguments.format.empty()) {
    return arguments.format;
  }
  return arguments.export_path.ends_with(".xml") ? "label-studio" : "json";
}

nlohmann::json toJson(const std::vector<LabelClass>& classes) {
  nlohmann::json list = nlohmann::json::array();
  for (const LabelClass& each : classes) {
    nlohmann::json object{{"id", each.id}, {"name", each.name}};
    if (!each.colour.empty()) {
      object["colour"] = each.colour;
    }
    if (!each.key.empty()) {
      object["key"] = each.key;
    }
    if (each.merged_into) {
      object["merged_into"] = *each.merged_into;
    }
    list.push_back(std::move(object));
  }
  return list;
}

std::string toText(const std::vector<LabelClass>& classes) {
  std::string text;
  for (const LabelClass& each : classes) {
    text += fmt::format("{}  {}", each.id, inQuotes(each.name));
    text += each.key.empty() ? "" : fmt::format("  key {}", each.key);
    text += each.colour.empty() ? "" : fmt::format("  {}", each.colour);
    text += each.merged_into ? fmt::format("  counts as {}", *each.merged_into) : "";
    text += '\n';
  }
  return text;
}

Status exchangeClasses(const Arguments& arguments) {
  const bool exchanges = !arguments.import_path.empty() || !arguments.export_path.empty();
  if (Status used = rejectIneffectiveFlags(
          {{arguments.by, allUnless(!arguments.import_path.empty(), {setting("import")})},
           {arguments.format_flag, oneUnless(exchanges, {setting("import"), setting("export")})}});
      !used) {
    return used;
  }
  const StoreMode mode =
      arguments.import_path.empty() ? StoreMode::kReadOnly : StoreMode::kOpenOrCreate;
  ClassList list;
  if (!arguments.import_path.empty()) {
    auto read = readClassList(arguments.import_path, arguments.format);
    if (!read) {
      return failWith(read);
    }
    list = *std::move(read);
  }
  const auto opened = openLabels(arguments.place, mode);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  std::vector<std::string> notes = opened->notes;
  append(textsOf(list.notes), notes);
  const auto changes = applyClassList(store, list.classes, arguments.annotator);
  if (!changes) {
    return failWith(changes);
  }
  append(textsOf(changes->notes), notes);
  const auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  if (!arguments.export_path.empty()) {
    const auto written = writeClassList(*classes, arguments.export_path, formatToWrite(arguments));
    if (!written) {
      return failWith(written);
    }
    append(textsOf(*written), notes);
  }
  std::string text = notesText(notes) + toText(*classes);
  for (const std::string& name : changes->added) {
    text += fmt::format("new class: {}\n", inQuotes(name));
  }
  for (const std::string& name : changes->changed) {
    text += fmt::format("changed: {}\n", inQuotes(name));
  }
  return arguments.output.report({{"labels", store.place()},
                                  {"classes", toJson(*classes)},
                                  {"added", changes->added},
                                  {"changed", changes->changed},
                                  {"notes", notes}},
                                 text);
}

}  // namespace

Command reviewClassesCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  CLI::Option* const import_option = app.add_option(
      "--import", arguments->import_path,
      "file with classes: those that are missing are added, the others get its keys and colours");
  app.add_option("--export", arguments->export_path, "file to write the classes to")
      ->excludes(import_option);
  arguments->format_flag = app.add_option("--format", arguments->format, listFormatHelp())
                               ->check(CLI::IsMember(listFormatKeys()));
  arguments->by = declareAnnotator(app, arguments->annotator, "who changes the classes");
  arguments->output.declareJson(app);
  return {[arguments](RunContext& /*context*/) { return exchangeClasses(*arguments); }};
}

}  // namespace dubito::cli
