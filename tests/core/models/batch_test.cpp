// SPDX-License-Identifier: GPL-3.0-or-later
// How the results for an item depend on the batch it is in, and programs that are fixed to a batch.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kInputs = 6;
constexpr std::int64_t kClasses = 5;

at::Tensor numbers(std::vector<std::int64_t> shape, double step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return at::sin(step * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

/// A network with a hidden layer `a` and a head `c` whose forward has this body.
Expected<ModelPtr> opened(const std::string& body) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", numbers({16, kInputs}, 0.7), false);
  module.register_parameter("c", numbers({kClasses, 16}, 1.3), false);
  module.define("def forward(self, x: Tensor) -> Tensor:\n" + body);
  module.eval();
  module.save(folder.file("net.pt"),
              {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
  RunContext context;
  return loadModel(folder.file("net.pt"), {}, context);
}

ModelAudit auditOf(const std::string& body) {
  const auto model = opened(body);
  EXPECT_OK(model);
  return model ? (*model)->audit() : ModelAudit();
}

bool hasNote(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(
      notes, [&part](const std::string& note) { return note.find(part) != std::string::npos; });
}

const std::string kHidden = "  h = torch.relu(torch.linear(x, self.a))\n";

struct Program {
  std::string name;
  std::string body;
};

void PrintTo(const Program& program, std::ostream* out) {
  *out << program.name;
}

std::string nameOf(const testing::TestParamInfo<Program>& program) {
  return program.param.name;
}

/// Dropout at rows that are in another order than the items, and back afterwards.
class RowsInAnotherOrder : public testing::TestWithParam<Program> {};

TEST_P(RowsInAnotherOrder, RefuseTheirSite) {
  const ModelAudit audit = auditOf(GetParam().body);
  ASSERT_GE(audit.dropout_sites.size(), 1U);
  EXPECT_THAT(audit.dropout_sites.back().refused, HasSubstr("not all of a batch in its order"));
  EXPECT_FALSE(audit.batch.affects(true)) << audit.batch.reason;
}

const std::string kMasked = "  h = torch.dropout(h, 0.3, self.training)\n";
const std::string kHead = "  z = torch.linear(h, self.c) * 3.0\n";

INSTANTIATE_TEST_SUITE_P(
    Batch, RowsInAnotherOrder,
    testing::Values(
        Program{"flipped", kHidden + "  h = torch.flip(h, [0])\n" + kMasked + kHead +
                               "  return torch.flip(z, [0])\n"},
        Program{"rolled", kHidden + "  h = torch.roll(h, [1], [0])\n" + kMasked + kHead +
                              "  return torch.roll(z, [-1], [0])\n"},
        Program{"indexed", kHidden +
                               "  order = torch.arange(x.size(0) - 1, -1, -1)\n  h = h[order]\n" +
                               kMasked + kHead + "  return z[order]\n"},
        Program{"joined", kHidden + "  h = torch.cat([h[1:], h[:1]])\n" + kMasked + kHead +
                              "  return torch.cat([z[-1:], z[:-1]])\n"},
        Program{"sorted", kHidden + "  order = torch.argsort(h.sum(1))\n  h = h[order]\n" +
                              kMasked + kHead + "  return z[torch.argsort(order)]\n"}),
    nameOf);

TEST(Batch, KeepsTheSiteBesideOneAtOtherRows) {
  const ModelAudit audit = auditOf(kHidden + kMasked + "  h = torch.flip(h, [0])\n" + kMasked +
                                   kHead + "  return torch.flip(z, [0])\n");
  ASSERT_EQ(audit.dropout_sites.size(), 2U);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
  EXPECT_NE(audit.dropout_sites[1].refused, "");
}

/// Dropout that the other items of a batch choose or change.
class DrawsOfABatch : public testing::TestWithParam<Program> {};

TEST_P(DrawsOfABatch, AreSaidToDependOnIt) {
  const ModelAudit audit = auditOf(GetParam().body);
  EXPECT_FALSE(audit.batch.depends_on_batch) << audit.batch.max_prob_difference;
  EXPECT_TRUE(audit.batch.draws_depend_on_batch);
  EXPECT_GT(audit.batch.max_draw_difference, 1e-3);
  EXPECT_TRUE(hasNote(textsOf(audit.notes), "With dropout on, results depend on the items"));
  for (const DropoutSite& site : audit.dropout_sites) {
    EXPECT_EQ(site.refused, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Batch, DrawsOfABatch,
    testing::Values(Program{"branch", kHidden +
                                          "  if bool(torch.sum(x) > 0):\n"
                                          "    h = torch.dropout(h, 0.1, self.training)\n"
                                          "  else:\n"
                                          "    h = torch.dropout(h, 0.6, self.training)\n" +
                                          kHead + "  return z\n"},
                    Program{"size", kHidden +
                                        "  if x.size(0) > 2:\n"
                                        "    h = torch.dropout(h, 0.1, self.training)\n"
                                        "  else:\n"
                                        "    h = torch.dropout(h, 0.6, self.training)\n" +
                                        kHead + "  return z\n"}),
    nameOf);

TEST(Batch, NamesABranchOnAValueOfTheBatch) {
  const ModelAudit audit = auditOf(kHidden +
                                   "  if bool(torch.sum(x) > 0):\n"
                                   "    h = torch.dropout(h, 0.1, self.training)\n"
                                   "  else:\n"
                                   "    h = torch.dropout(h, 0.6, self.training)\n" +
                                   kHead + "  return z\n");
  EXPECT_THAT(audit.batch.reason, HasSubstr("a branch on a value of the batch"));
  // Never taken in the probe.
  const ModelAudit unseen =
      auditOf(kHidden + "  if bool(torch.max(x) > 1000.0):\n    h = h * 0.5\n" + kMasked + kHead +
              "  return z\n");
  EXPECT_FALSE(unseen.batch.affects(true));
  EXPECT_TRUE(hasNote(unseen.run_notes, "branches on a value of the whole batch"));
  const ModelAudit of_sizes =
      auditOf(kHidden + "  if x.dim() > 2:\n    h = h * 0.5\n" + kMasked + kHead + "  return z\n");
  EXPECT_FALSE(hasNote(of_sizes.run_notes, "branches on a value"));
}

TEST(Batch, ProgramsWithoutSuchEffectsKeepAllTheySites) {
  for (const std::string& body :
       {kHidden + kMasked + kHead + "  return z\n",
        "  h = torch.relu(torch.linear(torch.dropout(x, 0.2, self.training), self.a))\n" + kMasked +
            kHead + "  return z\n",
        // Two rows per item, next to each other.
        std::string("  y = torch.flatten(torch.stack([x, torch.flip(x, [1])], 1), 0, 1)\n"
                    "  h = torch.dropout(torch.relu(torch.linear(y, self.a)), 0.3, self.training)\n"
                    "  return torch.linear(h, self.c).view(-1, 2, 5).sum(1)\n")}) {
    const ModelAudit audit = auditOf(body);
    EXPECT_FALSE(audit.batch.affects(true)) << body << audit.batch.reason;
    for (const DropoutSite& site : audit.dropout_sites) {
      EXPECT_EQ(site.refused, "") << body;
    }
  }
}

/// Programs that run on one batch size only.
class FixedBatch : public testing::TestWithParam<std::int64_t> {};

std::string fixedTo(std::int64_t batch) {
  return kHidden + fmt::format("  h = torch.reshape(h, [{}, 16])\n", batch) + kMasked + kHead +
         "  return z\n";
}

TEST_P(FixedBatch, RunsOnAnyNumberOfItems) {
  const auto fixed = opened(fixedTo(GetParam()));
  const auto free = opened(kHidden + kMasked + kHead + "  return z\n");
  ASSERT_OK(fixed);
  ASSERT_OK(free);
  EXPECT_EQ((*fixed)->audit().items_per_pass.min, GetParam());
  EXPECT_TRUE((*fixed)->audit().items_per_pass.isFixed());
  EXPECT_FALSE((*fixed)->audit().batch.affects(true)) << (*fixed)->audit().batch.reason;
  EXPECT_TRUE(
      hasNote((*fixed)->audit().run_notes, fmt::format("batches of exactly {} only", GetParam())));
  ASSERT_EQ((*fixed)->audit().dropout_sites.size(), 1U);
  EXPECT_EQ((*fixed)->audit().dropout_sites[0].refused, "");
  EXPECT_TRUE((*fixed)->audit().head.found) << (*fixed)->audit().head.reason;
  for (const std::int64_t items : {1, 2, 7, 10}) {
    const at::Tensor x = numbers({items, kInputs}, 2.1);
    const at::Tensor ids = at::arange(items, at::kLong) + 40;
    const auto rowsOf = [&](const Model& model) {
      GraphRunner runner(model.impl().network.graph, "test", model.impl().network.items_per_pass);
      const MaskHashRecorder recorder;
      const at::Tensor rows =
          runner.run({model.impl().module._ivalue(), x, std::int64_t{3}, ids, at::ones_like(ids)})
              .at(0)
              .toTensor();
      return std::pair(rows, recorder.entries().at(0).hash);
    };
    const auto [rows, masks] = rowsOf(**fixed);
    const auto [expected, expected_masks] = rowsOf(**free);
    ASSERT_EQ(rows.sizes(), expected.sizes());
    EXPECT_LT(at::abs(rows - expected).max().item().toDouble(), 1e-5) << items;
    EXPECT_EQ(masks, expected_masks) << "of " << items << " items, without those that fill up";
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, FixedBatch, testing::Values(1, 3, 4, 8, 12));

TEST(Batch, ASingleItemThatLosesItsAxisRunsWithACopy) {
  const auto model =
      opened(kHidden + "  h = torch.squeeze(h)\n" + kMasked + kHead + "  return z\n");
  ASSERT_OK(model);
  const ModelAudit& audit = (*model)->audit();
  EXPECT_EQ(audit.items_per_pass.min, 2);
  EXPECT_FALSE(audit.items_per_pass.isFixed());
  EXPECT_FALSE(audit.batch.affects(true)) << audit.batch.reason;
  EXPECT_TRUE(hasNote(audit.run_notes, "a single item runs with a copy of itself"));
}

TEST(Batch, ZerosOfAnExampleFixTheBatchToo) {
  // As traced recurrent cells begin: the zeros are a constant of the prepared program.
  const auto model =
      opened(kHidden + "  h = h + torch.zeros([3, 16])\n" + kMasked + kHead + "  return z\n");
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().items_per_pass.min, 3);
  EXPECT_TRUE((*model)->audit().items_per_pass.isFixed());
}

TEST(Batch, ACopyThatWouldChangeTheResultIsNoWayOut) {
  const auto model = opened("  assert x.size(0) > 1, 'two or more'\n" + kHidden +
                            "  h = h - h.mean(0)\n" + kMasked + kHead + "  return z\n");
  ASSERT_OK(model);
  const ModelAudit& audit = (*model)->audit();
  EXPECT_TRUE(audit.items_per_pass.isUnlimited());
  EXPECT_TRUE(audit.batch.depends_on_batch);
  EXPECT_TRUE(audit.batch.single_item_fails);
  EXPECT_THAT(audit.batch.reason, HasSubstr("two or more"));
  EXPECT_FALSE(hasNote(textsOf(audit.notes), "makes them independent"));
}

TEST(Batch, RoundingOfASingleItemIsNoDependence) {
  // As large as what deep networks make of the other rounding of the kernels for a single item.
  const ModelAudit audit =
      auditOf(kHidden + kMasked + kHead + "  return z * (1.0002 if x.size(0) == 1 else 1.0)\n");
  EXPECT_GT(audit.batch.max_prob_difference, 1e-5);
  EXPECT_LT(audit.batch.max_prob_difference, 1e-4);
  EXPECT_FALSE(audit.batch.depends_on_batch);
}

TEST(Batch, InfluencesAsSmallAsRoundingAreADependence) {
  const ModelAudit audit =
      auditOf(kHidden + kMasked + kHead + "  return z * (1.0 + 2e-4 * torch.tanh(x.mean()))\n");
  EXPECT_GT(audit.batch.max_prob_difference, 1e-5);
  EXPECT_LT(audit.batch.max_prob_difference, 1e-4);
  EXPECT_TRUE(audit.batch.depends_on_batch);
}

TEST(Batch, ProgramsThatFailForOtherReasonsAreNotTakenForFixedOnes) {
  const auto refused =
      opened("  h = torch.relu(torch.linear(x, torch.t(self.a)))\n" + kHead + "  return z\n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("does not run"));
}

}  // namespace
}  // namespace dubito
