// SPDX-License-Identifier: GPL-3.0-or-later
// What networks return and take: kinds of output, several tensors, number types, lengths of
// vectors.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/models/model.h"
#include "core/models/model_metadata.h"
#include "core/models/model_torch.h"
#include "core/models/network_hash.h"
#include "core/models/output_choice.h"
#include "core/models/probe_torch.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::TempDir;

/// Ten numbers in; `forward` has the parameters w [10, K] and the metadata is `keys`.
Expected<ModelPtr> opened(const std::string& forward, std::int64_t outputs,
                          const std::string& keys = "", const LoadModelOptions& options = {}) {
  const TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  const at::Tensor numbers = at::sin(at::arange(10 * outputs, at::kDouble) * 12.9898);
  module.register_parameter("w", numbers.view({10, outputs}).to(at::kFloat), false);
  module.define(forward);
  module.save(
      folder.file("net.pt"),
      {{"metadata.json", "{\"input_size\": [10]" + (keys.empty() ? "" : ", " + keys) + "}"}});
  RunContext context;
  return loadModel(folder.file("net.pt"), options, context);
}

std::string refusal(const Expected<ModelPtr>& model) {
  return model ? std::string() : model.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool hasNote(const std::vector<std::string>& notes, const std::string& part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&part](const std::string& note) { return contains(note, part); });
}

/// What the loaded network returns for items of ones, minus ones and a ramp.
at::Tensor rowsOf(const Model& model) {
  const at::Tensor x =
      at::stack({at::ones({10}), -at::ones({10}), at::arange(10, at::kFloat) / 10});
  GraphRunner runner(deterministicGraph(*model.impl().network.graph), "test");
  return runner.run(deterministicInputs(model.impl().module, x)).at(0).toTensor().to(at::kDouble);
}

at::Tensor expectedScores(std::int64_t outputs) {
  const at::Tensor x =
      at::stack({at::ones({10}), -at::ones({10}), at::arange(10, at::kFloat) / 10});
  const at::Tensor numbers = at::sin(at::arange(10 * outputs, at::kDouble) * 12.9898);
  return at::matmul(x.to(at::kDouble), numbers.view({10, outputs}).to(at::kFloat).to(at::kDouble));
}

constexpr const char* kScores = "def forward(self, x):\n  return torch.matmul(x, self.w)\n";
constexpr const char* kSigmoid =
    "def forward(self, x):\n  return torch.sigmoid(torch.matmul(x, self.w))\n";
constexpr const char* kRows =
    "def forward(self, x):\n  return torch.sigmoid(torch.matmul(x, "
    "self.w)).view([x.size(0), -1]) * 1.0\n";

TEST(Outputs, SigmoidOverSeveralClassesIsRefused) {
  const auto refused = opened(kSigmoid, 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  for (const char* part : {"net.pt: ", "sigmoid", "multi-label", "\"output\": \"logits\""}) {
    EXPECT_TRUE(contains(refusal(refused), part)) << part << ": " << refusal(refused);
  }
  EXPECT_TRUE(contains(refusal(opened(kSigmoid, 4, R"("output": "probabilities")")),
                       "are not class probabilities"));
  const auto overridden = opened(kSigmoid, 4, R"("output": "logits")");
  ASSERT_TRUE(overridden) << refusal(overridden);
  EXPECT_EQ((*overridden)->audit().output, OutputKind::kLogits);
  EXPECT_TRUE(hasNote((*overridden)->audit().run_notes, "ends in a sigmoid"));
}

TEST(Outputs, FractionsThatAreNoDistributionAreSuspected) {
  // The sigmoid is not the last operator, so that the numbers alone give it away.
  const auto model = opened(kRows, 4);
  ASSERT_TRUE(model) << refusal(model);
  EXPECT_EQ((*model)->audit().output, OutputKind::kLogits);
  EXPECT_TRUE(hasNote((*model)->audit().run_notes, "multi-label"));
  EXPECT_TRUE(hasNote(textsOf((*model)->audit().notes), "multi-label"));
  const auto settled = opened(kRows, 4, R"("output": "logits")");
  ASSERT_TRUE(settled) << refusal(settled);
  EXPECT_TRUE((*settled)->audit().run_notes.empty());
}

TEST(Outputs, PerCentIsNotTakenForLogits) {
  const std::string percent =
      "def forward(self, x):\n  return torch.softmax(torch.matmul(x, self.w), 1) * 100.0\n";
  const auto model = opened(percent, 5);
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().output, OutputKind::kProbabilities);
  EXPECT_TRUE(hasNote((*model)->audit().run_notes, "in per cent"));
  const at::Tensor expected = at::softmax(expectedScores(5), 1);
  EXPECT_LT(at::abs(rowsOf(**model) - expected).max().item().toDouble(), 1e-5);
  const auto declared = opened(percent, 5, R"("output": "probabilities")");
  ASSERT_OK(declared);
  EXPECT_LT(at::abs(rowsOf(**declared) - expected).max().item().toDouble(), 1e-5);
  const auto logits = opened(percent, 5, R"("output": "logits")");
  ASSERT_OK(logits);
  EXPECT_EQ((*logits)->audit().output, OutputKind::kLogits);
}

TEST(Outputs, TwoNumbersWithoutAMeaningAreSuspected) {
  const auto model = opened(kScores, 2);
  ASSERT_TRUE(model) << refusal(model);
  EXPECT_TRUE(hasNote((*model)->audit().run_notes, "regression"));
  for (const char* keys : {R"("output": "logits")", R"("classes": ["cat", "dog"])"}) {
    const auto settled = opened(kScores, 2, keys);
    ASSERT_TRUE(settled) << refusal(settled);
    EXPECT_TRUE((*settled)->audit().run_notes.empty()) << keys;
  }
  EXPECT_TRUE((*opened(kScores, 3))->audit().run_notes.empty());
  const auto positive =
      opened("def forward(self, x):\n  return torch.exp(torch.matmul(x, self.w))\n", 3);
  ASSERT_TRUE(positive) << refusal(positive);
  EXPECT_TRUE(hasNote((*positive)->audit().run_notes, "aten::exp"));
}

TEST(Outputs, TasksThatAreReservedAreRefusedByName) {
  for (const char* keys : {R"("output": "multi-label")", R"("output": "regression")",
                           R"("task": "regression")", R"("task": "multi-label")"}) {
    const auto refused = opened(kScores, 4, keys);
    ASSERT_FALSE(refused) << keys;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(contains(refusal(refused), "not supported")) << refusal(refused);
  }
  EXPECT_TRUE(opened(kScores, 4, R"("task": "classification")"));
}

/// Logits that are changed where the output does not show it: by a write, by a conversion.
TEST(Outputs, ChangedLogitsLeaveNoHead) {
  const auto reasonOf = [](const char* forward) {
    const auto model = opened(forward, 4, R"("output": "logits")");
    EXPECT_OK(model);
    const Head head = model ? (*model)->audit().head : Head();
    EXPECT_FALSE(head.found) << forward;
    return head.reason;
  };
  EXPECT_THAT(
      reasonOf(
          "def forward(self, x):\n  y = torch.matmul(x, self.w)\n  y[:, 0] = 0.5\n  return y\n"),
      HasSubstr("are not W h + b"));
  // The factor is also a step after the layer, which would apply it again.
  EXPECT_THAT(
      reasonOf("def forward(self, x):\n  y = torch.matmul(x, self.w)\n  y.mul_(2.0)\n  return y\n"),
      HasSubstr("are not W h + b"));
  EXPECT_THAT(reasonOf("def forward(self, x):\n  return torch.matmul(x, self.w).to(3).to(6)\n"),
              HasSubstr("does not follow from its last linear layer"));
}

TEST(Outputs, OneSigmoidIsTwoClasses) {
  for (const char* forward :
       {kSigmoid,
        "def forward(self, x):\n  return torch.sigmoid(torch.matmul(x, self.w)).squeeze(1)\n",
        "def forward(self, x):\n  return torch.sigmoid(torch.matmul(x, self.w)[:, 0])\n"}) {
    const auto model = opened(forward, 1, R"("classes": ["cat", "dog"])");
    ASSERT_TRUE(model) << refusal(model);
    const ModelAudit& audit = (*model)->audit();
    EXPECT_TRUE(audit.one_output);
    EXPECT_EQ(audit.classes, 2);
    EXPECT_TRUE(hasNote(audit.run_notes, "the probability of class 1 ('dog')"));
    EXPECT_FALSE(audit.head.found);
    EXPECT_TRUE(contains(audit.head.reason, "one output"));
    const at::Tensor probs = probabilitiesOf(rowsOf(**model), audit.output);
    const at::Tensor p = at::sigmoid(expectedScores(1));
    EXPECT_TRUE(at::allclose(probs, at::cat({1.0 - p, p}, 1), 1e-6, 1e-7)) << forward;
  }
}

/// A dictionary of a single tensor is opened even if its shape is not that of class scores.
TEST(Outputs, ASingleTensorInADictionaryIsUsed) {
  const auto model =
      opened("def forward(self, x):\n  return {'score': torch.sigmoid(torch.matmul(x, self.w))}\n",
             1, R"("classes": ["cat", "dog"])");
  ASSERT_TRUE(model) << refusal(model);
  EXPECT_TRUE((*model)->audit().one_output);
  const at::Tensor p = at::sigmoid(expectedScores(1));
  EXPECT_TRUE(at::allclose(probabilitiesOf(rowsOf(**model), (*model)->audit().output),
                           at::cat({1.0 - p, p}, 1), 1e-6, 1e-7));
}

TEST(Outputs, OneNumberNeedsAMeaning) {
  const auto refused = opened(kScores, 1);
  ASSERT_FALSE(refused);
  for (const char* part : {"regression", R"("output": "logits")", R"("output": "probabilities")"}) {
    EXPECT_TRUE(contains(refusal(refused), part)) << refusal(refused);
  }
  for (const char* keys : {R"("output": "logits")", R"("classes": ["cat", "dog"])"}) {
    const auto model = opened(kScores, 1, keys);
    ASSERT_TRUE(model) << refusal(model);
    const at::Tensor probs = probabilitiesOf(rowsOf(**model), (*model)->audit().output);
    const at::Tensor p = at::sigmoid(expectedScores(1));
    EXPECT_TRUE(at::allclose(probs, at::cat({1.0 - p, p}, 1), 1e-6, 1e-7));
    EXPECT_TRUE(hasNote((*model)->audit().run_notes, "log-odds"));
  }
  EXPECT_TRUE(contains(refusal(opened(kScores, 1, R"("output": "probabilities")")),
                       "calls the output probabilities"));
  EXPECT_TRUE(
      contains(refusal(opened(kSigmoid, 1, R"("classes": ["a", "b", "c"])")), "names 3 classes"));
  const auto declared =
      opened("def forward(self, x):\n  return 1.0 - torch.sigmoid(torch.matmul(x, self.w))\n", 1,
             R"("output": "probabilities")");
  ASSERT_TRUE(declared) << refusal(declared);
  const at::Tensor p = 1.0 - at::sigmoid(expectedScores(1));
  EXPECT_TRUE(at::allclose(probabilitiesOf(rowsOf(**declared), (*declared)->audit().output),
                           at::cat({1.0 - p, p}, 1), 1e-6, 1e-7));
}

TEST(Outputs, MaskedClassesAreTold) {
  const auto model = opened(
      "def forward(self, x):\n"
      "  mask = torch.arange(4) == 2\n"
      "  return torch.masked_fill(torch.matmul(x, self.w), mask, float('-inf'))\n",
      4);
  ASSERT_TRUE(model) << refusal(model);
  EXPECT_EQ((*model)->audit().output, OutputKind::kLogits);
  EXPECT_TRUE(hasNote((*model)->audit().run_notes, "1 of 4: 2"));
  EXPECT_EQ((*model)->audit().batch.depends_on_batch, false);
}

std::string fixture(const std::string& name) {
  return (test::sourceDir() / "tests/data/models" / name).string();
}

Expected<ModelPtr> openFixture(const std::string& name, const LoadModelOptions& options = {}) {
  RunContext context;
  return loadModel(fixture(name), options, context);
}

LoadModelOptions keyed(const std::string& key) {
  return {.metadata_path = {}, .output_key = key};
}

class SeveralOutputs : public testing::TestWithParam<const char*> {};

TEST_P(SeveralOutputs, TheOnlyOneThatCanBeIsUsed) {
  const auto model = openFixture(GetParam());
  ASSERT_TRUE(model) << refusal(model);
  const ModelAudit& audit = (*model)->audit();
  EXPECT_EQ(audit.classes, 4);
  ASSERT_GE(audit.outputs.size(), 2U);
  const auto used = std::ranges::find_if(audit.outputs, &OutputTensor::used);
  EXPECT_EQ(used->name, "logits");
  EXPECT_EQ(used->shape, (std::vector<std::int64_t>{8, 4}));
  EXPECT_TRUE(hasNote(audit.run_notes, "'logits', the only candidate"));
  // All that methods need is found behind it.
  EXPECT_TRUE(audit.head.found) << audit.head.reason;
  EXPECT_EQ(audit.head.features, 16);
  EXPECT_LT(audit.head.reconstruction_error, 1e-5);
  ASSERT_EQ(audit.dropout_sites.size(), 1U);
  EXPECT_EQ(audit.dropout_sites[0].refused, "");
  EXPECT_EQ(audit.dropout_sites[0].drop_rate, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Outputs, SeveralOutputs,
                         testing::Values("dictionary_scripted.pt", "dictionary_traced.pt",
                                         "fields.pt"),
                         [](const auto& test_case) {
                           std::string name = test_case.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(Outputs, NamesOfNestedTensorsArePaths) {
  const auto model = openFixture("fields.pt");
  ASSERT_TRUE(model) << refusal(model);
  std::vector<std::string> names;
  for (const OutputTensor& output : (*model)->audit().outputs) {
    names.push_back(output.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"logits", "boxes.0", "boxes.1"}));
}

TEST(Outputs, SeveralThatCanBeAreListed) {
  const auto refused = openFixture("two_scores.pt");
  ASSERT_FALSE(refused);
  for (const char* part :
       {"two_scores.pt: ", "0 'map' [N, 4, 2, 2]", "1 'logits' [N, 4]", "2 'auxiliary' [N, 4]",
        "; choose the one with the class scores by its name or position, such "
        "as 'logits'"}) {
    EXPECT_TRUE(contains(refusal(refused), part)) << part << ": " << refusal(refused);
  }
  EXPECT_EQ(refused.error().remedy.settings, std::vector{metadataSetting("output_key")});
  EXPECT_TRUE(contains(refusal(openFixture("pair.pt")), "0 '0' [N, 10], 1 '1' [N, 10]"))
      << refusal(openFixture("pair.pt"));
  EXPECT_TRUE(contains(refusal(openFixture("two_scores.pt", keyed("scores"))), "'scores'"));
  EXPECT_TRUE(contains(refusal(openFixture("two_scores.pt", keyed("map"))), "8 x 4 x 2"));
  const auto single = openFixture("scripted.pt", keyed("logits"));
  EXPECT_TRUE(contains(refusal(single), "not one called 'logits'; choose none"));
  EXPECT_EQ(single.error().remedy.settings, std::vector{metadataSetting("output_key")});
  EXPECT_TRUE(single.error().remedy.outputs.empty());
}

TEST(Outputs, TheErrorOffersWhatCanBeChosen) {
  const auto options = openFixture("two_scores.pt").error().remedy.outputs;
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(describeOption(0, options[0]), "0 'map' [N, 4, 2, 2]");
  EXPECT_EQ(describeOption(1, options[1]), "1 'logits' [N, 4]");
  EXPECT_EQ(options[2].name, "auxiliary");
  EXPECT_FALSE(options[0].can_be_scores);
  EXPECT_TRUE(options[1].can_be_scores);
  EXPECT_TRUE(options[2].can_be_scores);
  EXPECT_EQ(openFixture("two_scores.pt", keyed("scores")).error().remedy.outputs, options);
  // The same once it is open.
  const auto open = openFixture("two_scores.pt", keyed("logits"));
  ASSERT_TRUE(open) << refusal(open);
  const auto found = outputOptions((*open)->audit());
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(describeOption(i, found[i]), describeOption(i, options[i]));
    EXPECT_EQ(found[i].can_be_scores, options[i].can_be_scores);
  }
  // Nothing can be chosen where another tensor does not help.
  EXPECT_TRUE(openFixture("two_scores.pt", keyed("map")).error().remedy.outputs.empty());
  EXPECT_TRUE(openFixture("not_there.pt").error().remedy.outputs.empty());
}

TEST(Outputs, AChoiceIsWrittenNextToTheModelAndNothingElse) {
  const TempDir folder;
  const std::string model = folder.file("net.pt");
  std::filesystem::copy_file(fixture("two_scores.pt"), model);
  const auto written = writeOutputKey(model, "auxiliary");
  ASSERT_OK(written);
  EXPECT_EQ(*written, folder.file("net.json"));
  const auto content = [&] { return nlohmann::json::parse(std::ifstream(*written)); };
  EXPECT_EQ(content(), nlohmann::json({{"output_key", "auxiliary"}}));
  RunContext context;
  auto opened = loadModel(model, {}, context);
  ASSERT_TRUE(opened) << refusal(opened);
  EXPECT_TRUE(hasNote((*opened)->audit().run_notes, "'auxiliary', as the metadata says"));
  // Whatever else was written stays, and the whole of the metadata keeps the choice.
  ModelMetadata metadata = (*opened)->metadata();
  metadata.name = "named";
  ASSERT_TRUE(writeModelMetadata(model, metadata));
  EXPECT_EQ(content()["output_key"], "auxiliary");
  ASSERT_TRUE(writeOutputKey(model, "logits"));
  EXPECT_EQ(content()["name"], "named");
  EXPECT_EQ(content()["output_key"], "logits");
  metadata.output_key.clear();
  ASSERT_TRUE(writeModelMetadata(model, metadata));
  EXPECT_FALSE(content().contains("output_key"));
}

TEST(Outputs, TheOneThatIsNamedIsUsed) {
  const auto logits = openFixture("two_scores.pt", keyed("logits"));
  const auto by_position = openFixture("two_scores.pt", keyed("1"));
  const auto auxiliary = openFixture("two_scores.pt", keyed("auxiliary"));
  ASSERT_TRUE(logits && by_position && auxiliary);
  const auto siteOf = [](const ModelPtr& model) {
    const std::vector<DropoutSite>& sites = model->audit().dropout_sites;
    EXPECT_EQ(std::ranges::count(sites, "", &DropoutSite::refused), 1);
    return std::ranges::find(sites, "", &DropoutSite::refused)->drop_rate;
  };
  EXPECT_EQ(siteOf(*logits), 0.3);
  EXPECT_EQ(siteOf(*by_position), 0.3);
  EXPECT_EQ(siteOf(*auxiliary), 0.2);
  EXPECT_TRUE((*auxiliary)->audit().head.found);
  EXPECT_EQ(networkHash(**logits), networkHash(**by_position));
  EXPECT_NE(networkHash(**logits), networkHash(**auxiliary));

  const TempDir folder;
  for (const char* key : {R"("auxiliary")", "2"}) {
    test::writeBytes(folder.path() / "keys.json",
                     std::string(R"({"channels": 1, "input_size": 8, "output_key": )") + key + "}");
    const auto declared =
        openFixture("two_scores.pt", {.metadata_path = folder.file("keys.json"), .output_key = {}});
    ASSERT_TRUE(declared) << refusal(declared);
    EXPECT_EQ(networkHash(**declared), networkHash(**auxiliary));
    EXPECT_TRUE(hasNote((*declared)->audit().run_notes, "as the metadata says"));
  }
  test::writeBytes(folder.path() / "wrong.json", R"({"output_key": -1})");
  EXPECT_TRUE(
      contains(refusal(openFixture("two_scores.pt",
                                   {.metadata_path = folder.file("wrong.json"), .output_key = {}})),
               "'output_key' is -1"));
}

struct Numbers {
  const char* file;
  const char* type;
};

class NumberTypes : public testing::TestWithParam<Numbers> {};

TEST_P(NumberTypes, AreRun) {
  const auto model = openFixture(GetParam().file);
  ASSERT_TRUE(model) << refusal(model);
  const ModelAudit& audit = (*model)->audit();
  EXPECT_EQ(audit.number_type, GetParam().type);
  EXPECT_EQ(audit.classes, 3);
  EXPECT_EQ(audit.input_shape, std::vector<std::int64_t>{10});
  EXPECT_TRUE(audit.head.found) << audit.head.reason;
  EXPECT_LT(audit.head.reconstruction_error, 1e-6);
  EXPECT_FALSE(audit.batch.depends_on_batch);
  const bool is_half = std::string(GetParam().type) != "Double";
  EXPECT_EQ(hasNote(audit.run_notes, "half precision"), is_half);
  // The same by hand, in double.
  torch::jit::Module module = torch::jit::load(fixture(GetParam().file));
  std::vector<at::Tensor> weights;
  for (const char* layer : {"fc1", "fc2"}) {
    if (module.hasattr(layer)) {
      weights.push_back(module.attr(layer).toModule().attr("weight").toTensor().to(at::kDouble));
      weights.push_back(module.attr(layer).toModule().attr("bias").toTensor().to(at::kDouble));
    }
  }
  if (weights.size() == 4) {
    const at::Tensor x =
        at::stack({at::ones({10}), -at::ones({10}), at::arange(10, at::kFloat) / 10})
            .to(at::kDouble);
    const at::Tensor hidden = at::relu(at::linear(x, weights[0], weights[1]));
    const at::Tensor expected = at::linear(hidden, weights[2], weights[3]);
    EXPECT_LT(at::abs(rowsOf(**model) - expected).max().item().toDouble(), is_half ? 1e-6 : 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Outputs, NumberTypes,
    testing::Values(Numbers{"double_scripted.pt", "Double"}, Numbers{"double_traced.pt", "Double"},
                    Numbers{"half_scripted.pt", "Half"}, Numbers{"half_traced.pt", "Half"},
                    Numbers{"half_frozen.pt", "Half"}, Numbers{"bfloat16_scripted.pt", "BFloat16"},
                    Numbers{"bfloat16_traced.pt", "BFloat16"}),
    [](const auto& test_case) {
      std::string name = test_case.param.file;
      return name.substr(0, name.find('.'));
    });

TEST(Outputs, ConversionsToHalfInTheProgramAreKept) {
  const auto model = opened(
      "def forward(self, x):\n"
      "  return torch.matmul(x.to(5), self.w.to(5))\n",
      3);
  ASSERT_TRUE(model) << refusal(model);
  EXPECT_TRUE(at::allclose(rowsOf(**model), expectedScores(3), 1e-2, 1e-2));
  EXPECT_FALSE(at::allclose(rowsOf(**model), expectedScores(3), 1e-5, 1e-5));
  EXPECT_TRUE(hasNote((*model)->audit().run_notes, "parts of it in float16"));
}

TEST(Outputs, LengthsOfVectorsAreThoseOfPackedWeights) {
  for (const char* file : {"quantised_vector_scripted.pt", "quantised_vector_traced.pt"}) {
    const auto model = openFixture(file);
    ASSERT_TRUE(model) << refusal(model);
    EXPECT_EQ((*model)->audit().input_shape, std::vector<std::int64_t>{10}) << file;
    EXPECT_TRUE(hasNote(textsOf((*model)->audit().notes), "found by trial"));
  }
}

TEST(Outputs, LengthsOfVectorsCanBeDeclared) {
  const TempDir folder;
  const auto openedWith = [&folder](const std::string& keys) {
    test::writeBytes(folder.path() / "keys.json", keys);
    return openFixture("quantised_vector_traced.pt",
                       {.metadata_path = folder.file("keys.json"), .output_key = {}});
  };
  const auto declared = openedWith(R"({"input_size": [10]})");
  ASSERT_TRUE(declared) << refusal(declared);
  EXPECT_EQ((*declared)->audit().input_shape, std::vector<std::int64_t>{10});
  EXPECT_FALSE(hasNote(textsOf((*declared)->audit().notes), "found by trial"));
  EXPECT_EQ((*declared)->metadata().preprocessing.scale, 1.0);
  // Names alone do not make bytes of the numbers of a vector.
  const auto named = openedWith(R"({"classes": ["a", "b", "c"]})");
  ASSERT_TRUE(named) << refusal(named);
  EXPECT_EQ((*named)->metadata().preprocessing.scale, 1.0);
  EXPECT_EQ((*openedWith(R"({"scale": 0.5})"))->metadata().preprocessing.scale, 0.5);
  const std::string wrong = refusal(openedWith(R"({"input_size": [12]})"));
  EXPECT_TRUE(contains(wrong, R"("input_size": [length])")) << wrong;
}

}  // namespace
}  // namespace dubito
