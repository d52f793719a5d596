// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_spec.h"

#include <cstdlib>

#include "core/study/study_inputs.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;

Expected<StudySpec> parsed(const json& study) {
  return parseStudy(study.dump(1), "s.json");
}

TEST(StudySpec, ReadsEverything) {
  const auto spec = parsed(test::tinyStudy());
  ASSERT_OK(spec);
  EXPECT_EQ(spec->name, "Blobs that move");
  EXPECT_EQ(spec->seeds, (std::vector<std::uint64_t>{1, 2}));
  ASSERT_EQ(spec->targets.size(), 2U);
  EXPECT_EQ(spec->targets[1].shifts, std::vector<std::string>{"noise"});
  EXPECT_EQ(spec->targets[1].severity, 1.0);
  ASSERT_EQ(spec->rows.size(), 8U);
  EXPECT_EQ(spec->rows[0].name(), "plain/map");
  EXPECT_EQ(spec->rows[1].name(), "fixed/map");
  EXPECT_EQ(std::get<TrainOptions>(spec->networks[1].how).drop_rate, 0.3);
  EXPECT_EQ(std::get<McDropoutOptions>(spec->row("fixed/dropout").options).draws, 5);
  EXPECT_EQ(spec->row("plain/ensemble").members, 2);
  const auto candidates = spec->row("plain/laplace").candidates();
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(std::get<LaplaceOptions>(candidates[1]).tau, 10.0);
  EXPECT_EQ(spec->score_ood, "entropy");
  EXPECT_EQ(spec->figures.seed, 1U);
  ASSERT_TRUE(spec->labelling);
  EXPECT_EQ(spec->labelling->targets, (std::vector<double>{0.5, 0.95}));
}

TEST(StudySpec, VariablesStandForTexts) {
  json study = test::tinyStudy();
  study["variables"] = {{"a", "blobs=4"}, {"b", "synthetic:blobs?${a}"}};
  study["source"] = "${b}&n=300&seed=${DUBITO_TEST_SEED_OF_STUDY:-1}";
  auto spec = parsed(study);
  ASSERT_OK(spec);
  EXPECT_EQ(spec->source.spec, "synthetic:blobs?blobs=4&n=300&seed=1");
  ASSERT_EQ(setenv("DUBITO_TEST_SEED_OF_STUDY", "7", 1), 0);
  spec = parsed(study);
  unsetenv("DUBITO_TEST_SEED_OF_STUDY");
  ASSERT_OK(spec);
  EXPECT_EQ(spec->source.spec, "synthetic:blobs?blobs=4&n=300&seed=7");
}

/// A change of the study and what the message must name.
struct Fault {
  const char* name;
  const char* pointer;  ///< of the member to replace
  json value;           ///< null: the member is removed
  std::vector<std::string> words;
};

class StudyFaults : public testing::TestWithParam<Fault> {};

TEST_P(StudyFaults, AreNamedWithTheirPlace) {
  json study = test::tinyStudy();
  const json::json_pointer pointer(GetParam().pointer);
  if (GetParam().value.is_null()) {
    json& parent = study.at(pointer.parent_pointer());
    parent.erase(pointer.back());
  } else {
    study[pointer] = GetParam().value;
  }
  const auto spec = parsed(study);
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(spec.error().message, HasSubstr("s.json"));
  for (const std::string& word : GetParam().words) {
    EXPECT_THAT(spec.error().message, HasSubstr(word));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StudyFaults,
    testing::Values(
        Fault{"UnknownKey", "/sources", "x", {"line", "sources", "unknown key", "source"}},
        Fault{"NoSource", "/source", {}, {"has no \"source\""}},
        Fault{"SourceIsNoText", "/source", 3, {"line", "source: is a number; write a text"}},
        Fault{"ValidationShare", "/validation", 1.0, {"validation: is not between 0 and 1"}},
        Fault{"NoTargets", "/targets", json::array(), {"targets: is empty"}},
        Fault{"TargetWithoutData", "/targets/0/data", {}, {"targets[0]: has no \"data\""}},
        Fault{"DuplicateTarget", "/targets/1/name", "clean", {"targets[1].name", "twice"}},
        Fault{"NameWithSlash", "/targets/1/name", "a/b", {"targets[1].name: is no name"}},
        Fault{"ShiftWithoutSeverity", "/targets/0/severity", {}, {"targets[0]", "severity"}},
        Fault{"SeverityWithoutShift", "/targets/0/shift", {}, {"targets[0].severity", "shift"}},
        Fault{"OodCalledAll", "/ood/0/name", "all", {"ood[0].name", "another name"}},
        Fault{"OodCalledLikeATarget", "/ood/0/name", "clean", {"ood[0].name", "twice"}},
        Fault{"UnknownTrainOption",
              "/networks/0/train/epoch",
              3,
              {"networks[0].train.epoch", "no such option", "epochs"}},
        Fault{"TrainOptionOutOfRange",
              "/networks/0/train/epochs",
              0,
              {"networks[0].train.epochs", "Epochs is 0"}},
        Fault{"TrainOptionsThatDoNotFit",
              "/networks/0/train/snapshots",
              1,
              {"networks[0].train: one snapshot is too few", "one network (no snapshots)"}},
        Fault{"AveragedShareByItsKey",
              "/networks/0/train/swag",
              2,
              {"networks[0].train: SWAG needs", "more epochs (swa_share)"}},
        Fault{"TrainOptionOfWrongType",
              "/networks/0/train/epochs",
              "two",
              {"networks[0].train.epochs", "wrong type", "write a whole number"}},
        Fault{"TrainOptionThatIsNotWhole",
              "/networks/0/train/epochs",
              2.5,
              {"networks[0].train.epochs", "2.5", "write a whole number"}},
        Fault{"BudgetThatIsNotWhole",
              "/retraining/budget",
              50.5,
              {"retraining.budget", "50.5", "write a whole number, or null"}},
        Fault{"NoKindOfNetwork", "/networks/0/train", {}, {"networks[0]", "exactly one"}},
        Fault{"TwoKindsOfNetwork", "/networks/0/model", "a.pt", {"networks[0]", "exactly one"}},
        Fault{"DuplicateNetwork", "/networks/1/name", "plain", {"networks[1].name", "twice"}},
        Fault{"UnknownNetwork",
              "/methods/2/network",
              "plane",
              {"methods[2].network", "'plane'", "plain, fixed"}},
        Fault{"UnknownMethod", "/methods/0/method", "mapp", {"methods[0].method", "mapp"}},
        Fault{"DropoutOfANetworkWithout",
              "/methods/3/network",
              "all",
              {"methods[3].network", "'plain' is trained with drop_rate 0"}},
        Fault{"UnknownMethodOption",
              "/methods/3/options/drows",
              5,
              {"methods[3].options.drows", "mc-dropout has no such option", "draws"}},
        Fault{"DuplicateRow", "/methods/2/name", "map", {"methods[2].name", "plain/map", "twice"}},
        Fault{"UnknownFit", "/methods/2/fit_on", "target", {"methods[2].fit_on", "adaptation"}},
        Fault{"GridOfUnknownOption",
              "/methods/5/grid",
              {{"tow", {1}}},
              {"methods[5].grid.tow", "no such option"}},
        Fault{"GridValueOutOfRange",
              "/methods/5/grid",
              {{"tau", {0.1, -1}}},
              {"methods[5].grid.tau[1]", "Tau is -1"}},
        Fault{"EmptyGrid",
              "/methods/5/grid",
              {{"tau", json::array()}},
              {"methods[5].grid.tau", "empty"}},
        Fault{"SelectWithoutGrid", "/methods/0/select", "nll", {"methods[0].select", "grid"}},
        Fault{"UnknownSelect", "/methods/5/select", "ece", {"methods[5].select", "evidence"}},
        Fault{"NoMembers", "/methods/4/members", 0, {"methods[4].members", "from 1"}},
        Fault{"NoSeeds", "/seeds", json::array(), {"seeds: is empty"}},
        Fault{"DuplicateSeed", "/seeds", {1, 1}, {"seeds[1]", "twice"}},
        Fault{"NegativeSeed", "/seeds", {-1}, {"seeds[0]", "-1"}},
        Fault{"UnknownScore", "/score", "confidenze", {"score", "no such measure", "entropy"}},
        Fault{"UnknownBaseline", "/baseline", "plain/mapp", {"baseline", "plain/map"}},
        Fault{"UnknownFigureTarget", "/figures", {{"targets", "dirty"}}, {"figures.targets"}},
        Fault{"SeedOfNoRun", "/figures", {{"seed", 9}}, {"figures.seed", "one of the seeds"}},
        Fault{"RetrainingAnEnsemble",
              "/retraining/rows",
              {"plain/ensemble"},
              {"retraining", "ensemble", "last layer"}},
        Fault{"RetrainingWithoutLabelling", "/labelling", {}, {"retraining", "\"labelling\""}},
        Fault{
            "RetrainedLayers", "/retraining/layers", "first", {"retraining.layers", "last", "all"}},
        Fault{"RetrainingBudget", "/retraining/budget", 0, {"retraining.budget"}},
        Fault{"UnknownRetrainingOption",
              "/retraining/epoch",
              3,
              {"retraining.epoch", "no such option", "epochs"}},
        Fault{"LabellingTarget", "/labelling/targets", {1.5}, {"labelling", "Target is 1.5"}},
        Fault{"TemperatureWithoutValidation", "/validation", {}, {"methods[1]", "\"validation\""}},
        Fault{"TemperatureWithoutAdaptation", "/adaptation", {}, {"methods[2]", "\"adaptation\""}}),
    [](const testing::TestParamInfo<Fault>& fault) { return fault.param.name; });

TEST(StudySpec, AFixedNetworkHasNoMembers) {
  json study = test::tinyStudy();
  study["networks"][0] = {{"name", "plain"}, {"model", "a.pt"}};
  const auto spec = parsed(study);
  ASSERT_FALSE(spec);
  EXPECT_THAT(spec.error().message, HasSubstr("methods[4].members: 'plain' is one network"));
}

TEST(StudyInputs, MissingSetsAreNamedBeforeAnythingIsTrained) {
  RunContext context;
  std::vector<Setting> settings;  // of the last failure
  const auto failureOf = [&](const char* pointer, const json& value) {
    json study = test::tinyStudy();
    study[json::json_pointer(pointer)] = value;
    const auto spec = parsed(study);
    EXPECT_OK(spec);
    const auto inputs = openStudy(*spec, context);
    EXPECT_FALSE(inputs) << pointer;
    settings = inputs ? std::vector<Setting>() : inputs.error().remedy.settings;
    return inputs ? std::string() : inputs.error().message;
  };
  EXPECT_THAT(failureOf("/ood/0/data", "npz:none.npz"), HasSubstr("ood[0].data: "));
  EXPECT_THAT(failureOf("/ood/0/data", "npz:none.npz"), HasSubstr("none.npz"));
  EXPECT_THAT(failureOf("/networks/1", {{"name", "fixed"}, {"model", "none.pt"}}),
              HasSubstr("networks[1]: none.pt"));
  EXPECT_THAT(failureOf("/targets/1/data", "synthetic:blobs?blobs=4&n=150&role=ood"),
              HasSubstr("targets[1].data: has the role ood"));
  EXPECT_THAT(settings, testing::ElementsAre(datasetSetting("role", "ood")));
  // The first 300 items of seed 1 are the source.
  EXPECT_THAT(failureOf("/targets/1/data", "synthetic:blobs?blobs=4&n=350&seed=1&items=290:350"),
              HasSubstr("targets[1].data: 10 of its items are also in source"));
  EXPECT_THAT(settings, testing::ElementsAre(datasetSetting("items")));
  EXPECT_THAT(failureOf("/validation", "synthetic:blobs?blobs=4&n=300&seed=1"),
              HasSubstr("validation: 300 of its items are also in source"));
}

TEST(StudyInputs, AShareOfTheSourceIsHeldOut) {
  json study = test::tinyStudy();
  study["validation"] = 0.2;
  const auto spec = parsed(study);
  ASSERT_OK(spec);
  RunContext context;
  const auto inputs = openStudy(*spec, context);
  ASSERT_OK(inputs);
  EXPECT_EQ(inputs->source->data->size(), 240);
  EXPECT_EQ(inputs->validation->data->size(), 60);
  EXPECT_EQ(inputs->validation->data->info().role, Role::kCalibration);
}

TEST(StudyInputs, KeysFollowTheContents) {
  RunContext context;
  const auto keyOf = [&context](const std::string& source) {
    json study = test::tinyStudy();
    study["source"] = source;
    const auto spec = parsed(study);
    EXPECT_OK(spec);
    const auto inputs = openStudy(*spec, context);
    EXPECT_OK(inputs);
    return inputs ? inputs->source->key : std::string();
  };
  const std::string key = keyOf("synthetic:blobs?blobs=4&n=300&seed=1");
  EXPECT_EQ(keyOf("synthetic:blobs?n=300&seed=1&blobs=4&name=other"), key);
  EXPECT_NE(keyOf("synthetic:blobs?blobs=4&n=299&seed=1"), key);
  EXPECT_NE(keyOf("synthetic:blobs?blobs=4&n=300&seed=11"), key);
  EXPECT_NE(keyOf("synthetic:blobs?blobs=4&n=300&seed=1&corrupt=noise:1"), key);
  EXPECT_NE(keyOf("synthetic:blobs?blobs=4&n=300&seed=1&items=::-1"), key);
}

}  // namespace
}  // namespace dubito
