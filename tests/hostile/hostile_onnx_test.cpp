// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX files that lie, or want to do more than compute: each is refused in one line, with little
// memory, and no file outside its folder is read.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/models/onnx/onnx_file.h"
#include "core/models/onnx/read_onnx_torch.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/translated_network_torch.h"
#include "tests/core/models/onnx/onnx_builder.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using namespace std::string_literals;
using test::bytesField;
using test::integerField;
using test::OnnxBuilder;
using testing::HasSubstr;

constexpr const char* kInjection = "x)\n    torch.save(x, \"w\")\n    v0 = (x";

/// The message with which a file is refused; it is one short line that names the file.
std::string refusalOf(const std::string& bytes, const test::TempDir& folder) {
  const std::string path = folder.file("net.onnx");
  test::writeBytes(path, bytes);
  const auto file = readOnnx(path);
  if (file) {
    return "opened";
  }
  EXPECT_TRUE(file.error().message.starts_with(path)) << file.error().message;
  EXPECT_EQ(file.error().message.find('\n'), std::string::npos) << file.error().message;
  EXPECT_LT(file.error().message.size(), 1000U);
  EXPECT_NE(file.error().message.find(';'), std::string::npos) << file.error().message;
  return file.error().message;
}

std::string refusalOf(const std::string& bytes) {
  const test::TempDir folder;
  return refusalOf(bytes, folder);
}

OnnxBuilder withInput() {
  OnnxBuilder builder;
  builder.input("x", {0, 4});
  return builder;
}

TEST(HostileOnnx, GraphsThatCannotBeComputed) {
  auto cycle = withInput();
  cycle.node("Add", {"x", "b"}, {"a"}).node("Relu", {"a"}, {"b"}).output("b");
  EXPECT_THAT(refusalOf(cycle.bytes()), HasSubstr("no earlier node computes its input 'b'"));
  auto missing = withInput();
  missing.node("Relu", {"nothing"}, {"y"}).output("y");
  EXPECT_THAT(refusalOf(missing.bytes()), HasSubstr("no earlier node computes its input"));
  auto no_output = withInput();
  no_output.node("Relu", {"x"}, {"y"}).output("z");
  EXPECT_THAT(refusalOf(no_output.bytes()), HasSubstr("no node computes its output 'z'"));
  auto twice = withInput();
  twice.node("Relu", {"x"}, {"y"}).node("Neg", {"x"}, {"y"}).output("y");
  EXPECT_THAT(refusalOf(twice.bytes()), HasSubstr("'y' is computed twice"));
  EXPECT_THAT(refusalOf(withInput().bytes()), HasSubstr("it has no output"));
  auto empty = withInput();
  empty.node("Relu", {}, {"y"}).output("y");
  EXPECT_THAT(refusalOf(empty.bytes()), HasSubstr("input 0 is missing"));
}

TEST(HostileOnnx, WeightsThatAreNotThere) {
  auto tooShort = withInput();
  tooShort.tensor("w", 1, {3, 4}, std::string(40, '\0'))
      .node("Gemm", {"x", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
      .output("y");
  EXPECT_THAT(refusalOf(tooShort.bytes()),
              HasSubstr("the weights 'w' of size 3 x 4 have 40 bytes"));
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{std::int64_t{1} << 62, 8}, {-1, 4}, {std::int64_t{1} << 62}}) {
    auto huge = withInput();
    huge.tensor("w", 1, shape, "").node("Add", {"x", "w"}, {"y"}).output("y");
    EXPECT_THAT(refusalOf(huge.bytes()), HasSubstr("the weights 'w'"));
  }
}

TEST(HostileOnnx, ConstantsThatGrowAreNotComputedWhileReading) {
  // Each line would be 2^40 elements or more.
  const std::string huge = "\0\0\0\0\0\x01\0\0"s;  // 2^40
  auto full = withInput();
  full.tensor("n", 7, {1}, huge)
      .node("ConstantOfShape", {"n"}, {"c"})
      .node("ReduceMax", {"c"}, {"m"})
      .node("Add", {"x", "m"}, {"y"})
      .output("y");
  const test::TempDir folder;
  EXPECT_EQ(refusalOf(full.bytes(), folder), "opened");
  auto outer = withInput();
  outer.tensor("r", 1, {1, 5000}, std::string(20000, '\0'))
      .tensor("c", 1, {5000, 1}, std::string(20000, '\0'))
      .node("MatMul", {"c", "r"}, {"p"})
      .node("MatMul", {"p", "p"}, {"q"})
      .node("Add", {"x", "q"}, {"y"})
      .output("y");
  EXPECT_EQ(refusalOf(outer.bytes(), folder), "opened");
}

TEST(HostileOnnx, FilesOutsideTheFolder) {
  const test::TempDir folder;
  const std::filesystem::path outside = folder.path() / "outside.bin";
  test::writeBytes(outside, std::string(48, '\1'));
  std::filesystem::create_directory(folder.path() / "in");
  std::filesystem::create_symlink(outside, folder.path() / "in" / "link.bin");
  for (const std::string& location :
       {"../outside.bin"s, outside.string(), "a/../../outside.bin"s, "link.bin"s, "/etc/passwd"s}) {
    const std::string tensor =
        integerField(1, 3) + integerField(1, 4) + integerField(2, 1) + bytesField(8, "w") +
        bytesField(13, bytesField(1, "location") + bytesField(2, location)) + integerField(14, 1);
    auto builder = withInput();
    builder.graphField(5, tensor)
        .node("Gemm", {"x", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
        .output("y");
    test::writeBytes(folder.path() / "in" / "net.onnx", builder.bytes());
    const auto file = readOnnx((folder.path() / "in" / "net.onnx").string());
    ASSERT_FALSE(file) << location;
    EXPECT_THAT(file.error().message, HasSubstr("only files in its own folder are read"));
  }
  const std::string beyond =
      integerField(1, 3) + integerField(1, 4) + integerField(2, 1) + bytesField(8, "w") +
      bytesField(13, bytesField(1, "location") + bytesField(2, "w.bin")) +
      bytesField(13, bytesField(1, "offset") + bytesField(2, "16")) + integerField(14, 1);
  auto builder = withInput();
  builder.graphField(5, beyond)
      .node("Gemm", {"x", "w"}, {"y"}, {OnnxBuilder::integerAttribute("transB", 1)})
      .output("y");
  test::writeBytes(folder.file("w.bin"), std::string(48, '\1'));
  EXPECT_THAT(refusalOf(builder.bytes(), folder), HasSubstr("lie beyond the end of 'w.bin'"));
}

TEST(HostileOnnx, DeepNesting) {
  std::string graph;
  for (int i = 0; i < 2000; ++i) {
    graph =
        bytesField(1, OnnxBuilder::nodeMessage(
                          "If", {"c"}, {"y"}, {OnnxBuilder::graphAttribute("then_branch", graph)}));
  }
  EXPECT_THAT(refusalOf(integerField(1, 8) + bytesField(7, graph)), HasSubstr("nested too deeply"));
}

/// Two functions that call each other.
TEST(HostileOnnx, FunctionsWithoutEnd) {
  std::string file = withInput().node("F", {"x"}, {"y"}, {}, "n", "own").output("y").bytes();
  for (const auto& [name, callee] : {std::pair{"F", "G"}, std::pair{"G", "F"}}) {
    file += bytesField(
        25, bytesField(1, name) + bytesField(4, "a") + bytesField(5, "b") +
                bytesField(7, OnnxBuilder::nodeMessage(callee, {"a"}, {"b"}, {}, "call", "own")) +
                bytesField(10, "own"));
  }
  EXPECT_THAT(refusalOf(file), HasSubstr("call each other without end"));
}

/// No text of the file reaches the program.
TEST(HostileOnnx, CodeInNames) {
  const test::TempDir folder;
  OnnxBuilder names;
  names.input(kInjection, {0, 4})
      .tensor(kInjection + "w"s, 1, {3, 4}, std::string(48, '\0'))
      .node("Gemm", {kInjection, kInjection + "w"s}, {kInjection + "y"s},
            {OnnxBuilder::integerAttribute("transB", 1)}, kInjection)
      .output(kInjection + "y"s);
  test::writeBytes(folder.file("net.onnx"), names.bytes());
  auto mapped = MappedFile::open(folder.file("net.onnx"));
  ASSERT_TRUE(mapped);
  const OnnxFile file = parseOnnx(folder.file("net.onnx"), *mapped);
  const TranslatedNetwork network = translateNetwork(file, {});
  EXPECT_EQ(network.source.find("save"), std::string::npos) << network.source;
  EXPECT_THAT(network.source, HasSubstr("torch.linear(x0, w0, None)"));
  EXPECT_FALSE(std::filesystem::exists("w"));
}

TEST(HostileOnnx, CodeInAttributes) {
  const auto refused = [](const std::string& op, const std::string& name,
                          const std::vector<std::string>& more = {}) {
    std::vector<std::string> attributes = more;
    attributes.push_back(OnnxBuilder::textAttribute(name, kInjection));
    OnnxBuilder builder;
    builder.input("x", {0, 1, 4, 4}).node(op, {"x", "x"}, {"y"}, attributes).output("y");
    return refusalOf(builder.bytes(23));
  };
  EXPECT_THAT(refused("Einsum", "equation"), HasSubstr("its equation has other characters"));
  EXPECT_THAT(refused("Gelu", "approximate"), HasSubstr("which is not supported"));
  EXPECT_THAT(
      refused("Pad", "mode", {OnnxBuilder::listAttribute("pads", {0, 0, 0, 0, 0, 0, 0, 0})}),
      HasSubstr("which is not supported"));
  EXPECT_THAT(refused("DepthToSpace", "mode"), HasSubstr("which is not supported"));
  EXPECT_THAT(refused("GridSample", "mode"), HasSubstr("which is not supported"));
  EXPECT_THAT(refused("GridSample", "padding_mode"), HasSubstr("which is not supported"));
  EXPECT_THAT(refused("MaxPool", "auto_pad", {OnnxBuilder::listAttribute("kernel_shape", {2, 2})}),
              HasSubstr("which is not supported"));
}

TEST(HostileOnnx, BytesThatAreNoMessage) {
  const test::TempDir folder;
  const std::string whole = withInput().node("Relu", {"x"}, {"y"}).output("y").bytes();
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const std::string message = refusalOf(whole.substr(0, length), folder);
    // A prefix may end between two parts.
    EXPECT_TRUE(message != "opened" || length > whole.size() / 2) << length;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ '\xFF');
    static_cast<void>(refusalOf(changed, folder));
  }
}

}  // namespace
}  // namespace dubito
