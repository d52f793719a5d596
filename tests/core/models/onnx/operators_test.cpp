// SPDX-License-Identifier: GPL-3.0-or-later
// Single operators of networks that were quantised or optimised, or draw random numbers: results at
// the limits of their definitions, and refusals.
#include <bit>

#include "core/models/model.h"
#include "core/models/onnx/read_onnx_torch.h"
#include "tests/core/models/onnx/onnx_builder.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::OnnxBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMicrosoft = "com.microsoft";
constexpr int kFloat = 1;
constexpr int kUint8 = 2;
constexpr int kInt8 = 3;
constexpr int kInt64 = 7;
constexpr int kDouble = 11;

/// The bytes of numbers of type T.
template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

OnnxBuilder withImages(const std::vector<std::int64_t>& shape) {
  OnnxBuilder builder;
  builder.input("x", shape);
  return builder;
}

/// A network whose input [N, size] is rounded to uint8 values "q".
OnnxBuilder withBytes(std::int64_t size) {
  OnnxBuilder builder;
  builder.input("x", {0, size})
      .node("Cast", {"x"}, {"q"}, {OnnxBuilder::integerAttribute("to", kUint8)});
  return builder;
}

Expected<NetworkFile> read(const OnnxBuilder& builder, std::int64_t opset) {
  const test::TempDir folder;
  test::writeBytes(folder.file("net.onnx"), builder.bytes(opset));
  return readOnnx(folder.file("net.onnx"));
}

/// The output for one input, flattened; throws what the reader says.
std::vector<double> outputOf(const OnnxBuilder& builder, const at::Tensor& input,
                             std::int64_t opset = 17) {
  const at::NoGradGuard no_gradients;
  auto file = read(builder, opset);
  if (!file) {
    throw std::runtime_error(file.error().message);
  }
  const at::Tensor output =
      file->module.forward({input}).toTensor().to(at::kDouble).flatten().contiguous();
  const double* const first = output.const_data_ptr<double>();
  return {first, first + output.numel()};
}

std::string refusal(const OnnxBuilder& builder, std::int64_t opset = 17) {
  const auto file = read(builder, opset);
  return file ? "opened" : file.error().message;
}

TEST(IntegerProducts, SubtractTheZeroPointsOfRowsAndColumns) {
  OnnxBuilder builder = withBytes(2);
  builder.tensor("w", kInt8, {2, 2}, bytesOf<std::int8_t>({1, -2, 3, 4}))
      .tensor("rows", kUint8, {2}, bytesOf<std::uint8_t>({1, 10}))
      .tensor("columns", kInt8, {2}, bytesOf<std::int8_t>({-1, 2}))
      .node("MatMulInteger", {"q", "w", "rows", "columns"}, {"p"})
      .node("Cast", {"p"}, {"y"}, {OnnxBuilder::integerAttribute("to", kFloat)})
      .output("y");
  // ([3 5; 20 30] - [1; 10]) * ([1 -2; 3 4] - [-1 2]).
  EXPECT_THAT(outputOf(builder, at::tensor({3.0F, 5.0F, 20.0F, 30.0F}).reshape({2, 2})),
              ElementsAre(2 * 2 + 4 * 4, 2 * -4 + 4 * 2, 10 * 2 + 20 * 4, 10 * -4 + 20 * 2));
}

TEST(IntegerProducts, AreExactBeyondTheIntegersOfFloat) {
  constexpr std::int64_t kCount = 1024;
  std::string weights(kCount, '\x7F');
  OnnxBuilder builder = withBytes(kCount);
  builder.tensor("w", kInt8, {kCount, 1}, weights)
      .node("MatMulInteger", {"q", "w"}, {"p"})
      .node("Cast", {"p"}, {"y"}, {OnnxBuilder::integerAttribute("to", kDouble)})
      .output("y");
  at::Tensor input = at::full({1, kCount}, 255.0F);
  input[0][0] = 254.0F;
  // Odd and above 2^24, which float32 does not represent.
  EXPECT_THAT(outputOf(builder, input), ElementsAre(127.0 * (255.0 * kCount - 1.0)));
}

TEST(QuantisedResults, AreRoundedHalfToEvenAndSaturate) {
  OnnxBuilder builder = withBytes(1);
  builder.tensor("one", kFloat, {}, bytesOf<float>({1.0F}))
      .tensor("two", kFloat, {}, bytesOf<float>({2.0F}))
      .tensor("zero", kUint8, {}, bytesOf<std::uint8_t>({0}))
      .tensor("high", kUint8, {}, bytesOf<std::uint8_t>({250}))
      .tensor("w", kInt8, {1, 2}, bytesOf<std::int8_t>({1, -1}))
      .tensor("w0", kInt8, {}, bytesOf<std::int8_t>({0}))
      .node("QLinearMatMul", {"q", "one", "zero", "w", "one", "w0", "two", "high"}, {"r"})
      .node("Cast", {"r"}, {"y"}, {OnnxBuilder::integerAttribute("to", kFloat)})
      .output("y");
  EXPECT_THAT(outputOf(builder, at::tensor({1.0F, 3.0F, 5.0F, 7.0F, 20.0F}).reshape({5, 1})),
              ElementsAre(250, 250, 252, 248, 252, 248, 254, 246, 255, 240));
}

TEST(QuantisedResults, HaveTheTypeOfTheOperandsWithoutAZeroPoint) {
  OnnxBuilder builder;
  builder.input("x", {0, 2})
      .tensor("s", kFloat, {}, bytesOf<float>({1.0F}))
      .tensor("z", kInt8, {}, bytesOf<std::int8_t>({0}))
      .node("QuantizeLinear", {"x", "s", "z"}, {"q"})
      .node("QLinearAdd", {"q", "s", "z", "q", "s", "z", "s"}, {"r"}, {}, "sum", kMicrosoft)
      .node("Cast", {"r"}, {"y"}, {OnnxBuilder::integerAttribute("to", kFloat)})
      .output("y");
  EXPECT_THAT(outputOf(builder, at::tensor({-100.0F, 3.0F}).reshape({1, 2})), ElementsAre(-128, 6));
}

TEST(QuantisedConvolutions, PadWithTheirZeroPoint) {
  OnnxBuilder builder = withImages({0, 1, 1, 2});
  builder.tensor("one", kFloat, {}, bytesOf<float>({1.0F}))
      .tensor("z", kUint8, {}, bytesOf<std::uint8_t>({10}))
      .tensor("w", kUint8, {2, 1, 1, 3}, bytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6}))
      .tensor("wz", kUint8, {2}, bytesOf<std::uint8_t>({0, 4}))
      .node("QuantizeLinear", {"x", "one", "z"}, {"q"})
      .node("ConvInteger", {"q", "w", "z", "wz"}, {"c"},
            {OnnxBuilder::listAttribute("pads", {0, 1, 0, 1})})
      .node("Cast", {"c"}, {"y"}, {OnnxBuilder::integerAttribute("to", kFloat)})
      .output("y");
  // Of [0 5 7 0] with the kernels [1 2 3] and [0 1 2].
  EXPECT_THAT(outputOf(builder, at::tensor({5.0F, 7.0F}).reshape({1, 1, 1, 2})),
              ElementsAre(5 * 2 + 7 * 3, 5 * 1 + 7 * 2, 5 * 1 + 7 * 2, 7));
}

TEST(ImageOperators, PutWindowsTogetherAndComputeDeterminants) {
  OnnxBuilder windows;
  windows.input("x", {0, 4, 2})
      .tensor("image", kInt64, {2}, bytesOf<std::int64_t>({2, 3}))
      .tensor("block", kInt64, {2}, bytesOf<std::int64_t>({2, 2}))
      .node("Col2Im", {"x", "image", "block"}, {"y"})
      .output("y");
  // Two windows that share the middle column.
  EXPECT_THAT(outputOf(windows, at::arange(8, at::kFloat).reshape({1, 4, 2}), 18),
              ElementsAre(0, 1 + 2, 3, 4, 5 + 6, 7));
  OnnxBuilder det;
  det.input("x", {0, 2, 2}).node("Det", {"x"}, {"y"}).output("y");
  const auto determinants = outputOf(det, at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({1, 2, 2}));
  ASSERT_EQ(determinants.size(), 1U);
  EXPECT_NEAR(determinants[0], -2.0, 1e-6);
}

/// Samples left of the image, and at its two elements 2 and 6.
std::vector<double> sampled(const std::string& mode, const std::string& padding) {
  OnnxBuilder builder = withImages({0, 1, 1, 2});
  builder.tensor("grid", kFloat, {1, 1, 3, 2}, bytesOf<float>({-2.0F, 0, -0.5F, 0, 0.5F, 0}))
      .node("GridSample", {"x", "grid"}, {"y"},
            {OnnxBuilder::textAttribute("mode", mode),
             OnnxBuilder::textAttribute("padding_mode", padding)})
      .output("y");
  return outputOf(builder, at::tensor({2.0F, 6.0F}).reshape({1, 1, 1, 2}), 20);
}

TEST(ImageOperators, SampleOutsideOfTheImageAsStated) {
  EXPECT_THAT(sampled("linear", "zeros"), ElementsAre(0, 2, 6));
  EXPECT_THAT(sampled("nearest", "border"), ElementsAre(2, 2, 6));
  // Position -2 is half a width left of the border at -1, and mirrored to the middle: 4.
  EXPECT_THAT(sampled("linear", "reflection"), ElementsAre(4, 2, 6));
}

TEST(FusedOperators, RefuseInputsOfLanguageModelsByName) {
  OnnxBuilder mask;
  mask.input("x", {0, 3, 4})
      .node("Attention", {"x", "x", "x", "x"}, {"y"},
            {OnnxBuilder::integerAttribute("num_heads", 2)}, "/layer/attention", kMicrosoft)
      .output("y");
  EXPECT_THAT(refusal(mask), HasSubstr("its operator 'Attention' (node '/layer/attention') has a "
                                       "mask of keys or earlier keys (input 3)"));
  OnnxBuilder heads;
  heads.input("x", {0, 3, 4})
      .node("MultiHeadAttention", {"x", "x", "x"}, {"y"}, {}, "node", kMicrosoft)
      .output("y");
  EXPECT_THAT(refusal(heads), HasSubstr("0 heads"));
  OnnxBuilder unknown;
  unknown.input("x", {0, 4}).node("FusedMagic", {"x"}, {"y"}, {}, "/m", kMicrosoft).output("y");
  EXPECT_THAT(refusal(unknown), HasSubstr("its node '/m' uses the operator 'FusedMagic' of "
                                          "'com.microsoft' of opset 1"));
  OnnxBuilder blocked;
  blocked.input("x", {0, 4})
      .node("Conv", {"x"}, {"y"}, {}, "/c", "com.microsoft.nchwc")
      .output("y");
  EXPECT_THAT(refusal(blocked), HasSubstr("which onnxruntime writes for one kind of machine; save "
                                          "the network without optimisation"));
  OnnxBuilder magic;
  magic.input("x", {0, 1, 4, 4})
      .tensor("w", kFloat, {1, 1, 1, 1}, bytesOf<float>({1.0F}))
      .node("FusedConv", {"x", "w"}, {"y"}, {OnnxBuilder::textAttribute("activation", "Magic")},
            "node", kMicrosoft)
      .output("y");
  EXPECT_THAT(refusal(magic), HasSubstr("has 'activation' 'Magic', which is not supported"));
}

TEST(Sequences, NeedConstantPositionsAndLengths) {
  OnnxBuilder position;
  position.input("x", {0, 4})
      .node("SequenceConstruct", {"x", "x"}, {"list"})
      .node("ReduceMax", {"x"}, {"m"})
      .node("Cast", {"m"}, {"i"}, {OnnxBuilder::integerAttribute("to", kInt64)})
      .node("SequenceAt", {"list", "i"}, {"y"})
      .output("y");
  EXPECT_THAT(refusal(position), HasSubstr("computes its position in a sequence while it runs"));
  OnnxBuilder items;
  items.input("x", {0, 4})
      .node("SplitToSequence", {"x"}, {"list"}, {OnnxBuilder::integerAttribute("axis", 0)})
      .node("ConcatFromSequence", {"list"}, {"y"}, {OnnxBuilder::integerAttribute("axis", 0)})
      .output("y");
  EXPECT_THAT(refusal(items), HasSubstr("splits an axis whose size the file does not determine"));
  OnnxBuilder output;
  output.input("x", {0, 4}).node("SequenceConstruct", {"x"}, {"y"}).output("y");
  EXPECT_THAT(refusal(output), HasSubstr("its output is a sequence of tensors"));
  OnnxBuilder used;
  used.input("x", {0, 4})
      .node("SequenceConstruct", {"x"}, {"list"})
      .node("Relu", {"list"}, {"y"}, {}, "/relu")
      .output("y");
  EXPECT_THAT(refusal(used), HasSubstr("(node '/relu') takes or returns a sequence of tensors"));
  OnnxBuilder beyond;
  beyond.input("x", {0, 4})
      .tensor("i", kInt64, {}, bytesOf<std::int64_t>({2}))
      .node("SequenceConstruct", {"x", "x"}, {"list"})
      .node("SequenceAt", {"list", "i"}, {"y"})
      .output("y");
  EXPECT_THAT(refusal(beyond), HasSubstr("position 2 in a sequence of 2"));
}

/// Networks that draw: the numbers are sites that are always on, and are drawn by key.
TEST(RandomNumbers, AreSitesOfTheNetwork) {
  const auto noisy = [](const std::string& op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& attributes) {
    OnnxBuilder builder;
    builder.input("x", {0, 4})
        .tensor("w", kFloat, {3, 4}, bytesOf<float>(std::vector<float>(12, 0.1F)))
        .node("Sigmoid", {"x"}, {"p"})
        .node(op, inputs, {"r"}, attributes)
        .node("Mul", {"x", "r"}, {"m"})
        .node("Gemm", {"m", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
        .output("y");
    return builder;
  };
  const auto site = [](const OnnxBuilder& builder) {
    const test::TempDir folder;
    test::writeBytes(folder.file("net.onnx"), builder.bytes(15));
    RunContext context;
    const auto model = loadModel(folder.file("net.onnx"), {}, context);
    if (!model) {
      throw std::runtime_error(model.error().message);
    }
    return (*model)->audit().dropout_sites.at(0);
  };
  for (const auto& [op, inputs, torch_op] :
       {std::tuple{"Bernoulli", std::vector<std::string>{"p"}, "aten::bernoulli"},
        std::tuple{"RandomNormalLike", std::vector<std::string>{"x"}, "aten::randn_like"},
        std::tuple{"RandomUniformLike", std::vector<std::string>{"x"}, "aten::rand_like"},
        std::tuple{"RandomNormal", std::vector<std::string>{}, "aten::randn"}}) {
    const std::vector<std::string> attributes =
        inputs.empty() ? std::vector{OnnxBuilder::listAttribute("shape", {1, 4})}
                       : std::vector<std::string>();
    const DropoutSite found = site(noisy(op, inputs, attributes));
    EXPECT_TRUE(found.is_noise) << op;
    EXPECT_EQ(found.op, torch_op);
    EXPECT_EQ(found.mode, "always on") << op;
    EXPECT_EQ(found.refused, "") << op;
  }
}

/// x / keep * floor(keep + u) or x / keep * (u < keep), with one number u per item, or one for all
/// of them, as exporters write stochastic depth.
TEST(RandomNumbers, OfStochasticDepthAreItsSite) {
  const auto network = [](bool divides_before, bool compares, bool is_shared) {
    OnnxBuilder builder;
    builder.input("x", {0, 4})
        .tensor("w", kFloat, {3, 4}, bytesOf<float>(std::vector<float>(12, 0.1F)))
        .tensor("keep", kFloat, {}, bytesOf<float>({0.9F}))
        .tensor("first", kInt64, {}, bytesOf<std::int64_t>({0}))
        .tensor("axis", kInt64, {1}, bytesOf<std::int64_t>({0}))
        .tensor("one", kInt64, {1}, bytesOf<std::int64_t>({1}));
    if (is_shared) {
      builder.tensor("zeros", kFloat, {1, 1}, bytesOf<float>({0.0F}));
    } else {
      builder.node("Shape", {"x"}, {"sizes"})
          .node("Gather", {"sizes", "first"}, {"n"})
          .node("Unsqueeze", {"n", "axis"}, {"items"})
          .node("Concat", {"items", "one"}, {"shape"}, {OnnxBuilder::integerAttribute("axis", 0)})
          .node("ConstantOfShape", {"shape"}, {"zeros"});
    }
    builder.node("RandomUniformLike", {"zeros"}, {"u"});
    if (compares) {
      builder.node("Less", {"u", "keep"}, {"is_kept"})
          .node("Cast", {"is_kept"}, {"mask"}, {OnnxBuilder::integerAttribute("to", kFloat)});
    } else {
      builder.node("Add", {"u", "keep"}, {"sum"}).node("Floor", {"sum"}, {"mask"});
    }
    if (divides_before) {
      builder.node("Div", {"x", "keep"}, {"scaled"}).node("Mul", {"scaled", "mask"}, {"h"});
    } else {
      builder.node("Mul", {"x", "mask"}, {"kept"}).node("Div", {"kept", "keep"}, {"h"});
    }
    builder.node("Gemm", {"h", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
        .output("y");
    return builder;
  };
  for (int form = 0; form < 8; ++form) {
    const test::TempDir folder;
    test::writeBytes(folder.file("net.onnx"),
                     network((form & 1) != 0, (form & 2) != 0, (form & 4) != 0).bytes(15));
    RunContext context;
    const auto model = loadModel(folder.file("net.onnx"), {}, context);
    ASSERT_OK(model);
    const ModelAudit& audit = (*model)->audit();
    ASSERT_EQ(audit.dropout_sites.size(), 1U);
    EXPECT_EQ(audit.dropout_sites[0].op, "stochastic depth");
    EXPECT_EQ(audit.dropout_sites[0].drop_rate, 0.1);
    EXPECT_EQ(audit.unrepeatable, "");
    EXPECT_TRUE(audit.head.found) << audit.head.reason;
  }
}

/// One number for the whole batch is nearly always on the same side of a rare threshold.
TEST(RandomNumbers, AreNoticedIfTwoDrawsNearlyAlwaysAgree) {
  OnnxBuilder builder;
  builder.input("x", {0, 4})
      .tensor("w", kFloat, {3, 4}, bytesOf<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}))
      .tensor("like", kFloat, {1, 1}, bytesOf<float>({0.0F}))
      .tensor("rate", kFloat, {}, bytesOf<float>({0.001F}))
      .tensor("step", kFloat, {1, 3}, bytesOf<float>({0.0F, 1.0F, 2.0F}))
      .node("RandomUniformLike", {"like"}, {"u"})
      .node("Less", {"u", "rate"}, {"is_rare"})
      .node("Cast", {"is_rare"}, {"rare"}, {OnnxBuilder::integerAttribute("to", kFloat)})
      .node("Mul", {"step", "rare"}, {"added"})
      .node("Gemm", {"x", "w"}, {"h"}, {OnnxBuilder::integerAttribute("transB", 1)})
      .node("Add", {"h", "added"}, {"y"})
      .output("y");
  const test::TempDir folder;
  test::writeBytes(folder.file("net.onnx"), builder.bytes(15));
  RunContext context;
  const auto model = loadModel(folder.file("net.onnx"), {}, context);
  ASSERT_OK(model);
  const ModelAudit& audit = (*model)->audit();
  EXPECT_THAT(audit.unrepeatable, HasSubstr("draws its own random numbers (aten::rand_like)"));
  EXPECT_FALSE(audit.batch.is_known);
}

/// Scores whose softmax is 0 and 1 on any input hide neither noise nor other items of the batch.
TEST(RandomNumbers, AreNoticedBehindLargeScores) {
  const auto audited = [](bool draws) {
    std::vector<float> weights;
    for (int i = 0; i < 12; ++i) {
      weights.push_back(static_cast<float>(i % 5 - 2) * 1e5F);
    }
    OnnxBuilder builder;
    builder.input("x", {0, 4}).tensor("w", kFloat, {3, 4}, bytesOf<float>(weights));
    if (draws) {
      builder.node("RandomNormalLike", {"x"}, {"noise"})
          .tensor("small", kFloat, {}, bytesOf<float>({1e-3F}))
          .node("Mul", {"noise", "small"}, {"added"});
    } else {
      builder.tensor("small", kFloat, {}, bytesOf<float>({1e-2F}))
          .node("ReduceMean", {"x"}, {"mean"}, {OnnxBuilder::listAttribute("axes", {0})})
          .node("Mul", {"mean", "small"}, {"added"});
    }
    builder.node("Add", {"x", "added"}, {"h"})
        .node("Gemm", {"h", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
        .output("y");
    const test::TempDir folder;
    test::writeBytes(folder.file("net.onnx"), builder.bytes(15));
    RunContext context;
    const auto model = loadModel(folder.file("net.onnx"), {}, context);
    if (!model) {
      throw std::runtime_error(model.error().message);
    }
    return (*model)->audit();
  };
  EXPECT_THAT(audited(true).unrepeatable, HasSubstr("draws its own random numbers"));
  EXPECT_TRUE(audited(false).batch.depends_on_batch);
}

TEST(RandomNumbers, HaveTheStatedDistribution) {
  const auto number = [](std::string_view name, float value) {
    // Field 2 of an attribute has 32 bits.
    std::string bytes(4, '\0');
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<char>(bits >> (8 * i));
    }
    return test::bytesField(1, name) + test::varint(2U << 3U | 5U) + bytes +
           test::integerField(20, 1);
  };
  at::manual_seed(1);
  OnnxBuilder uniform;
  uniform.input("x", {0, 4000})
      .node("RandomUniformLike", {"x"}, {"y"}, {number("low", -3.0F), number("high", 1.0F)})
      .output("y");
  const std::vector<double> drawn = outputOf(uniform, at::zeros({1, 4000}));
  const auto [low, high] = std::ranges::minmax(drawn);
  EXPECT_GE(low, -3.0);
  EXPECT_LT(low, -2.9);
  EXPECT_LE(high, 1.0);
  EXPECT_GT(high, 0.9);
  OnnxBuilder normal;
  normal.input("x", {0, 4000})
      .node("RandomNormalLike", {"x"}, {"y"}, {number("mean", 5.0F), number("scale", 0.5F)})
      .output("y");
  const at::Tensor numbers = at::tensor(outputOf(normal, at::zeros({1, 4000})));
  // Five standard errors.
  EXPECT_NEAR(numbers.mean().item().toDouble(), 5.0, 0.04);
  EXPECT_NEAR(numbers.std().item().toDouble(), 0.5, 0.03);
}

}  // namespace
}  // namespace dubito
