// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/base/in_quotes.h"
#include "core/study/study_fields.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxMembers = 1000;
constexpr std::size_t kMaxCandidates = 1000;

std::vector<std::string> namesOf(const std::vector<StudyNetwork>& networks) {
  std::vector<std::string> names;
  for (const StudyNetwork& network : networks) {
    names.push_back(network.name);
  }
  return names;
}

/// Indices of the networks of a method: one name, several, or "all".
std::vector<std::size_t> networksOf(const JsonNode& method,
                                    const std::vector<StudyNetwork>& networks) {
  const std::vector<std::string> names = namesOf(networks);
  const JsonNode node = method.at("network", "name a network, list several, or write \"all\"");
  std::vector<std::size_t> indices;
  if (node.value() == "all" && std::ranges::find(names, "all") == names.end()) {
    for (std::size_t i = 0; i < networks.size(); ++i) {
      indices.push_back(i);
    }
    return indices;
  }
  for (const JsonNode& one : node.listOrOne()) {
    const auto found = std::ranges::find(names, one.text());
    if (found == names.end()) {
      one.fail(fmt::format("there is no network {}; the networks are {}", inQuotes(one.text()),
                           fmt::join(names, ", ")));
    }
    indices.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return indices;
}

MethodOptions methodAt(const JsonNode& node) {
  const JsonNode kind = node.at("method", "write map, temperature, mc-dropout, ...");
  auto options = methodFromName(kind.text());
  if (!options) {
    kind.fail(studyErrorText(options.error()));
  }
  if (const auto fields = node.find("options")) {
    readFields(*fields, methodFields(*options), methodName(*options));
  }
  requireOk(node, checkMethod(*options));
  return *std::move(options);
}

void readGrid(const JsonNode& node, StudyRow& row) {
  const auto grid = node.find("grid");
  if (const auto select = node.find("select")) {
    if (!grid) {
      select->fail("chooses from a grid; add \"grid\"");
    }
    const std::string by = select->text();
    if (by != "nll" && by != "evidence") {
      select->fail("is not understood; write \"nll\" or \"evidence\"");
    }
    row.select = by == "nll" ? StudySelect::kNll : StudySelect::kEvidence;
    if (row.select == StudySelect::kEvidence && methodName(row.options) != LaplaceOptions::kName) {
      select->fail(fmt::format("{} has no evidence; write \"nll\"", methodName(row.options)));
    }
  }
  if (!grid) {
    return;
  }
  if (!grid->value().is_object() || grid->value().empty()) {
    grid->fail("is not an object; write {\"OPTION\": [VALUE, ...], ...}");
  }
  std::size_t combinations = 1;
  for (const auto& item : grid->value().items()) {
    const JsonNode values = *grid->find(item.key());
    std::vector<nlohmann::json> list;
    for (const JsonNode& value : values.list()) {
      list.push_back(value.value());
    }
    combinations *= list.size();
    if (list.empty() || combinations > kMaxCandidates) {
      values.fail(list.empty() ? "is empty; list the values to try"
                               : fmt::format("more than {} combinations; list fewer values",
                                             kMaxCandidates));
    }
    MethodOptions trial = row.options;
    for (const JsonNode& value : values.list()) {
      const std::vector<Field> fields = methodFields(trial);
      const auto known = std::ranges::find_if(
          fields, [&](const Field& field) { return field.info.name == item.key(); });
      if (known == fields.end()) {
        values.fail(methodName(row.options) +
                    " has no such option; take one of those that predict has for it");
      }
      requireOk(value, fieldsFromJson({{item.key(), value.value()}}, fields));
    }
    row.grid.emplace_back(item.key(), std::move(list));
  }
  try {
    for (const MethodOptions& candidate : row.candidates()) {
      requireOk(*grid, checkMethod(candidate));
    }
  } catch (const std::invalid_argument& error) {
    grid->fail(error.what());
  }
}

/// Draws of a network that was trained with a drop rate of 0 would all be the same.
void checkDropout(const JsonNode& node, const StudyNetwork& network, const MethodOptions& method) {
  const auto* const trained = std::get_if<TrainOptions>(&network.how);
  const McDropoutOptions* const dropout = dropoutOf(method);
  if (trained != nullptr && trained->drop_rate == 0.0 && dropout != nullptr &&
      !dropout->drop_rate && dropout->insert != "always") {
    (node.find("network") ? *node.find("network") : node)
        .fail(fmt::format("{} is trained with drop_rate 0, so all draws would be equal; list other "
                          "networks, or give the method the option drop_rate",
                          inQuotes(network.name)));
  }
}

}  // namespace

std::vector<MethodOptions> StudyRow::candidates() const {
  std::vector<MethodOptions> all{options};
  for (const auto& [name, values] : grid) {
    std::vector<MethodOptions> extended;
    for (const MethodOptions& before : all) {
      for (const nlohmann::json& value : values) {
        extended.push_back(before);
        if (Status set = fieldsFromJson({{name, value}}, methodFields(extended.back())); !set) {
          throw std::invalid_argument(set.error().message);
        }
      }
    }
    all = std::move(extended);
  }
  return all;
}

std::vector<StudyRow> readStudyRows(const JsonNode& root,
                                    const std::vector<StudyNetwork>& networks) {
  std::vector<StudyRow> rows;
  std::set<std::string> names;
  const JsonNode methods = root.at("methods", "list the methods");
  for (const JsonNode& node : methods.list()) {
    node.expectObject(
        {"name", "network", "method", "options", "fit_on", "grid", "select", "members"});
    StudyRow row;
    const JsonNode name = node.at("name", "give the method a name");
    row.method = name.text();
    row.options = methodAt(node);
    if (const auto fit_on = node.find("fit_on")) {
      const std::string on = fit_on->text();
      if (on != "source" && on != "adaptation") {
        fit_on->fail("is not understood; write \"source\" or \"adaptation\"");
      }
      row.fit_on = on == "source" ? StudyFit::kSource : StudyFit::kAdaptation;
    }
    readGrid(node, row);
    if (const auto members = node.find("members")) {
      row.members = members->wholeNumber(1, kMaxMembers);
    }
    for (const std::size_t index : networksOf(node, networks)) {
      row.network_index = index;
      row.network = networks[index].name;
      row.place = node.place();
      if (row.members > 1 && !networks[index].isTrained()) {
        node.find("members")->fail(fmt::format(
            "{} is one network, the same for all seeds, so it has no members; train it, or list "
            "several networks",
            inQuotes(row.network)));
      }
      if (row.method.find('/') != std::string::npos || !names.insert(row.name()).second) {
        name.fail(fmt::format("{} is there twice or has a slash; names must differ",
                              inQuotes(row.name())));
      }
      checkDropout(node, networks[index], row.options);
      rows.push_back(row);
    }
  }
  if (rows.empty()) {
    methods.fail("is empty; list the methods");
  }
  return rows;
}

}  // namespace dubito
