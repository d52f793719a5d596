// SPDX-License-Identifier: GPL-3.0-or-later
// How often weights are drawn, seen from the operators that run.
#include <ATen/record_function.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// Counts the calls of one operator that this thread makes during the counter's lifetime.
class CallCount {
 public:
  explicit CallCount(const char* op) {
    counted() = {op, 0};
    handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(
        [](const at::RecordFunction& call) -> std::unique_ptr<at::ObserverContext> {
          counted().second += counted().first == call.name() ? 1 : 0;
          return nullptr;
        }));
  }
  ~CallCount() { at::removeCallback(handle_); }
  CallCount(const CallCount&) = delete;
  CallCount& operator=(const CallCount&) = delete;

  [[nodiscard]] std::int64_t calls() const { return counted().second; }

 private:
  static std::pair<std::string, std::int64_t>& counted() {
    thread_local std::pair<std::string, std::int64_t> counted;
    return counted;
  }
  at::CallbackHandle handle_;
};

using WeightDraws = test::LaplaceMethod;

/// Every draw of a layer's weights takes one inverse square root, and no pass takes one.
TEST_F(WeightDraws, AreMadeOnceForAllBatches) {
  const ModelPtr model = convolutional();
  LaplaceOptions method = with("kron", LaplaceOptions().link);
  method.layers = "all";
  method.predictive = "sampled";
  method.weight_draws = 8;
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  constexpr std::int64_t kLayers = 2;
  for (const std::int64_t batch : {30, 7, 1}) {
    const CallCount roots("aten::rsqrt");
    ASSERT_OK(predict(*model, *test_, *ready, {.batch = batch}, context_));
    EXPECT_EQ(roots.calls(), kLayers * method.weight_draws) << "batches of " << batch;
  }
}

}  // namespace
}  // namespace dubito
