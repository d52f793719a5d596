// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/files/json_members.h"
#include "app/workspace/workspace_paths.h"
#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/data/sources/dataset_files.h"
#include "core/io/atomic_file.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kFormat = "dubito-workspace";
/// Enough for about 10,000 files.
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 20;
/// Nesting of lists and objects; a workspace has six levels.
constexpr int kMaxDepth = 32;

// --- writing -------------------------------------------------------------------------------------

json toJson(const WorkspaceFileRef& file, const std::string& folder) {
  return {{"path", pathFrom(folder, file.path)},
          {"bytes", file.content.bytes},
          {"modified_ns", file.content.modified_ns},
          {"hash", file.content.hash}};
}

json toJson(const std::optional<std::size_t>& position) {
  return position ? json(*position) : json();
}

json toJson(const WorkspaceDataset& dataset, const std::string& folder) {
  json files = json::array();
  std::vector<std::string> paths;
  for (const WorkspaceFileRef& file : dataset.files) {
    files.push_back(toJson(file, folder));
    paths.push_back(files.back()["path"]);
  }
  return {{"name", dataset.name},
          {"specification",
           withDatasetFiles(dataset.specification, paths).value_or(dataset.specification)},
          {"ood", dataset.ood},
          {"listed", dataset.listed},
          {"files", std::move(files)}};
}

json toJson(const WorkspaceShift& shift, const std::string& folder) {
  json steps = json::array();
  for (std::size_t i = 0; i < shift.files.size(); ++i) {
    steps.push_back(
        {{"severity", shift.severities.at(i)}, {"file", toJson(shift.files[i], folder)}});
  }
  return {{"kind", toString(shift.kind)}, {"items", shift.items}, {"steps", std::move(steps)}};
}

json toJson(const WorkspaceRun& run, const std::string& folder) {
  json parts = json::array();
  for (const WorkspacePart& part : run.parts) {
    parts.push_back({{"name", part.name},
                     {"file", toJson(part.file, folder)},
                     {"dataset", toJson(part.dataset)}});
  }
  json object{{"model", toJson(run.model)}, {"parts", std::move(parts)}};
  if (!run.label.name.empty()) {
    object["name"] = run.label.name;
  }
  if (!run.label.note.empty()) {
    object["note"] = run.label.note;
  }
  for (const WorkspaceShift& shift : run.shifts) {
    object["shifts"].push_back(toJson(shift, folder));
  }
  return object;
}

// --- reading -------------------------------------------------------------------------------------

tl::unexpected<Error> malformed(const std::string& path, const std::string& what) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {}; restore the workspace file from a copy, or save the workspace "
                          "again",
                          path, what));
}

/// Position in a list of `count` entries; empty for null.
std::optional<std::size_t> positionOf(const json& object, const char* key, std::size_t count) {
  if (member(object, key).is_null()) {
    return std::nullopt;
  }
  if (count == 0) {
    throw JsonError(fmt::format("'{}' names an entry of an empty list", key));
  }
  return static_cast<std::size_t>(
      wholeNumber(object, key, 0, static_cast<std::int64_t>(count) - 1));
}

WorkspaceFileRef fileOf(const json& object, const std::string& folder) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const std::string path = stringMember(object, "path");
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw JsonError("has a file without a name");
  }
  return {pathIn(folder, path),
          {static_cast<std::uint64_t>(wholeNumber(object, "bytes", 0, kLargest)),
           wholeNumber(object, "modified_ns", -kLargest, kLargest), stringMember(object, "hash")}};
}

WorkspaceDataset datasetOf(const json& object, const std::string& folder) {
  WorkspaceDataset dataset{stringMember(object, "name"),
                           stringMember(object, "specification"),
                           boolMember(object, "ood"),
                           boolMember(object, "listed"),
                           {}};
  std::vector<std::string> paths;
  for (const json& file : arrayMember(object, "files")) {
    dataset.files.push_back(fileOf(file, folder));
    paths.push_back(dataset.files.back().path);
  }
  if (const auto checked = withDatasetFiles(dataset.specification, paths); !checked) {
    throw JsonError("has an invalid dataset: " + shownText(checked.error().message, 200));
  }
  return dataset;
}

WorkspaceShift shiftOf(const json& object, const std::string& folder) {
  WorkspaceShift shift;
  const std::string name = stringMember(object, "kind");
  const auto kind =
      std::ranges::find(allCorruptions(), name, [](CorruptionKind one) { return toString(one); });
  if (kind == allCorruptions().end()) {
    throw JsonError(fmt::format("has the unknown corruption {}", inQuotes(name)));
  }
  shift.kind = *kind;
  shift.items = wholeNumber(object, "items", 1, std::numeric_limits<std::int64_t>::max());
  for (const json& step : arrayMember(object, "steps")) {
    const json& severity = member(step, "severity");
    if (!severity.is_number() || !(severity.get<double>() >= 0.0) ||
        severity.get<double>() > Corruption::kMaxSeverity) {
      throw JsonError(fmt::format("has a severity that is not a number from 0 to {}",
                                  Corruption::kMaxSeverity));
    }
    shift.severities.push_back(severity.get<double>());
    shift.files.push_back(fileOf(member(step, "file"), folder));
  }
  if (shift.files.empty()) {
    throw JsonError("has a shift without a file");
  }
  return shift;
}

WorkspaceRun runOf(const json& object, const Workspace& workspace, const std::string& folder) {
  WorkspaceRun run{positionOf(object, "model", workspace.models.size()), {}};
  run.label.name = object.contains("name") ? stringMember(object, "name") : std::string();
  run.label.note = object.contains("note") ? stringMember(object, "note") : std::string();
  for (const json& part : arrayMember(object, "parts")) {
    run.parts.push_back({stringMember(part, "name"), fileOf(member(part, "file"), folder),
                         positionOf(part, "dataset", workspace.datasets.size())});
  }
  if (run.parts.empty()) {
    throw JsonError("has a run without a file");
  }
  if (object.contains("shifts")) {
    for (const json& shift : arrayMember(object, "shifts")) {
      run.shifts.push_back(shiftOf(shift, folder));
    }
  }
  return run;
}

Workspace workspaceOf(const json& object, const std::string& folder) {
  Workspace workspace;
  for (const json& model : arrayMember(object, "models")) {
    workspace.models.push_back(
        {stringMember(model, "name"), fileOf(member(model, "file"), folder)});
  }
  for (const json& dataset : arrayMember(object, "datasets")) {
    workspace.datasets.push_back(datasetOf(dataset, folder));
  }
  for (const json& run : arrayMember(object, "runs")) {
    workspace.runs.push_back(runOf(run, workspace, folder));
  }
  const json& active = member(object, "active");
  workspace.active_model = positionOf(active, "model", workspace.models.size());
  workspace.active_dataset = positionOf(active, "dataset", workspace.datasets.size());
  workspace.active_run = positionOf(active, "run", workspace.runs.size());
  workspace.evaluation.bins = wholeNumber(object, "bins", 1, 100'000);
  if (object.contains("scores")) {
    workspace.evaluation.scores = stringMember(object, "scores");
  }
  if (Status known = workspace.evaluation.check(); !known) {
    throw JsonError(known.error().message);
  }
  workspace.threshold_measure = stringMember(object, "threshold_measure");
  for (const auto& [measure, value] : objectMember(object, "thresholds").items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      throw JsonError(fmt::format("the threshold {} is not a number", inQuotes(measure)));
    }
    workspace.thresholds[measure] = value.get<double>();
  }
  if (object.contains("view")) {
    workspace.view = viewFromJson(objectMember(object, "view"));
  }
  return workspace;
}

/// Parses the JSON object of a workspace.
json parsed(const std::string& text) {
  bool too_deep = false;
  // Deeper levels are dropped: copying them would exhaust the stack.
  const auto keep = [&too_deep](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return depth <= kMaxDepth;
  };
  json object = json::parse(text, keep, /*allow_exceptions=*/false);
  const auto format = object.is_object() ? object.find("format") : object.end();
  if (too_deep || !object.is_object() || format == object.end() || !format->is_string() ||
      format->get_ref<const std::string&>() != kFormat) {
    throw JsonError("is not a Dubito workspace, or is damaged");
  }
  return object;
}

Expected<std::string> textOfFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return fail(ErrorCode::kNotFound, fmt::format("{}: no such file; check the path", path));
  }
  if (!fs::is_regular_file(status)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is not a file; choose a workspace (.dubito)", path));
  }
  if (fs::file_size(path, error) > kMaxBytes) {
    return malformed(path, "is too large for a workspace");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check its permissions and the disk", path));
  }
  return text;
}

std::string folderOf(const std::string& path) {
  return fs::path(absolutePath(path)).parent_path().string();
}

}  // namespace

std::vector<WorkspaceFileRef*> filesOf(Workspace& workspace) {
  std::vector<WorkspaceFileRef*> files;
  for (WorkspaceModel& model : workspace.models) {
    files.push_back(&model.file);
  }
  for (WorkspaceDataset& dataset : workspace.datasets) {
    for (WorkspaceFileRef& file : dataset.files) {
      files.push_back(&file);
    }
  }
  for (WorkspaceRun& run : workspace.runs) {
    for (WorkspacePart& part : run.parts) {
      files.push_back(&part.file);
    }
    for (WorkspaceShift& shift : run.shifts) {
      for (WorkspaceFileRef& file : shift.files) {
        files.push_back(&file);
      }
    }
  }
  return files;
}

Status writeWorkspace(const Workspace& workspace, const std::string& path) {
  const std::string folder = folderOf(path);
  json object{{"format", kFormat},
              {"schema_version", Workspace::kSchemaVersion},
              {"models", json::array()},
              {"datasets", json::array()},
              {"runs", json::array()},
              {"active",
               {{"model", toJson(workspace.active_model)},
                {"dataset", toJson(workspace.active_dataset)},
                {"run", toJson(workspace.active_run)}}},
              {"bins", workspace.evaluation.bins},
              {"scores", workspace.evaluation.scores},
              {"thresholds", workspace.thresholds},
              {"threshold_measure", workspace.threshold_measure}};
  if (workspace.view) {
    object["view"] = toJson(*workspace.view);
  }
  for (const WorkspaceModel& model : workspace.models) {
    object["models"].push_back({{"name", model.name}, {"file", toJson(model.file, folder)}});
  }
  for (const WorkspaceDataset& dataset : workspace.datasets) {
    object["datasets"].push_back(toJson(dataset, folder));
  }
  for (const WorkspaceRun& run : workspace.runs) {
    object["runs"].push_back(toJson(run, folder));
  }
  return writeFileAtomically(path, std::string_view(jsonText(object, 2) + "\n"));
}

Expected<Workspace> readWorkspace(const std::string& path) {
  const Expected<std::string> text = textOfFile(path);
  if (!text) {
    return failWith(text);
  }
  try {
    const json object = parsed(*text);
    const std::int64_t version =
        wholeNumber(object, "schema_version", 1, std::numeric_limits<std::int64_t>::max());
    if (version > Workspace::kSchemaVersion) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: was written by a newer version of Dubito (schema {}, this one "
                              "reads up to {}); update Dubito",
                              path, version, Workspace::kSchemaVersion));
    }
    return workspaceOf(object, folderOf(path));
  } catch (const JsonError& wrong) {
    return malformed(path, wrong.what());
  }
}

std::string runsFolderOf(const std::string& path) {
  return fs::path(path).replace_extension(".dubito-runs").string();
}

}  // namespace dubito
