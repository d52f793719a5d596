// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that a posterior of all layers leaves out, and names.
#include <algorithm>
#include <string>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::kClasses;
using test::kSide;
using test::spreadNumbers;

class CertainWeights : public test::LaplaceMethod {
 protected:
  /// Fits all layers: the note of what counts as certain, empty without one.
  std::string noteOf(const ModelPtr& model) {
    LaplaceOptions method = with("kron", "probit");
    method.layers = "all";
    const auto ready = fitted(model, method);
    if (!ready) {
      ADD_FAILURE() << ready.error().message;
      return {};
    }
    parameters_ = ready->fitted->posterior.parameters();
    const auto found = std::ranges::find_if(ready->fit->notes, [](const std::string& note) {
      return note.starts_with("Weights treated as certain");
    });
    return found == ready->fit->notes.end() ? std::string() : *found;
  }

  std::int64_t parameters_ = 0;
};

TEST_F(CertainWeights, BuffersWereNotTrained) {
  const ModelPtr model = test::madeNetwork(
      folder_, "blurred", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.blur, None)
    x = torch.matmul(torch.flatten(x, 1), torch.t(self.mixed)) + self.b1
    return torch.linear(torch.tanh(x), self.w, self.b)
)",
      {{"b1", spreadNumbers({5}, 0.5)},
       {"w", spreadNumbers({kClasses, 5}, 0.0)},
       {"b", spreadNumbers({kClasses}, 1.0)}},
      kSide, {{"blur", spreadNumbers({1, 1, 3, 3}, 2.0)}, {"mixed", spreadNumbers({5, 16}, 3.0)}});
  EXPECT_EQ(noteOf(model),
            "Weights treated as certain: blur (a buffer, not a parameter), mixed (a buffer, not a "
            "parameter)");
  EXPECT_EQ(parameters_, kClasses * 6);
}

/// An embedding and a layer with the same weights: the layer's curvature alone is not theirs.
TEST_F(CertainWeights, WeightsMayWorkElsewhere) {
  const ModelPtr model =
      test::madeNetwork(folder_, "tied", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    x = torch.linear(x, self.tied) + torch.embedding(self.tied, torch.zeros([x.size(0)], dtype=4))
    return torch.linear(torch.tanh(x), self.w, self.b)
)",
                        {{"tied", spreadNumbers({kSide * kSide, kSide * kSide}, 0.0)},
                         {"w", spreadNumbers({kClasses, kSide * kSide}, 1.0)},
                         {"b", spreadNumbers({kClasses}, 2.0)}},
                        kSide);
  const std::string note = noteOf(model);
  EXPECT_THAT(note, HasSubstr("tied (aten::embedding)"));
  EXPECT_THAT(note, HasSubstr("tied (used more than once)"));
  EXPECT_EQ(parameters_, kClasses * (kSide * kSide + 1));
}

TEST_F(CertainWeights, WeightsMayComeInLists) {
  const ModelPtr model = test::madeNetwork(folder_, "recurrent", R"(
def forward(self, x: Tensor) -> Tensor:
    x = x.squeeze(1)
    h = torch.zeros([1, x.size(0), 5])
    weights = [self.wi, self.wh, self.bi, self.bh]
    y, hn, cn = torch.lstm(x, [h, h], weights, True, 1, 0.0, False, False, True)
    return torch.linear(torch.flatten(y, 1), self.w, self.b)
)",
                                           {{"wi", spreadNumbers({20, kSide}, 0.0)},
                                            {"wh", spreadNumbers({20, 5}, 1.0)},
                                            {"bi", spreadNumbers({20}, 2.0)},
                                            {"bh", spreadNumbers({20}, 3.0)},
                                            {"w", spreadNumbers({kClasses, 5 * kSide}, 4.0)},
                                            {"b", spreadNumbers({kClasses}, 5.0)}},
                                           kSide);
  EXPECT_EQ(noteOf(model), "Weights treated as certain: wi (aten::lstm)");
  EXPECT_EQ(parameters_, kClasses * (5 * kSide + 1));
}

/// Freezing turns weights into constants of the program.
TEST_F(CertainWeights, FrozenOnesAreNamedByTheirOperator) {
  torch::jit::Module module("frozen");
  module.register_attribute("training", c10::BoolType::get(), false);
  for (const auto& [name, values] : {std::pair{"scale", spreadNumbers({kSide * kSide}, 0.0)},
                                     {"w", spreadNumbers({kClasses, kSide * kSide}, 1.0)},
                                     {"b", spreadNumbers({kClasses}, 2.0)}}) {
    module.register_parameter(name, values.to(at::kFloat), false);
  }
  module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1) * self.scale, self.w, self.b)
)");
  const std::string path = folder_.file("frozen.pt");
  torch::jit::freeze(module).save(
      path,
      {{"metadata.json", fmt::format(R"({{"channels": 1, "input_size": [{0}, {0}]}})", kSide)}});
  const auto model = loadModel(path, {}, context_);
  ASSERT_OK(model);
  EXPECT_EQ(noteOf(*model), "Weights treated as certain: aten::mul (aten::mul)");
  EXPECT_EQ(parameters_, kClasses * (kSide * kSide + 1));
}

}  // namespace
}  // namespace dubito
