// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/models/model.h"
#include "tests/support/shared_data.h"

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
  return std::any_of(audit.notes.begin(), audit.notes.end(), [&part](const std::string& note) {
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
  ASSERT_FALSE(audit.notes.empty());
  EXPECT_NE(audit.notes[0].find("no dropout"), std::string::npos) << audit.notes[0];
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
  EXPECT_TRUE(hasNote(audit, "found by trying"));
}

struct RefusedSite {
  std::string file;
  std::string op;
  std::string reason;
};

class RefusedSites : public testing::TestWithParam<RefusedSite> {};

TEST_P(RefusedSites, AreListedWithTheReason) {
  const ModelAudit audit = auditOfFixture(GetParam().file);
  ASSERT_FALSE(audit.dropout_sites.empty());
  const DropoutSite& site = audit.dropout_sites[0];
  EXPECT_EQ(site.op, GetParam().op);
  EXPECT_NE(site.refused.find(GetParam().reason), std::string::npos) << site.refused;
  EXPECT_TRUE(hasNote(audit, site.refused));
}

INSTANTIATE_TEST_SUITE_P(
    Audit, RefusedSites,
    testing::Values(RefusedSite{"lstm.pt", "aten::lstm", "recurrent"},
                    RefusedSite{"attention.pt", "aten::scaled_dot_product_attention", "attention"},
                    RefusedSite{"alpha.pt", "aten::alpha_dropout", "alpha dropout"},
                    RefusedSite{"sequence_first.pt", "aten::dropout", "not items"},
                    RefusedSite{"looped.pt", "aten::dropout", "loop"},
                    RefusedSite{"training_branch.pt", "aten::dropout", "only runs while training"}),
    [](const auto& test_case) {
      return test_case.param.file.substr(0, test_case.param.file.find('.'));
    });

TEST(Audit, KeepsTheUsableSiteBesideARefusedOne) {
  const ModelAudit audit = auditOfFixture("lstm.pt");
  ASSERT_EQ(audit.dropout_sites.size(), 2U);
  EXPECT_EQ(audit.dropout_sites[1].refused, "");
  EXPECT_EQ(audit.first_stochastic_site, "drop");
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
  EXPECT_NE(mates.batch.reason.find("aten::batch_norm"), std::string::npos);
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
  const auto model = loadModel(
      (*test::sharedDir() / "datasets/models/asl.ptl").string(),
      {.metadata_path = (test::sourceDir() / "tests/data/metadata/asl.json").string()}, context);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->audit().classes, 29);
  EXPECT_EQ((*model)->audit().input_shape, (std::vector<std::int64_t>{3, 200, 200}));
  EXPECT_FALSE((*model)->audit().batch.depends_on_batch);
  EXPECT_TRUE((*model)->audit().head.found);
  EXPECT_EQ((*model)->metadata().preprocessing.channel_order, "bgr");
}

}  // namespace
}  // namespace dubito
