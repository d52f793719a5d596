// SPDX-License-Identifier: GPL-3.0-or-later
// Small networks of PyTorch's exporters, scikit-learn and others: their outputs, and what the audit
// finds in them.
#include "core/models/onnx/read_onnx_torch.h"

#include <fstream>

#include "core/models/model.h"
#include "core/models/program/network_format.h"
#include "tests/core/models/onnx/onnx_builder.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string fixture(const std::string& name) {
  return (test::sourceDir() / "tests/data/onnx" / (name + ".onnx")).string();
}

struct Reference {
  at::Tensor input;
  at::Tensor output;
};

at::Tensor tensorFrom(const nlohmann::json& values, const nlohmann::json& shape) {
  return at::tensor(values.get<std::vector<double>>())
      .to(at::kFloat)
      .reshape(shape.get<std::vector<std::int64_t>>());
}

Reference expected(const std::string& name) {
  std::ifstream stream(test::sourceDir() / "tests/data/onnx" / (name + "_expected.json"));
  const nlohmann::json json = nlohmann::json::parse(stream);
  return {tensorFrom(json["input"], json["shape"]),
          tensorFrom(json["output"], json["output_shape"])};
}

at::Tensor outputs(const torch::jit::Module& module, const at::Tensor& input) {
  const at::NoGradGuard no_gradients;
  torch::jit::Module network = module;
  const auto weights = network.parameters();
  const bool is_half = weights.size() > 0 && (*weights.begin()).scalar_type() == at::kHalf;
  return network.forward({is_half ? input.to(at::kHalf) : input}).toTensor().to(at::kFloat);
}

class OnnxNetworks : public testing::TestWithParam<const char*> {};

TEST_P(OnnxNetworks, ComputesWhatItsLibraryComputes) {
  const auto file = readOnnx(fixture(GetParam()));
  ASSERT_TRUE(file) << file.error().message;
  const auto [input, output] = expected(GetParam());
  // Half precision has 11 bits.
  const double tolerance = std::string(GetParam()) == "half" ? 5e-3 : 1e-5;
  EXPECT_TRUE(at::allclose(outputs(file->module, input), output, tolerance, tolerance))
      << outputs(file->module, input) << output;
}

TEST_P(OnnxNetworks, ComputesEachItemAlone) {
  const auto file = readOnnx(fixture(GetParam()));
  ASSERT_TRUE(file) << file.error().message;
  if (file->input.batch > 1) {
    GTEST_SKIP() << "takes a fixed number of items";
  }
  const auto [input, output] = expected(GetParam());
  if (input.size(0) == 1) {
    GTEST_SKIP() << "has the expected output of one item";
  }
  EXPECT_TRUE(
      at::allclose(outputs(file->module, input.slice(0, 1, 2)), output.slice(0, 1, 2), 5e-3, 5e-3));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxNetworks,
                         testing::Values("cnn_old", "cnn_dynamo", "cnn_training",
                                         "cnn_training_dynamo", "attention_old", "attention_dynamo",
                                         "attention_fixed", "cnn_stated_batch", "gru", "lstm",
                                         "logistic", "mlp", "external", "channels_last", "half",
                                         "product", "quantised", "branch", "transformer_old",
                                         "transformer_dynamo", "transformer_plain"));

// Quantised results would differ by a step of their scale, which is larger than the tolerance.
INSTANTIATE_TEST_SUITE_P(OfOtherPrograms, OnnxNetworks,
                         testing::Values("quantised_operators", "quantised_operators_int8",
                                         "quantised_products", "quantised_dynamic",
                                         "quantised_dynamic_product", "fused_operators",
                                         "spatial_transformer", "sequences", "keras_13", "keras_17",
                                         "attention_23"));

ModelPtr open(const std::string& name) {
  RunContext context;
  auto model = loadModel(fixture(name), {}, context);
  if (!model) {
    throw std::runtime_error(model.error().message);
  }
  return *model;
}

std::vector<std::string> parameterNames(const std::string& name) {
  const auto file = readOnnx(fixture(name));
  if (!file) {
    return {file.error().message};
  }
  std::vector<std::string> names;
  for (const auto& parameter : file->module.named_parameters()) {
    names.push_back(parameter.name);
  }
  return names;
}

/// Results of a batch of other items differ; the cause is not found by running it.
TEST(ReadOnnx, DynamicQuantisationIsSaid) {
  const auto is_said = [](const ModelPtr& model) {
    return std::ranges::any_of(model->audit().run_notes, [](const std::string& note) {
      return note.find("dynamic quantisation") != std::string::npos;
    });
  };
  EXPECT_TRUE(is_said(open("quantised_dynamic")));
  EXPECT_TRUE(is_said(open("quantised_dynamic_product")));
  EXPECT_FALSE(is_said(open("quantised_operators")));
}

TEST(ReadOnnx, LayersHaveTheNamesOfTheNetwork) {
  EXPECT_THAT(
      parameterNames("cnn_training"),
      testing::UnorderedElementsAre("features.0.weight", "features.0.bias", "features.1.weight",
                                    "features.1.bias", "fc.weight", "fc.bias"));
  EXPECT_THAT(parameterNames("product"), testing::UnorderedElementsAre("head.weight", "head.bias"));
}

TEST(ReadOnnx, LayersThatTheExporterMergedKeepTheNameOfTheFirst) {
  for (const char* const name : {"cnn_old", "cnn_dynamo"}) {
    EXPECT_THAT(parameterNames(name),
                testing::UnorderedElementsAre("features.0.weight", "features.0.bias", "fc.weight",
                                              "fc.bias"))
        << name;
  }
}

TEST(ReadOnnx, DropoutOfATrainingExportIsASiteAndItsHeadIsFound) {
  for (const char* const name : {"cnn_training", "cnn_training_dynamo"}) {
    const ModelPtr model = open(name);
    ASSERT_EQ(model->audit().dropout_sites.size(), 1U) << name;
    EXPECT_NEAR(model->audit().dropout_sites[0].drop_rate, 0.3, 1e-6);
    EXPECT_EQ(model->audit().dropout_sites[0].mode, "follows training");
    EXPECT_TRUE(model->audit().head.reason.empty()) << model->audit().head.reason;
    EXPECT_THAT(model->audit().run_notes, testing::Contains(HasSubstr("training mode")));
    EXPECT_EQ(model->audit().format, "ONNX");
    EXPECT_THAT(model->audit().written_by, HasSubstr("by pytorch 2.11.0"));
  }
}

TEST(ReadOnnx, AProductAndAnAdditionAreTheHead) {
  EXPECT_TRUE(open("product")->audit().head.reason.empty());
}

TEST(ReadOnnx, SizesAreNumbersOfTheProgram) {
  const auto file = readOnnx(fixture("attention_old"));
  ASSERT_TRUE(file);
  const std::string program = file->module.get_method("forward").graph()->toString();
  EXPECT_THAT(program, HasSubstr("aten::size"));
  EXPECT_THAT(program, Not(HasSubstr("_shape_as_tensor")));
  EXPECT_THAT(program, Not(HasSubstr("tolist")));
}

TEST(ReadOnnx, ABatchThatTheProgramIsFixedToIsStated) {
  const auto fixed = readOnnx(fixture("attention_fixed"));
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fixed->input.batch, 2);
  const auto stated = readOnnx(fixture("cnn_stated_batch"));
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->input.batch, 0);
  EXPECT_THAT(stated->notes, ElementsAre(HasSubstr("states a batch size of 2")));
  EXPECT_THAT(stated->run_notes, IsEmpty());
  EXPECT_THAT(stated->input.item_shape, ElementsAre(1, 8, 8));
}

TEST(ReadOnnx, ChannelsLastAreRearrangedAndSaid) {
  const auto file = readOnnx(fixture("channels_last"));
  ASSERT_TRUE(file);
  EXPECT_THAT(file->input.item_shape, ElementsAre(3, 2, 2));
  EXPECT_THAT(file->run_notes, ElementsAre(HasSubstr("channels last")));
  ASSERT_EQ(file->inputs.size(), 1U);
  EXPECT_THAT(file->inputs[0].shape, ElementsAre(0, 2, 2, 3)) << "as the file states it";
  EXPECT_EQ(file->inputs[0].type, "Float");
}

TEST(ReadOnnx, NetworksOfKerasAreClassifiersWithAHead) {
  for (const char* const name : {"keras_13", "keras_17"}) {
    const ModelPtr model = open(name);
    EXPECT_THAT(model->audit().input_shape, ElementsAre(3, 9, 9)) << name;
    EXPECT_EQ(model->audit().output, OutputKind::kProbabilities) << name;
    EXPECT_EQ(model->audit().classes, 5) << name;
    EXPECT_TRUE(model->audit().head.reason.empty()) << model->audit().head.reason;
    EXPECT_THAT(parameterNames(name), testing::Contains("model.dense.weight"));
  }
}

TEST(ReadOnnx, QuantisedWeightsAreNotLearned) {
  for (const char* const name : {"quantised_operators", "quantised_products"}) {
    EXPECT_THAT(parameterNames(name), IsEmpty()) << name;
  }
}

TEST(ReadOnnx, PropertiesBecomeMetadata) {
  const ModelPtr model = open("channels_last");
  EXPECT_THAT(model->metadata().class_names, ElementsAre("cat", "dog", "bird"));
  EXPECT_THAT(textsOf(model->audit().notes), Not(testing::Contains(HasSubstr("author"))));
}

TEST(ReadOnnx, ScoresAreProbabilitiesOfScikitLearn) {
  const ModelPtr model = open("logistic");
  EXPECT_EQ(model->audit().output, OutputKind::kProbabilities);
  EXPECT_EQ(model->audit().classes, 3);
  EXPECT_THAT(model->audit().input_shape, ElementsAre(4));
}

TEST(ReadOnnx, TheNetworkIsSavedAsTorchScriptAndIsTheSame) {
  const test::TempDir folder;
  auto file = readOnnx(fixture("product"));
  ASSERT_TRUE(file);
  file->module.save(folder.file("saved.pt"));
  EXPECT_EQ(formatOf(folder.file("saved.pt")).name, "TorchScript");
  RunContext context;
  const auto model = loadModel(folder.file("saved.pt"), {}, context);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE((*model)->audit().head.reason.empty());
}

std::string refusal(const test::OnnxBuilder& builder) {
  const test::TempDir folder;
  test::writeBytes(folder.file("net.onnx"), builder.bytes());
  const auto file = readOnnx(folder.file("net.onnx"));
  return file ? "opened" : file.error().message;
}

TEST(ReadOnnx, UnknownOperatorsAreNamedWithTheirNode) {
  test::OnnxBuilder builder;
  builder.input("x", {0, 4}).node("NonMaxSuppression", {"x"}, {"y"}, {}, "/boxes/nms").output("y");
  EXPECT_THAT(refusal(builder), HasSubstr("its node '/boxes/nms' uses the operator "
                                          "'NonMaxSuppression' of opset 17"));
  const auto tree = readOnnx(fixture("tree"));
  ASSERT_FALSE(tree);
  EXPECT_THAT(tree.error().message, HasSubstr("ensemble of trees ('TreeEnsembleClassifier')"));
  test::OnnxBuilder loop;
  loop.input("x", {0, 4}).node("Loop", {"x"}, {"y"}, {}, "steps").output("y");
  EXPECT_THAT(refusal(loop), HasSubstr("its node 'steps' is a loop (Loop)"));
}

TEST(ReadOnnx, InputsThatAreNoItemsAreNamed) {
  test::OnnxBuilder two;
  two.input("ids", {0, 7}, 7).input("mask", {0, 7}).node("Add", {"ids", "mask"}, {"y"}).output("y");
  EXPECT_THAT(refusal(two), HasSubstr("it has 2 inputs ('ids' [n, 7] int64, 'mask' [n, 7] float)"));
  test::OnnxBuilder tokens;
  tokens.input("ids", {0, 7}, 7).node("Relu", {"ids"}, {"y"}).output("y");
  EXPECT_THAT(refusal(tokens), HasSubstr("its input 'ids' [n, 7] int64 is not a tensor of real"));
  test::OnnxBuilder none;
  none.node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(refusal(none), HasSubstr("the ONNX file states no input"));
}

TEST(ReadOnnx, FilesAreRecognisedByTheirContents) {
  const test::TempDir folder;
  const std::string path = folder.file("net.bin");
  test::writeBytes(path, test::readBytes(fixture("product")));
  EXPECT_EQ(formatOf(path).name, "ONNX");
  test::writeBytes(path, "PK\x03\x04 something else");
  EXPECT_EQ(formatOf(path).name, "TorchScript");
  test::writeBytes(path, "");
  EXPECT_EQ(formatOf(path).name, "TorchScript");
  // Damaged, but named so.
  const std::string damaged = folder.file("net.onnx");
  test::writeBytes(damaged, test::readBytes(fixture("product")).substr(0, 200));
  EXPECT_EQ(formatOf(damaged).name, "ONNX");
  const auto file = readOnnx(damaged);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("the ONNX file is damaged"));
  EXPECT_THAT(file.error().message, testing::StartsWith(damaged));
}

}  // namespace
}  // namespace dubito
