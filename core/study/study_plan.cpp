// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "core/base/json_text.h"
#include "core/base/overloaded.h"
#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

using nlohmann::json;

std::string keyOf(const json& object) {
  NumberHash hash;
  hash.add(jsonText(object, -1));
  return hash.hex();
}

/// A name as part of a file name.
std::string filePart(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
  return name;
}

/// The field list is not const, although nothing is changed here.
template <class Options>
json optionsJson(Options options) {
  return fieldsToJson(options.fields());
}

json methodJsonOf(const MethodOptions& method) {
  return json::parse(methodJson(method));
}

class Planner {
 public:
  Planner(const StudySpec& spec, const StudyInputs& inputs, const std::string& folder,
          const RunContext& context)
      : spec_(spec),
        inputs_(inputs),
        machine_{{"device", toString(context.device)}, {"threads", context.threads}} {
    plan_.folder = folder;
  }

  StudyPlan plan() {
    for (std::size_t row = 0; row < spec_.rows.size(); ++row) {
      for (std::size_t target = 0; target < spec_.targets.size(); ++target) {
        for (std::size_t seed = 0; seed < spec_.seeds.size(); ++seed) {
          addEvaluation(row, target, seed);
        }
      }
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string pathOf(const std::string& name, const std::string& key,
                                   const std::string& extension) const {
    return (std::filesystem::path(plan_.folder) / fmt::format("{}-{}{}", name, key, extension))
        .string();
  }

  std::size_t addNetwork(std::size_t index, std::uint64_t seed) {
    const StudyNetwork& network = spec_.networks[index];
    NetworkTask task{.network = index, .seed = seed, .key = {}, .path = {}};
    json object = std::visit(Overloaded{[](const TrainOptions& options) -> json {
                                          return {{"train", optionsJson(options)}};
                                        },
                                        [](const StudyHead& head) -> json {
                                          return {{"head", optionsJson(head.options)}};
                                        },
                                        [](const StudyModel&) -> json { return json::object(); }},
                             network.how);
    object["network"] = inputs_.network_hashes[index];
    task.exists = !network.isTrained();
    if (!task.exists) {
      object["source"] = inputs_.source->key;
      object["seed"] = seed;
      object["machine"] = machine_;
    }
    task.key = keyOf(object);
    task.path = task.exists ? std::get<StudyModel>(network.how).path
                            : pathOf(fmt::format("{}.seed{}", filePart(network.name), seed),
                                     task.key, ".pt");
    const auto known = std::ranges::find(plan_.networks, task.path, &NetworkTask::path);
    if (known != plan_.networks.end()) {
      return static_cast<std::size_t>(known - plan_.networks.begin());
    }
    plan_.networks.push_back(std::move(task));
    return plan_.networks.size() - 1;
  }

  std::size_t addTask(RunTask task) {
    const auto [known, is_new] = run_of_path_.try_emplace(task.path, plan_.runs.size());
    if (is_new) {
      plan_.runs.push_back(std::move(task));
    }
    return known->second;
  }

  /// The run of one network.
  std::size_t addMember(std::size_t index, std::uint64_t seed, const StudyItemsPtr& set,
                        const StudyItemsPtr& fit) {
    const StudyRow& row = spec_.rows[index];
    RunTask task{.row = index, .seed = seed, .set = set, .fit = nullptr};
    task.network_task = addNetwork(row.network_index, seed);
    bool uses_training = false;
    bool uses_labels = !row.grid.empty() && row.select == StudySelect::kNll;
    for (const MethodOptions& candidate : row.candidates()) {
      uses_training = uses_training || inputsUsedBy(candidate).fit;
      uses_labels = uses_labels || inputsUsedBy(candidate).calibration;
    }
    json object{{"network", plan_.networks[task.network_task].key},
                {"method", methodName(row.options)},
                {"options", methodJsonOf(row.options)},
                {"seed", seed},
                {"predict", optionsJson(spec_.predict)},
                {"machine", machine_}};
    if (uses_training) {
      object["training"] = inputs_.source->key;
    }
    if (uses_labels && fit) {
      task.fit = fit;
      object["fit"] = fit->key;
    }
    if (!row.grid.empty()) {
      object["grid"] = row.grid;
      object["select"] = row.select == StudySelect::kNll ? "nll" : "evidence";
    }
    task.fit_key = keyOf(object);
    object["set"] = set->key;
    task.key = keyOf(object);
    task.path = pathOf(fmt::format("{}.{}.{}.seed{}", filePart(row.network),
                                   filePart(methodName(row.options)), filePart(set->name), seed),
                       task.key, ".npz");
    return addTask(std::move(task));
  }

  std::size_t addRun(std::size_t index, std::uint64_t seed, const StudyItemsPtr& set,
                     const StudyItemsPtr& fit) {
    const StudyRow& row = spec_.rows[index];
    if (row.members == 1) {
      return addMember(index, seed, set, fit);
    }
    RunTask task{.row = index, .seed = seed, .set = set, .fit = fit};
    json object{{"ensemble", json::array()}, {"predict", optionsJson(spec_.predict)}};
    for (std::int64_t j = 0; j < row.members; ++j) {
      task.members.push_back(addMember(index, seed + static_cast<std::uint64_t>(j), set, fit));
      object["ensemble"].push_back(plan_.runs[task.members.back()].key);
    }
    task.key = task.fit_key = keyOf(object);
    task.path = pathOf(fmt::format("{}.ensemble-{}.{}.seed{}", filePart(row.network),
                                   filePart(methodName(row.options)), filePart(set->name), seed),
                       task.key, ".npz");
    return addTask(std::move(task));
  }

  void addEvaluation(std::size_t row, std::size_t target, std::size_t seed_index) {
    const std::uint64_t seed = spec_.seeds[seed_index];
    const StudyItemsPtr& fit = inputs_.fitOf(spec_.rows[row], target);
    EvaluationTask task{.row = row, .target = target, .seed_index = seed_index};
    task.run = addRun(row, seed, inputs_.targets[target], fit);
    json object{{"run", plan_.runs[task.run].key},
                {"evaluation", optionsJson(spec_.evaluation)},
                {"ood", json::array()}};
    for (std::size_t i = 0; i < inputs_.ood.size(); ++i) {
      task.ood.push_back(addRun(row, seed, inputs_.ood[i], fit));
      object["ood"].push_back({spec_.ood[i].name, plan_.runs[task.ood.back()].key});
    }
    const std::string name =
        fmt::format("{}.{}.{}.seed{}", filePart(spec_.rows[row].network),
                    filePart(spec_.rows[row].method), filePart(spec_.targets[target].name), seed);
    task.path = pathOf(name, keyOf(object), ".evaluation.json");
    if (spec_.labelling) {
      task.validation = addRun(row, seed, inputs_.validation, fit);
      task.adaptation = addRun(row, seed, inputs_.adaptations[target], fit);
      json labelling{{"run", plan_.runs[task.run].key},
                     {"validation", plan_.runs[*task.validation].key},
                     {"adaptation", plan_.runs[*task.adaptation].key},
                     {"options", optionsJson(*spec_.labelling)},
                     {"targets", spec_.labelling->targets}};
      task.labelling_path = pathOf(name, keyOf(labelling), ".labelling.json");
      const bool retrains = spec_.retraining &&
                            std::ranges::count(spec_.retraining->rows, spec_.rows[row].name()) > 0;
      if (retrains) {
        labelling["retraining"] = spec_.retraining->effective();
        labelling["target"] = inputs_.targets[target]->key;
        labelling["machine"] = machine_;
        task.retraining_path = pathOf(name, keyOf(labelling), ".retraining.json");
      }
    }
    plan_.evaluations.push_back(std::move(task));
  }

  const StudySpec& spec_;
  const StudyInputs& inputs_;
  json machine_;
  StudyPlan plan_;
  std::map<std::string, std::size_t> run_of_path_;
};

}  // namespace

std::vector<std::string> StudyPlan::fileNames() const {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& path) {
    if (!path.empty()) {
      names.push_back(std::filesystem::path(path).filename().string());
    }
  };
  for (const NetworkTask& task : networks) {
    if (!task.exists) {
      add(task.path);
    }
  }
  for (const RunTask& task : runs) {
    add(task.path);
  }
  for (const EvaluationTask& task : evaluations) {
    add(task.path);
    add(task.labelling_path);
    add(task.retraining_path);
  }
  return names;
}

StudyPlan planStudy(const StudySpec& spec, const StudyInputs& inputs, const std::string& folder,
                    const RunContext& context) {
  return Planner(spec, inputs, folder, context).plan();
}

}  // namespace dubito
