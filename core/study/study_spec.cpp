// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "core/base/in_quotes.h"
#include "core/metrics/measure.h"
#include "core/study/json_source.h"
#include "core/study/study_fields.h"
#include "core/study/study_rows.h"
#include "core/study/study_text.h"

namespace dubito {
namespace {

constexpr const char* kSpecRemedy = "write a dataset specification, as for dubito-cli predict";

/// Names are parts of file names and of lines of tables.
std::string nameAt(const JsonNode& node, std::set<std::string>& seen) {
  const std::string name = node.text();
  const bool is_plain = std::ranges::all_of(
      name, [](unsigned char c) { return c >= ' ' && c != '/' && c != '\\' && c != 127; });
  if (!is_plain || name.front() == '.' || name.size() > 60) {
    node.fail("is no name; use at most 60 characters, no slashes, and no dot at the beginning");
  }
  if (!seen.insert(name).second) {
    node.fail(fmt::format("{} is there twice; names must differ", inQuotes(name)));
  }
  return name;
}

class Reader {
 public:
  explicit Reader(const JsonSource& source)
      : source_(source), root_(source), variables_(studyVariables(checkedRoot())) {}

  StudySpec read() {
    spec_.name = root_.at("name", "give the study a name").text();
    readSets();
    readNetworks();
    spec_.rows = readStudyRows(root_, spec_.networks);
    readSeeds();
    readMeasurement();
    checkFits();
    readLabelling();
    readRetraining();
    readFigures();
    return std::move(spec_);
  }

 private:
  const JsonNode& checkedRoot() {
    root_.expectObject({"name", "variables", "source", "validation", "adaptation", "targets", "ood",
                        "networks", "methods", "seeds", "evaluation", "predict", "score",
                        "baseline", "replicates", "labelling", "retraining", "figures"});
    return root_;
  }

  [[nodiscard]] StudySet setAt(const JsonNode& node, const std::string& name) const {
    return {.name = name,
            .spec = expandedText(node, variables_),
            .place = source_.placeOf(node.path())};
  }

  void readSets() {
    spec_.source = setAt(root_.at("source", kSpecRemedy), "source");
    if (const auto validation = root_.find("validation")) {
      if (validation->value().is_number()) {
        spec_.validation_share = validation->number();
        if (spec_.validation_share <= 0.0 || spec_.validation_share >= 1.0) {
          validation->fail("is not between 0 and 1; write the share of the source to hold out");
        }
      } else {
        spec_.validation = setAt(*validation, "validation");
      }
    }
    if (const auto adaptation = root_.find("adaptation")) {
      spec_.adaptation = setAt(*adaptation, "adaptation");
    }
    std::set<std::string> names;
    for (const JsonNode& node : root_.at("targets", "list the sets to test on").list()) {
      node.expectObject({"name", "data", "shift", "severity", "adaptation"});
      StudySet set = setAt(node.at("data", kSpecRemedy),
                           nameAt(node.at("name", "give the target a name"), names));
      if (const auto shift = node.find("shift")) {
        for (const JsonNode& one : shift->listOrOne()) {
          set.shifts.push_back(one.text());
        }
        set.severity = node.at("severity", "say how strong the shift is").number();
      } else if (const auto severity = node.find("severity")) {
        severity->fail("belongs to no shift; name it with \"shift\"");
      }
      if (const auto adaptation = node.find("adaptation")) {
        set.adaptation = expandedText(*adaptation, variables_);
      }
      spec_.targets.push_back(std::move(set));
    }
    if (spec_.targets.empty()) {
      root_.find("targets")->fail("is empty; list the sets to test on");
    }
    if (const auto ood = root_.find("ood")) {
      for (const JsonNode& node : ood->list()) {
        node.expectObject({"name", "data"});
        const JsonNode name = node.at("name", "give the set a name");
        spec_.ood.push_back(setAt(node.at("data", kSpecRemedy), nameAt(name, names)));
        if (spec_.ood.back().name == "all") {
          name.fail("\"all\" stands for all OOD sets together; choose another name");
        }
      }
    }
  }

  void readNetworks() {
    std::set<std::string> names;
    for (const JsonNode& node : root_.at("networks", "list the networks").list()) {
      node.expectObject({"name", "train", "head", "model"});
      const std::string name = nameAt(node.at("name", "give the network a name"), names);
      const auto train = node.find("train");
      const auto head = node.find("head");
      const auto model = node.find("model");
      if (int{train.has_value()} + int{head.has_value()} + int{model.has_value()} != 1) {
        node.fail("needs exactly one of \"train\", \"head\" and \"model\"");
      }
      StudyNetwork network{.name = name, .place = source_.placeOf(node.path()), .how = {}};
      if (train) {
        TrainOptions options;
        readFields(*train, options.fields(), "train");
        requireOk(*train, options.check());
        network.how = options;
      } else if (head) {
        StudyHead layer;
        readFields(*head, layer.options.fields(), "head", {"backbone"});
        requireOk(*head, layer.options.check());
        layer.backbone = expandedText(
            head->at("backbone", "name the network whose last layer is replaced"), variables_);
        network.how = layer;
      } else {
        network.how = StudyModel{expandedText(*model, variables_)};
      }
      spec_.networks.push_back(std::move(network));
    }
    if (spec_.networks.empty()) {
      root_.find("networks")->fail("is empty; list the networks");
    }
  }

  void readSeeds() {
    const JsonNode seeds = root_.at("seeds", "list whole numbers, as in [1, 2, 3]");
    std::set<std::uint64_t> seen;
    for (const JsonNode& node : seeds.list()) {
      const auto seed =
          static_cast<std::uint64_t>(node.wholeNumber(0, std::numeric_limits<std::int32_t>::max()));
      if (!seen.insert(seed).second) {
        node.fail(fmt::format("seed {} is there twice; list each seed once", seed));
      }
      spec_.seeds.push_back(seed);
    }
    if (spec_.seeds.empty()) {
      seeds.fail("is empty; list whole numbers, as in [1, 2, 3]");
    }
  }

  [[nodiscard]] std::string measureAt(const JsonNode& node) const {
    const std::string key = node.text();
    if (!measureOfKey(key)) {
      node.fail(fmt::format("there is no such measure; choose one of {}",
                            fmt::join(keysOf(allMeasures()), ", ")));
    }
    return key;
  }

  void readMeasurement() {
    if (const auto evaluation = root_.find("evaluation")) {
      readFields(*evaluation, spec_.evaluation.fields(), "evaluation");
      requireOk(*evaluation, spec_.evaluation.check());
    }
    if (const auto predict = root_.find("predict")) {
      readFields(*predict, spec_.predict.fields(), "predict");
      requireOk(*predict, spec_.predict.check());
    }
    if (const auto score = root_.find("score")) {
      if (score->value().is_object()) {
        score->expectObject({"misclassified", "ood"});
        constexpr const char* kRemedy = "name the measure that ranks these items";
        spec_.score_misclassified = measureAt(score->at("misclassified", kRemedy));
        spec_.score_ood = measureAt(score->at("ood", kRemedy));
      } else {
        spec_.score_misclassified = spec_.score_ood = measureAt(*score);
      }
    }
    spec_.baseline = spec_.rows.front().name();
    if (const auto baseline = root_.find("baseline")) {
      spec_.baseline = rowAt(*baseline);
    }
    if (const auto replicates = root_.find("replicates")) {
      spec_.replicates = replicates->wholeNumber(100, 1'000'000);
    }
  }

  [[nodiscard]] std::string rowAt(const JsonNode& node) const {
    const std::string name = node.text();
    std::vector<std::string> names;
    for (const StudyRow& row : spec_.rows) {
      names.push_back(row.name());
    }
    if (std::ranges::find(names, name) == names.end()) {
      node.fail(fmt::format("there is no such row; write NETWORK/METHOD, one of {}",
                            fmt::join(names, ", ")));
    }
    return name;
  }

  [[nodiscard]] bool hasAdaptationOfAllTargets() const {
    return spec_.adaptation || std::ranges::all_of(spec_.targets, [](const StudySet& target) {
             return !target.adaptation.empty();
           });
  }
  [[nodiscard]] bool hasValidation() const {
    return spec_.validation || spec_.validation_share > 0.0;
  }

  /// The items that a row is fitted on must be there.
  void checkFits() {
    for (const StudyRow& row : spec_.rows) {
      const bool reads_labels =
          (!row.grid.empty() && row.select == StudySelect::kNll) ||
          std::ranges::any_of(row.candidates(), [](const MethodOptions& options) {
            return inputsRequiredBy(options).calibration;
          });
      const bool on_source = row.fit_on == StudyFit::kSource;
      if (reads_labels && !(on_source ? hasValidation() : hasAdaptationOfAllTargets())) {
        throw JsonFault{fmt::format("{}: is fitted on labelled items of the {}; add {}", row.place,
                                    on_source ? "source" : "target",
                                    on_source ? "\"validation\" to the study"
                                              : "\"adaptation\" to the study or to each target")};
      }
    }
  }

  void readLabelling() {
    const auto node = root_.find("labelling");
    if (!node) {
      return;
    }
    LabellingOptions options;
    readFields(*node, options.fields(), "labelling", {"targets"});
    if (const auto targets = node->find("targets")) {
      options.targets.clear();
      for (const JsonNode& target : targets->list()) {
        options.targets.push_back(target.number());
      }
    }
    requireOk(*node, options.check());
    if (options.targets.empty() || !hasValidation() || !hasAdaptationOfAllTargets()) {
      node->fail(
          "needs targets, and labelled items of the source and of the target; add \"validation\" "
          "and \"adaptation\" to the study");
    }
    spec_.labelling = options;
  }

  void readRetraining() {
    const auto node = root_.find("retraining");
    if (!node) {
      return;
    }
    if (!spec_.labelling) {
      node->fail("needs the rules of automatic labelling; add \"labelling\" to the study");
    }
    RetrainingOptions options;
    readFields(*node, options.fields(), "retraining", {"rows"});
    requireOk(*node, options.check());
    const auto rows = node->find("rows");
    if (!rows) {
      options.rows.push_back(spec_.baseline);
    } else {
      for (const JsonNode& row : rows->list()) {
        options.rows.push_back(rowAt(row));
      }
    }
    for (const std::string& row : options.rows) {
      if (spec_.row(row).members > 1) {
        node->fail(
            fmt::format("{} is an ensemble, which has no last layer; choose rows of single "
                        "networks with \"rows\"",
                        row));
      }
    }
    spec_.retraining = options;
  }

  void readFigures() {
    spec_.figures = {
        .seed = spec_.seeds.front(), .targets = {spec_.targets.front().name}, .rows = {}};
    const auto node = root_.find("figures");
    if (!node) {
      return;
    }
    node->expectObject({"seed", "targets", "rows"});
    if (const auto seed = node->find("seed")) {
      spec_.figures.seed = static_cast<std::uint64_t>(
          seed->wholeNumber(0, std::numeric_limits<std::int32_t>::max()));
      if (std::ranges::find(spec_.seeds, spec_.figures.seed) == spec_.seeds.end()) {
        seed->fail("is not one of the seeds of the study; choose one of them");
      }
    }
    if (const auto targets = node->find("targets")) {
      spec_.figures.targets.clear();
      for (const JsonNode& target : targets->listOrOne()) {
        const std::string name = target.text();
        if (std::ranges::find(spec_.targets, name, &StudySet::name) == spec_.targets.end()) {
          target.fail("there is no such target; use the name of one");
        }
        spec_.figures.targets.push_back(name);
      }
    }
    if (const auto rows = node->find("rows")) {
      for (const JsonNode& row : rows->list()) {
        spec_.figures.rows.push_back(rowAt(row));
      }
    }
  }

  const JsonSource& source_;
  JsonNode root_;
  StudyVariables variables_;
  StudySpec spec_;
};

Expected<StudySpec> specOf(const Expected<JsonSource>& source) {
  if (!source) {
    return failWith(source);
  }
  try {
    StudySpec spec = Reader(*source).read();
    spec.text = source->text();
    return spec;
  } catch (const JsonFault& fault) {
    return fail(ErrorCode::kMalformed, fault.message, fault.settings);
  }
}

}  // namespace

const StudyRow& StudySpec::row(const std::string& full_name) const {
  const auto found =
      std::ranges::find_if(rows, [&](const StudyRow& row) { return row.name() == full_name; });
  if (found == rows.end()) {
    throw std::out_of_range("StudySpec::row: " + full_name);
  }
  return *found;
}

Expected<StudySpec> readStudy(const std::string& path) {
  return specOf(JsonSource::read(path));
}

Expected<StudySpec> parseStudy(std::string_view text, const std::string& name) {
  return specOf(JsonSource::parse(text, name));
}

}  // namespace dubito
