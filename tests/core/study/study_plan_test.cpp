// SPDX-License-Identifier: GPL-3.0-or-later
// Which results a change of a study affects, without computing any.
#include "core/study/study_plan.h"

#include <set>

#include "core/study/study_inputs.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;

RunContext oneThread() {
  RunContext context;
  context.threads = 1;
  return context;
}

StudySpec specOf(const json& study) {
  auto spec = parseStudy(study.dump(1), "s.json");
  EXPECT_OK(spec);
  return spec.value_or(StudySpec());
}

/// The endings of the files that a change of the study renames, in alphabetical order.
std::string renamedBy(const json& study, const char* pointer, const json& value) {
  json other = study;
  other[json::json_pointer(pointer)] = value;
  const auto namesOf = [](const json& one) {
    RunContext context = oneThread();
    const StudySpec spec = specOf(one);
    const auto inputs = openStudy(spec, context);
    EXPECT_OK(inputs);
    const std::vector<std::string> names = planStudy(spec, *inputs, "runs", context).fileNames();
    return std::set<std::string>(names.begin(), names.end());
  };
  const std::set<std::string> before = namesOf(study);
  std::set<std::string> endings;
  for (const std::string& name : namesOf(other)) {
    if (!before.contains(name)) {
      endings.insert(name.substr(name.find('.', name.rfind("-"))));
    }
  }
  std::string text;
  for (const std::string& ending : endings) {
    text += ending;
  }
  return text;
}

TEST(StudyPlan, EveryOptionIsInTheKeysOfWhatDependsOnIt) {
  const json study = test::tinyStudy();
  constexpr const char* kAll = ".evaluation.json.labelling.json.npz.retraining.json";
  constexpr const char* kEverything = ".evaluation.json.labelling.json.npz.pt.retraining.json";
  EXPECT_EQ(renamedBy(study, "/name", "other"), "");
  EXPECT_EQ(renamedBy(study, "/source", "synthetic:blobs?blobs=4&n=301&seed=1"), kEverything);
  EXPECT_EQ(renamedBy(study, "/networks/0/train/epochs", 3), kEverything);
  EXPECT_EQ(renamedBy(study, "/targets/0/data", "synthetic:blobs?blobs=4&n=150&seed=14"), kAll);
  EXPECT_EQ(renamedBy(study, "/predict", {{"keep_samples_mb", 1}}), kAll);
  EXPECT_EQ(renamedBy(study, "/methods/3/options/draws", 6),
            ".evaluation.json.labelling.json.npz");  // this row is not retrained
  EXPECT_EQ(renamedBy(study, "/methods/5/grid/tau", {0.1, 11}),
            ".evaluation.json.labelling.json.npz");
  EXPECT_EQ(renamedBy(study, "/methods/5/select", "evidence"),
            ".evaluation.json.labelling.json.npz");
  EXPECT_EQ(renamedBy(study, "/methods/4/members", 3), ".evaluation.json.labelling.json.npz.pt");
  EXPECT_EQ(renamedBy(study, "/ood/0/data", "synthetic:moons?n=101&seed=6"),
            ".evaluation.json.npz");
  EXPECT_EQ(renamedBy(study, "/ood/0/name", "moon"), ".evaluation.json.npz");
  EXPECT_EQ(renamedBy(study, "/evaluation", {{"bins", 7}}), ".evaluation.json");
  EXPECT_EQ(renamedBy(study, "/labelling/targets", {0.5, 0.9}), ".labelling.json.retraining.json");
  EXPECT_EQ(renamedBy(study, "/labelling/delta", 0.2), ".labelling.json.retraining.json");
  EXPECT_EQ(renamedBy(study, "/labelling/measure", "entropy"), ".labelling.json.retraining.json");
  EXPECT_EQ(renamedBy(study, "/retraining/l2", 0.01), ".retraining.json");
  EXPECT_EQ(renamedBy(study, "/retraining/budget", 10), ".retraining.json");
  EXPECT_EQ(renamedBy(study, "/retraining/layers", "all"), ".retraining.json");
  EXPECT_EQ(renamedBy(study, "/retraining/epochs", 3), "");  // of all layers
  json all = study;
  all["retraining"]["layers"] = "all";
  for (const char* const option : {"epochs", "batch"}) {
    EXPECT_EQ(renamedBy(all, (std::string("/retraining/") + option).c_str(), 3),
              ".retraining.json");
  }
  EXPECT_EQ(renamedBy(all, "/retraining/learning_rate", 0.02), ".retraining.json");
  EXPECT_EQ(renamedBy(all, "/retraining/l2", 0.01), "");  // of the last layer
}

TEST(StudyPlan, ThreadsArePartOfTheKeys) {
  const StudySpec spec = specOf(test::tinyStudy());
  RunContext context = oneThread();
  const auto inputs = openStudy(spec, context);
  ASSERT_OK(inputs);
  const auto names = planStudy(spec, *inputs, "runs", context).fileNames();
  context.threads = 2;
  const auto others = planStudy(spec, *inputs, "runs", context).fileNames();
  ASSERT_EQ(names.size(), others.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_NE(names[i], others[i]);
  }
}

}  // namespace
}  // namespace dubito
