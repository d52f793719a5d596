// SPDX-License-Identifier: GPL-3.0-or-later
// Each cause of a network that cannot be used has its own remedy.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/models/model.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "core/models/program/remedy.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Weights w [6, 5] and e [50, 5] and this forward.
Expected<ModelPtr> opened(const std::string& forward,
                          const std::function<void(torch::jit::Module&)>& add = {}) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  const auto numbers = [](std::int64_t rows) {
    return at::sin(at::arange(rows * 5, at::kDouble) * 12.9898).view({rows, 5}).to(at::kFloat);
  };
  module.register_parameter("w", numbers(6), false);
  module.register_parameter("e", numbers(50), false);
  module.register_parameter("v", at::ones({5, 3, 1, 1, 1}), false);
  if (add) {
    add(module);
  }
  module.define(forward);
  module.save(folder.file("net.pt"),
              {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
  RunContext context;
  return loadModel(folder.file("net.pt"), {}, context);
}

struct Refused {
  std::string name;
  std::string forward;
  std::string reason;
  std::string remedy;
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.name;
}

class RefusedPrograms : public testing::TestWithParam<Refused> {};

TEST_P(RefusedPrograms, SayTheReasonAndWhatHelps) {
  const auto model = opened(GetParam().forward);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("net.pt: "));
  EXPECT_THAT(model.error().message, HasSubstr(GetParam().reason));
  EXPECT_THAT(model.error().message, HasSubstr(GetParam().remedy));
  EXPECT_EQ(model.error().message.find("write its input size"), std::string::npos)
      << model.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Refusals, RefusedPrograms,
    testing::Values(
        Refused{"severalInputs",
                "def forward(self, ids: Tensor, mask: Tensor, scale: float, n: int = 1):\n  return "
                "torch.matmul(ids * mask, self.w) * scale\n",
                "needs 'scale' in addition to the image (its inputs are 'ids' Tensor, 'mask' "
                "Tensor, 'scale' float)",
                "wrap it"},
        Refused{"dictionary",
                "def forward(self, x: Dict[str, Tensor]):\n  return torch.matmul(x['a'], self.w)\n",
                "takes Dict[str, Tensor] instead of a tensor", "wrap it"},
        Refused{"list",
                "def forward(self, x: List[Tensor]):\n  return torch.matmul(x[0], self.w)\n",
                "takes List[Tensor] instead of a tensor", "wrap it"},
        Refused{"number", "def forward(self, x: int):\n  return self.w * x\n",
                "takes int instead of a tensor", "wrap it"},
        Refused{"words", "def forward(self, x):\n  return torch.embedding(self.e, x).mean(1)\n",
                "Long, Int", "x.long()"},
        Refused{"index", "def forward(self, x):\n  return self.e[x[:, 0]]\n", "", "x.long()"},
        Refused{"types", "def forward(self, x):\n  return torch.matmul(x.to(7), self.w)\n", "dtype",
                "number types"},
        Refused{"whole_numbers",
                "def forward(self, x):\n  return (torch.matmul(x, self.w) * 10).to(3)\n",
                "whole numbers (Int)", "before that step"},
        Refused{"classes", "def forward(self, x):\n  return torch.matmul(x, self.w).argmax(1)\n",
                "whole numbers (Long)", "before that step"},
        Refused{"decisions", "def forward(self, x):\n  return torch.matmul(x, self.w) > 0\n",
                "whole numbers (Bool)", "before that step"},
        Refused{"three_axes",
                "def forward(self, x):\n  return torch.matmul(x, self.w).unsqueeze(1)\n",
                "returns [8 x 1 x 5]", "wrap the network"},
        Refused{"several",
                "def forward(self, x):\n  h = torch.matmul(x, self.w)\n  return [h[0], h[1]]\n",
                "none can be class scores", "wrap the network"},
        Refused{"volumes",
                "def forward(self, x):\n  return torch.conv3d(x, self.v).mean([2, 3, 4])\n",
                "volumes or videos", "wrap it"},
        Refused{"example_of_a_trace",
                "def forward(self, x):\n  return torch.cat([self.w, self.w])[2:10] * 2.0\n",
                "does not depend on its input", "torch.jit.script"},
        Refused{"constant", "def forward(self, x):\n  return self.w[0:1] * 2.0\n",
                "does not depend on its input", "torch.jit.script"},
        Refused{"constant_rows",
                "def forward(self, x):\n  return torch.zeros(x.size(0), 5) + self.w[0]\n",
                "does not depend on its input", "torch.jit.script"},
        Refused{"own_check",
                "def forward(self, x):\n  assert x.size(0) == 0, 'never'\n  return torch.matmul(x, "
                "self.w)\n",
                "never", "its own program refuses this input"}),
    [](const auto& test_case) { return test_case.param.name; });

/// TorchScript states only the names of the inputs; those with a default are not needed.
TEST(Refusals, InputsAreStatedAsTheFileHasThem) {
  const auto model = opened(
      "def forward(self, pixels: Tensor, n: int = 1):\n  return torch.matmul(pixels, self.w)\n");
  ASSERT_OK(model);
  const std::vector<InputTensor>& inputs = (*model)->audit().inputs;
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].name, "pixels");
  EXPECT_TRUE(inputs[0].shape.empty());
  EXPECT_EQ(inputs[0].type, "");
}

TEST(Refusals, DevicesThatAProgramNamesGiveWayToTheCpu) {
  for (const std::string& forward :
       {std::string("def forward(self, x):\n"
                    "  return torch.matmul(x, self.w) + torch.zeros(5, device='cuda:0')\n"),
        std::string("def forward(self, x):\n  return torch.matmul(x.cuda(), self.w).cpu()\n"),
        std::string("def forward(self, x):\n"
                    "  d = torch.device('cuda')\n  return torch.matmul(x.to(d), self.w)\n"),
        std::string("def forward(self, x):\n"
                    "  return torch.matmul(x.to(self.place), self.w)\n")}) {
    const auto model = opened(forward, [](torch::jit::Module& module) {
      module.register_attribute("place", c10::StringType::get(), "cuda:1");
    });
    ASSERT_OK(model);
    const std::vector<std::string>& notes = (*model)->audit().run_notes;
    EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) {
      return note.find("program names cuda") != std::string::npos;
    })) << forward;
    GraphRunner runner(deterministicGraph(*(*model)->impl().network.graph), "test");
    const at::Tensor x = at::arange(18, at::kFloat).view({3, 6});
    const at::Tensor rows =
        runner.run(deterministicInputs((*model)->impl().module, x)).at(0).toTensor();
    const at::Tensor w = at::sin(at::arange(30, at::kDouble) * 12.9898).view({6, 5}).to(at::kFloat);
    EXPECT_LT(at::abs(rows - at::matmul(x, w)).max().item().toDouble(), 1e-5) << forward;
  }
}

TEST(Refusals, MissingOperatorsAndClassesAreNamed) {
  const std::string torchvision = whyNotLoaded(
      "\nUnknown builtin op: torchvision::nms.\nCould not find any similar ops to "
      "torchvision::nms. "
      "This op may not exist or may not be currently supported in TorchScript.\n:\n",
      "reason");
  EXPECT_THAT(torchvision, HasSubstr("torchvision::nms, an operator of the library torchvision"));
  EXPECT_THAT(whyNotLoaded("\nUnknown builtin op: aten::later.\n", "reason"),
              HasSubstr("aten::later, which torch 2.11 does not have"));
  EXPECT_THAT(whyNotLoaded("Unknown type name '__torch__.torch.classes.my.Tracker'", "reason"),
              HasSubstr("the class my.Tracker"));
  EXPECT_THAT(whyNotLoaded("Attempted to read a PyTorch file with version 99, but the maximum "
                           "supported version for reading is 10.",
                           "reason"),
              HasSubstr("newer torch"));
  EXPECT_THAT(whyNotLoaded("something else", "why"), HasSubstr("torch.jit.load"));
}

TEST(Refusals, FilesOfOtherKindsAreNamed) {
  const test::TempDir folder;
  RunContext context;
  const auto refusalOf = [&](const std::string& name, const std::string& bytes) {
    test::writeBytes(folder.path() / name, bytes);
    const auto model = loadModel(folder.file(name), {}, context);
    return model ? std::string() : model.error().message;
  };
  EXPECT_THAT(refusalOf("preds.csv", "a,b\n0.1,0.9\n"), HasSubstr("dubito-cli convert"));
  EXPECT_THAT(refusalOf("preds.npy", std::string("\x93NUMPY\x01\x00", 8)),
              HasSubstr("dubito-cli convert"));
  EXPECT_THAT(refusalOf("net.onnx", "\x08\x07"), HasSubstr("ONNX"));
  EXPECT_THAT(refusalOf("net.h5", "\x89HDF\r\n"), HasSubstr("Keras"));
  // By their contents, whatever their names.
  for (const auto& [bytes, text] :
       {std::pair(std::string("@\0\0\0\0\0\0\0{\"w\":", 13), "only weights"),
        std::pair(std::string("\x30\0\0\0ET12....", 12), "ExecuTorch"),
        std::pair(std::string("\x1c\0\0\0TFL3....", 12), "TensorFlow Lite"),
        std::pair(std::string("ftrt\0\0\0\0", 8), "TensorRT"),
        std::pair(std::string("\x89HDF\r\n"), "Keras")}) {
    EXPECT_THAT(refusalOf("file.bin", bytes), HasSubstr(text));
  }
  std::filesystem::create_directory(folder.path() / "hub");
  EXPECT_THAT(refusalOf("hub/config.json", R"({"model_type": "vit"})"), HasSubstr("not a network"));
  const auto hub = loadModel(folder.file("hub"), {}, context);
  ASSERT_FALSE(hub);
  EXPECT_THAT(hub.error().message, HasSubstr("a folder of Hugging Face"));
  EXPECT_THAT(refusalOf("text.pt", "hello"), HasSubstr("not a network of PyTorch"));
}

/// A flipped bit in the weights, or anywhere in a record, changes results without a trace.
TEST(Refusals, DamagedRecordsAreFoundByTheirChecksum) {
  const test::TempDir folder;
  RunContext context;
  const std::string bytes = test::readBytes(test::sourceDir() / "tests/data/models/traced_eval.pt");
  test::writeBytes(folder.path() / "whole.pt", bytes);
  ASSERT_OK(loadModel(folder.file("whole.pt"), {}, context));
  const std::size_t weights = bytes.find("data/0");
  ASSERT_NE(weights, std::string::npos);
  std::string damaged = bytes;
  damaged[weights + 100] = static_cast<char>(damaged[weights + 100] ^ 0x40);
  test::writeBytes(folder.path() / "damaged.pt", damaged);
  const auto model = loadModel(folder.file("damaged.pt"), {}, context);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(model.error().message, HasSubstr("data/0' is damaged (its checksum differs)"));
}

}  // namespace
}  // namespace dubito
