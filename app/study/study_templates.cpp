// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/session/session.h"
#include "app/workbench/compute_request.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxName = 40;

/// As names of a study may be: short, without slashes.
std::string plainName(std::string name, std::set<std::string>& taken) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < ' ' || c == '/' || c == '\\' || c == 127; }, '-');
  name = name.substr(0, kMaxName);
  if (name.empty() || name.front() == '.') {
    name.insert(0, "set ");
  }
  const std::string begin = name;
  for (int number = 2; !taken.insert(name).second; ++number) {
    name = fmt::format("{} {}", begin, number);
  }
  return name;
}

/// `text` with the variables of the document in place of their names.
std::string expanded(std::string text, const StudyJson& document) {
  const auto variables = document.find("variables");
  if (variables == document.end() || !variables->is_object()) {
    return text;
  }
  for (const auto& variable : variables->items()) {
    const std::string name = "${" + variable.key() + "}";
    if (const auto at = text.find(name); at != std::string::npos && variable.value().is_string()) {
      text.replace(at, name.size(), variable.value().get<std::string>());
    }
  }
  return text;
}

bool hasOptions(const DatasetSpec& spec) {
  return spec.items || spec.part || !spec.classes.empty() || spec.role || spec.corruption ||
         spec.name || !spec.extra.empty();
}

/// The items begin, ..., end - 1 of a dataset.
std::string itemsOf(const Dataset& dataset, std::int64_t begin, std::int64_t end) {
  Expected<DatasetSpec> spec = parseDatasetSpec(dataset.info().spec);
  if (!spec || spec->part ||
      (spec->items && (spec->items->step != 1 || spec->items->begin.value_or(0) < 0))) {
    return dataset.info().spec;
  }
  const std::int64_t first = spec->items ? spec->items->begin.value_or(0) : 0;
  spec->items = ItemRange{.begin = first + begin, .end = first + end};
  spec->role.reset();
  return toString(*spec);
}

void addOod(const Session& session, std::set<std::string>& names, StudyJson& study) {
  for (const DatasetEntry& entry : session.oodDatasets()) {
    if (!entry.dataset->info().spec.empty()) {
      study["ood"].push_back({{"name", plainName(entry.name.toStdString(), names)},
                              {"data", entry.dataset->info().spec}});
    }
  }
}

void addNetworks(const Session& session, StudyJson& study) {
  std::set<std::string> names;
  StudyJson with_dropout = StudyJson::array();
  study["networks"] = StudyJson::array();
  for (const ModelEntry& entry : session.models()) {
    if (entry.model->path().empty()) {
      continue;
    }
    const std::string name = plainName(entry.name.toStdString(), names);
    study["networks"].push_back({{"name", name}, {"model", entry.model->path()}});
    if (dropoutOf(suitableMethod(*entry.model)) != nullptr) {
      with_dropout.push_back(name);
    }
  }
  if (study["networks"].empty()) {
    study["networks"] = emptyStudy()["networks"];
  }
  study["methods"] = {{{"name", "map"}, {"network", "all"}, {"method", "map"}},
                      {{"name", "temperature"}, {"network", "all"}, {"method", "temperature"}},
                      {{"name", "target temperature"},
                       {"network", "all"},
                       {"method", "temperature"},
                       {"fit_on", "adaptation"}}};
  if (!with_dropout.empty()) {
    study["methods"].push_back({{"name", "dropout"},
                                {"network", with_dropout},
                                {"method", "mc-dropout"},
                                {"options", {{"draws", 20}}}});
  }
}

}  // namespace

std::string withDatasetOption(const std::string& spec, const std::string& option,
                              const StudyJson& document) {
  const auto parsed = parseDatasetSpec(expanded(spec, document));
  return spec + (parsed && hasOptions(*parsed) ? '&' : '?') + option;
}

std::vector<StudyJson> targetsOf(const CorruptionSeries& series, const StudyJson& document) {
  const std::string kind = toString(series.kind);
  std::vector<StudyJson> targets{
      {{"name", series.name}, {"data", series.data}, {"shift", kind}, {"severity", 0}}};
  for (int severity = 1; severity <= series.last; ++severity) {
    const std::string option = fmt::format("corrupt={}:{}", kind, severity);
    targets.push_back({{"name", fmt::format("{}, {} {}", series.name, kind, severity)},
                       {"data", withDatasetOption(series.data, option, document)},
                       {"shift", kind},
                       {"severity", severity}});
  }
  return targets;
}

StudyJson emptyStudy() {
  return {
      {"name", "New study"},
      {"source", ""},
      {"validation", 0.2},
      {"targets", StudyJson::array()},
      {"networks", {{{"name", "plain"}, {"train", {{"architecture", "lenet"}, {"epochs", 5}}}}}},
      {"methods", {{{"name", "map"}, {"network", "all"}, {"method", "map"}}}},
      {"seeds", {1, 2, 3}}};
}

StudyJson sampleStudy(const std::filesystem::path& samples) {
  const auto idx = [&samples](const std::string& name) {
    return "idx:" + (samples / (name + "-images-idx3-ubyte.gz")).string();
  };
  StudyJson study{
      {"name", "Digits that turn"},
      {"variables", {{"digits", idx("mnist-2000")}}},
      {"source", "${digits}?items=0:800"},
      {"validation", "${digits}?items=800:1000"},
      {"adaptation", "${digits}?items=1000:1100&corrupt=rotation:3"},
      {"targets", StudyJson::array()},
      {"ood", {{{"name", "KMNIST"}, {"data", idx("kmnist-1000")}}}},
      {"networks",
       {{{"name", "plain"},
         {"train", {{"architecture", "lenet"}, {"epochs", 3}, {"dropout", "none"}}}},
        {{"name", "fixed"}, {"train", {{"architecture", "lenet"}, {"epochs", 3}}}}}},
      {"methods",
       {{{"name", "map"}, {"network", "all"}, {"method", "map"}},
        {{"name", "temperature"}, {"network", "all"}, {"method", "temperature"}},
        {{"name", "dropout"},
         {"network", "fixed"},
         {"method", "mc-dropout"},
         {"options", {{"draws", 20}}}},
        {{"name", "ensemble"}, {"network", "plain"}, {"method", "map"}, {"members", 3}}}},
      {"seeds", {1, 2, 3}},
      {"baseline", "plain/map"},
      {"labelling", {{"targets", {0.9, 0.95}}}}};
  for (StudyJson& target :
       targetsOf({"upright", "${digits}?items=1100:2000", CorruptionKind::kRotation, 3}, study)) {
    study["targets"].push_back(std::move(target));
  }
  return study;
}

StudyJson studyOfSession(const Session& session) {
  StudyJson study{{"name", "New study"},
                  {"source", ""},
                  {"validation", 0.2},
                  {"adaptation", ""},
                  {"targets", StudyJson::array()}};
  std::set<std::string> names;
  const DatasetPtr active = session.activeDataset();
  if (active && !active->info().spec.empty()) {
    const std::int64_t items = active->size();
    const std::string name = plainName(active->info().name, names);
    const auto training = std::ranges::find_if(session.datasets(), [](const DatasetEntry& entry) {
      return entry.dataset->info().role == Role::kTrain && !entry.dataset->info().spec.empty();
    });
    const bool has_training = training != session.datasets().end();
    const std::int64_t first = has_training ? 0 : items * 2 / 5;
    const std::int64_t second = first + items / 10;
    study["name"] = fmt::format("{} that turn", name);
    study["source"] = has_training ? training->dataset->info().spec : itemsOf(*active, 0, first);
    study["adaptation"] =
        withDatasetOption(itemsOf(*active, first, second), "corrupt=rotation:3", study);
    for (StudyJson& target :
         targetsOf({name, itemsOf(*active, second, items), CorruptionKind::kRotation, 5}, study)) {
      study["targets"].push_back(std::move(target));
    }
  }
  addOod(session, names, study);
  addNetworks(session, study);
  study["seeds"] = {1};
  return study;
}

}  // namespace dubito
