// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cstdlib>

#include "core/models/guessed_preprocessing.h"
#include "core/models/model.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

ModelAudit auditOf(const std::string& path) {
  RunContext context;
  const auto model = loadModel(path, {}, context);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    return {};
  }
  return (*model)->audit();
}

ModelAudit auditOfFixture(const std::string& name) {
  return auditOf((test::sourceDir() / "tests/data/models" / name).string());
}

bool hasNote(const ModelAudit& audit, const std::string& part) {
  return std::ranges::any_of(textsOf(audit.notes), [&part](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

struct SiteExpected {
  std::string file;
  std::string mode;
};

class SitesOfSavedForms : public testing::TestWithParam<SiteExpected> {};

TEST_P(SitesOfSavedForms, AreFoundWithNameRateAndPlace) {
  const ModelAudit audit = auditOfFixture(GetParam().file);
  ASSERT_EQ(audit.dropout_sites.size(), 2U);
  const DropoutSite& channels = audit.dropout_sites[0];
  const DropoutSite& units = audit.dropout_sites[1];
  EXPECT_EQ(channels.site, 0);
  EXPECT_EQ(channels.op, "aten::feature_dropout");
  EXPECT_DOUBLE_EQ(channels.drop_rate, 0.25);
  EXPECT_EQ(channels.name, "drop_channels");
  EXPECT_EQ(channels.place, "before fc1");
  EXPECT_EQ(channels.mode, GetParam().mode);
  EXPECT_EQ(channels.refused, "");
  EXPECT_EQ(units.op, "aten::dropout");
  EXPECT_DOUBLE_EQ(units.drop_rate, 0.5);
  EXPECT_EQ(units.name, "drop");
  EXPECT_EQ(units.place, "before fc2");
  EXPECT_EQ(audit.first_stochastic_site, "drop_channels");
  ASSERT_EQ(audit.norm_layers.size(), 1U);
  EXPECT_EQ(audit.norm_layers[0].name, "norm");
  EXPECT_EQ(audit.norm_layers[0].mode, GetParam().mode);
  EXPECT_FALSE(audit.batch.depends_on_batch) << audit.batch.max_prob_difference;
}

INSTANTIATE_TEST_SUITE_P(Audit, SitesOfSavedForms,
                         testing::Values(SiteExpected{"traced_eval.pt", "always off"},
                                         SiteExpected{"traced_train.pt", "always on"},
                                         SiteExpected{"scripted.pt", "follows training"}),
                         [](const auto& test_case) {
                           return test_case.param.file.substr(0, test_case.param.file.find('.'));
                         });

TEST(Audit, SaysThatNormalisationWasSavedInTrainingMode) {
  EXPECT_TRUE(hasNote(auditOfFixture("traced_train.pt"), "saved in training mode"));
  EXPECT_FALSE(hasNote(auditOfFixture("traced_eval.pt"), "saved in training mode"));
}

TEST(Audit, FindsFunctionalDropoutOnce) {
  const ModelAudit audit = auditOfFixture("scripted_functional.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].name, "functional");
  EXPECT_DOUBLE_EQ(audit.dropout_sites[0].drop_rate, 0.4);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
}

TEST(Audit, FollowsDropoutThatWritesIntoItsInput) {
  const ModelAudit audit = auditOfFixture("scripted_in_place.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].op, "aten::dropout_");
  EXPECT_EQ(audit.dropout_sites[0].refused, "") << "its result seems not to be used";
}

TEST(Audit, RebuildsLogitsFromTheHead) {
  for (const std::string file : {"traced_eval.pt", "scripted.pt", "frozen.pt", "softmax.pt"}) {
    const ModelAudit audit = auditOfFixture(file);
    ASSERT_TRUE(audit.head.found) << file << ": " << audit.head.reason;
    EXPECT_EQ(audit.head.features, 16) << file;
    EXPECT_EQ(audit.head.classes, 10) << file;
    EXPECT_TRUE(audit.head.has_bias) << file;
    EXPECT_LT(audit.head.reconstruction_error, 1e-5) << file;
  }
}

TEST(Audit, CountsParametersAlsoOfFrozenNetworks) {
  // 3*25+3 convolution, 2*3 norm, 108*16+16 and 16*10+10 linear.
  EXPECT_EQ(auditOfFixture("traced_eval.pt").parameter_count, 78 + 6 + 1744 + 170);
  EXPECT_GE(auditOfFixture("frozen.pt").parameter_count, 78 + 1744 + 170);
}

TEST(Audit, SaysThatAFrozenNetworkHasNoDropout) {
  const ModelAudit audit = auditOfFixture("frozen.pt");
  EXPECT_TRUE(audit.dropout_sites.empty());
  EXPECT_EQ(audit.first_stochastic_site, "");
  // Nothing says either how its input is to be scaled, which matters more.
  ASSERT_GE(audit.notes.size(), 2U);
  EXPECT_EQ(guessedPreprocessing(audit.notes), "input size, value range");
  EXPECT_THAT(toText(audit.notes[1]), HasSubstr("no dropout"));
}

TEST(Audit, TellsProbabilitiesFromLogits) {
  EXPECT_EQ(auditOfFixture("softmax.pt").output, OutputKind::kProbabilities);
  EXPECT_EQ(auditOfFixture("traced_eval.pt").output, OutputKind::kLogits);
  const ModelAudit logged = auditOfFixture("log_softmax.pt");
  EXPECT_EQ(logged.output, OutputKind::kLogits);
  EXPECT_TRUE(hasNote(logged, "log-probabilities"));
}

TEST(Audit, FindsVectorsByTheFirstLayer) {
  const ModelAudit audit = auditOfFixture("vector.pt");
  EXPECT_EQ(audit.input_shape, std::vector<std::int64_t>{2});
  EXPECT_TRUE(hasNote(audit, "found by trial"));
}

TEST(Audit, ImagesAreResizedToTheOnlySizeThatANetworkTakes) {
  RunContext context;
  const auto model =
      loadModel((test::sourceDir() / "tests/data/models/frozen.pt").string(), {}, context);
  ASSERT_TRUE(model) << model.error().message;
  const Preprocessing& preprocessing = (*model)->metadata().preprocessing;
  EXPECT_EQ(preprocessing.height, 28);
  EXPECT_EQ(preprocessing.width, 28);
  EXPECT_TRUE(hasNote((*model)->audit(), "1 x 28 x 28 was found by trial"));
  EXPECT_EQ(guessedPreprocessing((*model)->audit().notes), "input size, value range");
}

TEST(Audit, ANetworkThatTakesAnySizeGetsImagesAsStored) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_parameter("w", at::arange(6, at::kFloat).view({3, 2}), false);
  module.define("def forward(self, x):\n  return torch.matmul(x.mean([2, 3])[:, :3], self.w)\n");
  module.save(folder.file("net.pt"), {{"metadata.json", R"({"channels": 3})"}});
  RunContext context;
  const auto model = loadModel(folder.file("net.pt"), {}, context);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->audit().input_shape, (std::vector<std::int64_t>{3, 32, 32}));
  EXPECT_EQ((*model)->metadata().preprocessing.height, 0);
}

struct HiddenSites {
  std::string file;
  std::vector<std::pair<std::string, double>> sites;  ///< operator and rate
};

class SitesInHiding : public testing::TestWithParam<HiddenSites> {};

TEST_P(SitesInHiding, AreFoundAndCanBeUsed) {
  const ModelAudit audit = auditOfFixture(GetParam().file);
  ASSERT_EQ(audit.dropout_sites.size(), GetParam().sites.size());
  const std::string mode =
      GetParam().file.find("_traced") == std::string::npos ? "follows training" : "always on";
  for (std::size_t i = 0; i < audit.dropout_sites.size(); ++i) {
    const DropoutSite& site = audit.dropout_sites[i];
    EXPECT_EQ(site.site, static_cast<std::int64_t>(i));
    EXPECT_EQ(site.op, GetParam().sites[i].first);
    EXPECT_NEAR(site.drop_rate, GetParam().sites[i].second, 1e-12);
    EXPECT_EQ(site.mode, mode);
    EXPECT_EQ(site.refused, "");
  }
}

const std::string kAttention = "aten::scaled_dot_product_attention";
const std::vector<std::pair<std::string, double>> kTransformer = {
    {kAttention, 0.2}, {"aten::dropout", 0.2}, {"aten::dropout", 0.2}, {"aten::dropout", 0.2}};
const std::vector<std::pair<std::string, double>> kSelu = {{"aten::feature_alpha_dropout", 0.1},
                                                           {"aten::alpha_dropout", 0.2}};
const std::vector<std::pair<std::string, double>> kListLoop = {{"aten::dropout", 0.1},
                                                               {"aten::feature_dropout", 0.2}};

INSTANTIATE_TEST_SUITE_P(
    Audit, SitesInHiding,
    testing::Values(
        HiddenSites{"transformer_scripted.pt", kTransformer},
        HiddenSites{"transformer_traced.pt", kTransformer},
        HiddenSites{"transformer_batch_first_scripted.pt", kTransformer},
        HiddenSites{"transformer_batch_first_traced.pt", kTransformer},
        HiddenSites{"self_attention_scripted.pt", {{kAttention, 0.25}}},
        HiddenSites{"self_attention_traced.pt", {{kAttention, 0.25}}},
        HiddenSites{"self_attention_weights_scripted.pt", {{"aten::dropout", 0.25}}},
        HiddenSites{"self_attention_weights_traced.pt", {{"aten::dropout", 0.25}}},
        HiddenSites{"attention_options_traced.pt", {{kAttention, 0.2}, {kAttention, 0.3}}},
        HiddenSites{"lstm_bidirectional_scripted.pt", {{"aten::lstm", 0.5}}},
        HiddenSites{"lstm_bidirectional_traced.pt", {{"aten::lstm", 0.5}}},
        HiddenSites{"lstm_batch_first_scripted.pt", {{"aten::lstm", 0.5}}},
        HiddenSites{"lstm_batch_first_traced.pt", {{"aten::lstm", 0.5}}},
        HiddenSites{"gru_scripted.pt", {{"aten::gru", 0.3}}},
        HiddenSites{"gru_traced.pt", {{"aten::gru", 0.3}}},
        HiddenSites{"rnn_tanh_scripted.pt", {{"aten::rnn_tanh", 0.3}}},
        HiddenSites{"rnn_tanh_traced.pt", {{"aten::rnn_tanh", 0.3}}},
        HiddenSites{"rnn_relu_scripted.pt", {{"aten::rnn_relu", 0.3}}},
        HiddenSites{"rnn_relu_traced.pt", {{"aten::rnn_relu", 0.3}}},
        HiddenSites{"selu_scripted.pt", kSelu}, HiddenSites{"selu_traced.pt", kSelu},
        HiddenSites{"list_loop_scripted.pt", kListLoop},
        HiddenSites{"list_loop_traced.pt", kListLoop},
        HiddenSites{"looped.pt", {{"aten::dropout", 0.2}}},
        HiddenSites{"two_loops.pt", {{"aten::dropout", 0.2}}},
        HiddenSites{"branches.pt",
                    {{"aten::dropout", 0.2}, {"aten::dropout", 0.4}, {"aten::dropout", 0.3}}},
        HiddenSites{"training_branch.pt", {{"aten::dropout", 0.5}}}),
    [](const auto& test_case) {
      return test_case.param.file.substr(0, test_case.param.file.find('.'));
    });

TEST(Audit, TakesItemsOnTheSecondAxis) {
  const ModelAudit audit = auditOfFixture("sequence_first.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
}

TEST(Audit, TellsWhereAttentionLostItsDropout) {
  const ModelAudit audit = auditOfFixture("transformer_traced_eval.pt");
  EXPECT_EQ(audit.dropout_sites.size(), 3U);
  EXPECT_TRUE(hasNote(audit, "loses the dropout of its attention"));
  EXPECT_FALSE(hasNote(auditOfFixture("transformer_traced.pt"), "attention"));
}

struct RefusedSite {
  std::string file;
  std::size_t site;
  std::string op;
  std::string reason;
};

class RefusedSites : public testing::TestWithParam<RefusedSite> {};

TEST_P(RefusedSites, AreListedWithTheReason) {
  const ModelAudit audit = auditOfFixture(GetParam().file);
  ASSERT_GT(audit.dropout_sites.size(), GetParam().site);
  const DropoutSite& site = audit.dropout_sites[GetParam().site];
  EXPECT_EQ(site.op, GetParam().op);
  EXPECT_THAT(site.refused, HasSubstr(GetParam().reason));
  EXPECT_TRUE(hasNote(audit, site.refused));
}

INSTANTIATE_TEST_SUITE_P(
    Audit, RefusedSites,
    testing::Values(RefusedSite{"packed.pt", 0, "aten::gru", "packed sequences"},
                    RefusedSite{"lstm_quantised.pt", 0, "aten::quantized_lstm", "internally"},
                    RefusedSite{"items_last.pt", 0, "aten::dropout", "not items"},
                    RefusedSite{"nested_loops.pt", 1, "aten::dropout", "three or more nested"},
                    RefusedSite{"constants.pt", 1, "aten::dropout", "computed at run time"},
                    RefusedSite{"constants.pt", 2, "aten::dropout_", "outside its branch"}),
    [](const auto& test_case) {
      return test_case.param.file.substr(0, test_case.param.file.find('.')) +
             std::to_string(test_case.param.site);
    });

TEST(Audit, KeepsTheUsableSiteBesideARefusedOne) {
  const ModelAudit audit = auditOfFixture("constants.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 3U);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
  EXPECT_EQ(audit.dropout_sites[0].mode, "always on");
  EXPECT_EQ(audit.first_stochastic_site, "functional");
}

TEST(Audit, AcceptsSeveralRowsAnItem) {
  const ModelAudit audit = auditOfFixture("windows.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
}

TEST(Audit, FindsDependenceOnBatchMates) {
  const ModelAudit quantised = auditOfFixture("quantised.pt");
  EXPECT_TRUE(quantised.batch.depends_on_batch);
  EXPECT_GT(quantised.batch.max_prob_difference, 1e-5);
  EXPECT_EQ(quantised.batch.reason, "quantized::linear_dynamic");
  EXPECT_TRUE(quantised.head.found) << quantised.head.reason;
  EXPECT_TRUE(quantised.head.quantised);
  EXPECT_LT(quantised.head.reconstruction_error, 0.05);
  const ModelAudit mates = auditOfFixture("batch_mates.pt");
  EXPECT_TRUE(mates.batch.depends_on_batch);
  EXPECT_THAT(mates.batch.reason, HasSubstr("aten::batch_norm"));
}

/// A bias that is computed, and other layers next to the last one: logits are W h plus those.
TEST(Audit, TellsWhatElseIsAddedToTheHead) {
  const ModelAudit scaled = auditOfFixture("scaled_bias.pt");
  ASSERT_TRUE(scaled.head.found) << scaled.head.reason;
  EXPECT_FALSE(scaled.head.has_bias);
  EXPECT_EQ(scaled.head.added, "fc2 (aten::mul)");
  EXPECT_LT(scaled.head.reconstruction_error, 1e-5);
  EXPECT_TRUE(hasNote(scaled, "W h of the head plus fc2 (aten::mul)"));
  const ModelAudit wide = auditOfFixture("wide_and_deep.pt");
  ASSERT_TRUE(wide.head.found) << wide.head.reason;
  EXPECT_EQ(wide.head.op, "aten::matmul");
  EXPECT_EQ(wide.head.added, "wide (aten::linear)");
  EXPECT_LT(wide.head.reconstruction_error, 1e-5);
  EXPECT_EQ(auditOfFixture("scripted.pt").head.added, "");
}

/// One factor of a product is no head: nothing of it gives the logits.
TEST(Audit, FindsNoHeadInAProductOfLayers) {
  const Head head = auditOfFixture("gated.pt").head;
  EXPECT_FALSE(head.found);
  EXPECT_EQ(head.reason,
            "the network returns a product (aten::mul) of values that it computes, not W h "
            "+ b");
}

TEST(Audit, FindsTheHeadBeforeAConstantFactor) {
  const Head head = auditOfFixture("tempered.pt").head;
  ASSERT_TRUE(head.found) << head.reason;
  EXPECT_LT(head.reconstruction_error, 1e-5);
}

struct Unrepeatable {
  std::string file;
  std::string what;
};

class UnrepeatableNetworks : public testing::TestWithParam<Unrepeatable> {};

TEST_P(UnrepeatableNetworks, AreToldFromDependenceOnBatchMates) {
  const ModelAudit audit = auditOfFixture(GetParam().file);
  EXPECT_THAT(audit.unrepeatable, HasSubstr(GetParam().what));
  EXPECT_TRUE(hasNote(audit, audit.unrepeatable));
  EXPECT_FALSE(audit.batch.depends_on_batch) << audit.batch.reason;
  EXPECT_FALSE(hasNote(audit, "share a batch"));
}

INSTANTIATE_TEST_SUITE_P(
    Audit, UnrepeatableNetworks,
    testing::Values(Unrepeatable{"noisy.pt", "its own random numbers (aten::geometric_)"},
                    Unrepeatable{"noisy_traced.pt", "its own random numbers (aten::randn)"},
                    Unrepeatable{"counting.pt", "changes from call to call (calls)"},
                    Unrepeatable{"counting_number.pt", "changes from call to call (calls)"}),
    [](const auto& test_case) {
      return test_case.param.file.substr(0, test_case.param.file.find('.'));
    });

TEST(Audit, JudgesTheProgramThatRunsInEvaluation) {
  for (const std::string file : {"noisy_in_training.pt", "stochastic_depth_scripted.pt",
                                 "stochastic_depth_unscaled.pt", "scripted.pt"}) {
    const ModelAudit audit = auditOfFixture(file);
    EXPECT_EQ(audit.unrepeatable, "") << file;
    EXPECT_FALSE(hasNote(audit, "its own random numbers")) << file;
    EXPECT_FALSE(hasNote(audit, "Operators that draw random numbers")) << file;
  }
  // State that is written and changes nothing.
  const ModelAudit aside = auditOfFixture("counting_aside.pt");
  EXPECT_EQ(aside.unrepeatable, "");
  EXPECT_TRUE(hasNote(aside, "changes its own state at every call (calls)"));
}

TEST(Audit, FindsStochasticDepth) {
  struct Expected {
    std::string file;
    std::string mode;
    double drop_rate;
  };
  for (const Expected& expected :
       {Expected{"stochastic_depth_scripted.pt", "follows training", 0.2},
        Expected{"stochastic_depth_batch.pt", "follows training", 0.2},
        Expected{"stochastic_depth_traced.pt", "always on", 0.2},
        Expected{"drop_path_traced.pt", "always on", 0.3},
        Expected{"drop_path_by_floor_traced.pt", "always on", 0.3},
        Expected{"drop_path_by_comparison_traced.pt", "always on", 0.3},
        Expected{"drop_path_by_drop_rate_traced.pt", "always on", 0.3}}) {
    const ModelAudit audit = auditOfFixture(expected.file);
    ASSERT_EQ(audit.dropout_sites.size(), 1U) << expected.file;
    const DropoutSite& site = audit.dropout_sites[0];
    EXPECT_EQ(site.op, "stochastic depth") << expected.file;
    EXPECT_EQ(site.name, "depth") << expected.file;
    EXPECT_EQ(site.mode, expected.mode) << expected.file;
    EXPECT_EQ(site.drop_rate, expected.drop_rate) << expected.file;
    EXPECT_EQ(site.refused, "") << expected.file;
    EXPECT_EQ(audit.unrepeatable, "") << expected.file;
  }
}

TEST(Audit, FindsDropoutThatIsWrittenAsAMask) {
  for (const auto& [file, mode] : {std::pair{"mask_of_elements_traced.pt", "always on"},
                                   std::pair{"mask_of_channels_traced.pt", "always on"},
                                   std::pair{"mask_by_where_traced.pt", "always on"},
                                   std::pair{"mask_by_fill_traced.pt", "always on"},
                                   std::pair{"mask_in_training_scripted.pt", "follows training"}}) {
    const ModelAudit audit = auditOfFixture(file);
    ASSERT_EQ(audit.dropout_sites.size(), 1U) << file;
    const DropoutSite& site = audit.dropout_sites[0];
    EXPECT_EQ(site.op, "dropout by a mask") << file;
    EXPECT_EQ(site.name, "depth") << file;
    EXPECT_EQ(site.mode, mode) << file;
    EXPECT_EQ(site.drop_rate, 0.3) << file;
    EXPECT_EQ(site.refused, "") << file;
    EXPECT_EQ(audit.unrepeatable, "") << file;
  }
}

/// They are the same for all items of a pass.
TEST(Audit, LeavesMasksOfWeightsToTheNetwork) {
  const ModelAudit audit = auditOfFixture("mask_of_weights_traced.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_TRUE(audit.dropout_sites[0].is_noise);
  EXPECT_NE(audit.dropout_sites[0].refused, "");
  EXPECT_NE(audit.unrepeatable, "");
}

/// Dropout next to other work of a branch, noise, and masks that no rule knows.
TEST(Audit, TakesTrainingBranchesThatDraw) {
  struct Expected {
    std::string file;
    std::string op;
    std::string mode;
    bool is_noise;
  };
  for (const Expected& expected :
       {Expected{"training_only.pt", "aten::dropout", "follows training", false},
        Expected{"noisy_in_training.pt", "aten::geometric_", "follows training", true},
        Expected{"noisy.pt", "aten::geometric_", "always on", true},
        Expected{"noisy_traced.pt", "aten::randn", "always on", true},
        Expected{"stochastic_depth_unscaled.pt", "aten::bernoulli_", "follows training", true},
        Expected{"drop_block.pt", "aten::bernoulli_", "follows training", true}}) {
    const ModelAudit audit = auditOfFixture(expected.file);
    ASSERT_EQ(audit.dropout_sites.size(), 1U) << expected.file;
    const DropoutSite& site = audit.dropout_sites[0];
    EXPECT_EQ(site.op, expected.op) << expected.file;
    EXPECT_EQ(site.mode, expected.mode) << expected.file;
    EXPECT_EQ(site.is_noise, expected.is_noise) << expected.file;
    EXPECT_EQ(site.refused, "") << expected.file;
    EXPECT_FALSE(hasNote(audit, "no dropout")) << expected.file;
    EXPECT_EQ(hasNote(audit, expected.op), expected.is_noise) << expected.file;
  }
}

/// In a script, "dropout(x, 0.9, False)" is a decision; a trace in eval mode writes it everywhere.
TEST(Audit, TellsDropoutThatIsSwitchedOffFromATrace) {
  const ModelAudit scripted = auditOfFixture("switched_off_scripted.pt");
  ASSERT_EQ(scripted.dropout_sites.size(), 2U);
  EXPECT_EQ(scripted.dropout_sites[0].off, "the program itself switches it off");
  EXPECT_TRUE(hasNote(scripted, "off unless chosen"));
  EXPECT_FALSE(drawsByDefault(scripted.dropout_sites[0]));
  EXPECT_EQ(scripted.dropout_sites[1].off, "");
  EXPECT_EQ(scripted.first_stochastic_site, "drop");
  const ModelAudit traced = auditOfFixture("switched_off_traced.pt");
  ASSERT_EQ(traced.dropout_sites.size(), 2U);
  for (const DropoutSite& site : traced.dropout_sites) {
    EXPECT_EQ(site.mode, "always off");
    EXPECT_EQ(site.off, "");
    EXPECT_TRUE(drawsByDefault(site));
  }
}

TEST(Audit, FindsDropoutWithARatePerUnit) {
  for (const auto& [file, mode] : {std::pair{"unit_rates_scripted.pt", "follows training"},
                                   {"unit_rates_traced.pt", "always on"}}) {
    const ModelAudit audit = auditOfFixture(file);
    ASSERT_EQ(audit.dropout_sites.size(), 2U) << file;
    const DropoutSite& channels = audit.dropout_sites[0];
    EXPECT_EQ(channels.op, "feature dropout per channel") << file;
    EXPECT_EQ(channels.unit_rates, (std::vector<double>{0.0, 0.25, 0.5})) << file;
    EXPECT_EQ(channels.drop_rate, 0.25) << file;
    EXPECT_EQ(channels.place, "before conv2") << file;
    const DropoutSite& units = audit.dropout_sites[1];
    EXPECT_EQ(units.op, "dropout per unit") << file;
    ASSERT_EQ(units.unit_rates.size(), 32U) << file;
    EXPECT_NEAR(units.drop_rate, 0.45, 1e-6) << file;
    EXPECT_EQ(units.place, "before fc") << file;
    for (const DropoutSite& site : audit.dropout_sites) {
      EXPECT_EQ(site.mode, mode) << file;
      EXPECT_EQ(site.refused, "") << file;
    }
    EXPECT_EQ(audit.unrepeatable, "") << file;
    EXPECT_EQ(dropRateText(channels), "rate 0.25 on average, 0 to 0.5 over 3 units");
  }
  const ModelAudit broken = auditOfFixture("unit_rates_broken.pt");
  ASSERT_EQ(broken.dropout_sites.size(), 2U);
  EXPECT_EQ(broken.dropout_sites[0].refused, "");
  EXPECT_EQ(broken.dropout_sites[1].refused, "the drop rate of a unit is 1");
}

TEST(Audit, ListsALayerOnceThatIsCalledInSeveralPlaces) {
  const ModelAudit audit = auditOfFixture("instance_norms.pt");
  std::vector<std::string> names;
  for (const NormLayer& layer : audit.norm_layers) {
    names.push_back(layer.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"plain", "affine", "tracked"}));
}

TEST(Audit, SwitchesOnDropoutThatWritesIntoAView) {
  const ModelAudit audit = auditOfFixture("in_place_view.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].op, "aten::dropout_");
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
}

TEST(Audit, ReadsTheRealVisionTransformer) {
  DUBITO_NEEDS_SHARED();
  const ModelAudit audit = auditOf((*test::sharedDir() / "datasets/models/vit4mnist.ptl").string());
  EXPECT_TRUE(audit.dropout_sites.empty());
  EXPECT_EQ(audit.input_shape, (std::vector<std::int64_t>{1, 28, 28}));
  EXPECT_EQ(audit.classes, 10);
  EXPECT_TRUE(audit.batch.depends_on_batch);
  EXPECT_GT(audit.batch.max_prob_difference, 1e-4);
  EXPECT_EQ(audit.batch.reason, "quantized::linear_dynamic");
  EXPECT_TRUE(audit.head.found) << audit.head.reason;
  EXPECT_TRUE(audit.head.quantised);
  EXPECT_TRUE(hasNote(audit, "no dropout"));
  EXPECT_TRUE(hasNote(audit, "share a batch"));
}

TEST(Audit, ReadsTheRealHandSignNetwork) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  const auto model =
      loadModel((*test::sharedDir() / "datasets/models/asl.ptl").string(),
                {.metadata_path = (test::sourceDir() / "tests/data/metadata/asl.json").string(),
                 .output_key = {}},
                context);
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().classes, 29);
  EXPECT_EQ((*model)->audit().input_shape, (std::vector<std::int64_t>{3, 200, 200}));
  EXPECT_FALSE((*model)->audit().batch.depends_on_batch);
  EXPECT_TRUE((*model)->audit().head.found);
  EXPECT_EQ((*model)->metadata().preprocessing.channel_order, "bgr");
}

}  // namespace
}  // namespace dubito
