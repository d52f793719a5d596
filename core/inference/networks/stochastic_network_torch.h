// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/inference/networks/crossing_torch.h"
#include "core/inference/networks/dropout_plan.h"
#include "core/inference/networks/network_on_device_torch.h"
#include "core/inference/networks/split_torch.h"
#include "core/models/graph_torch.h"

namespace dubito {

/// Whether several draws of a model may share one pass: not where rows influence each other, or
/// where passes differ anyway.
[[nodiscard]] inline bool mayShareAPass(const ModelAudit& audit) {
  return !audit.batch.depends_on_batch && audit.unrepeatable.empty();
}

/// A network whose dropout draws keyed masks. The part before the first site runs once a batch.
class StochasticNetwork {
 public:
  /// `rows_may_mix`: several draws may share one pass, false for models that depend on batch mates.
  StochasticNetwork(const NetworkOnDevice& network, const DropoutPlan& plan, std::uint64_t seed,
                    bool rows_may_mix);

  /// Draws share passes that take at most so many bytes; a single draw always has a pass. Without
  /// a call: no limit.
  void limitPass(std::int64_t bytes) { pass_bytes_ = bytes; }

  /// Gives up the cut: for networks whose passes differ, so that no comparison can prove it.
  void useWhole();

  /// Takes the inputs [N, ...] of the items with these ids; runs the part before the first site.
  void setBatch(const at::Tensor& x, const std::vector<std::int64_t>& ids);
  /// The network's rows [count * N, K] for draws first .. first + count - 1, draw by draw; `count`
  /// at most drawsPerPass().
  [[nodiscard]] at::Tensor draw(std::int64_t first, std::int64_t count);
  /// The same without the cut: the whole network for one draw, [N, K].
  [[nodiscard]] at::Tensor drawWhole(std::int64_t draw);

  /// Draws that may share a pass for the batch that is set, at least 1; 1 before verify().
  [[nodiscard]] std::int64_t drawsPerPass() const;
  /// Finds how passes are shared, compares cut and shared passes with the whole network on the
  /// batch that is set, and gives up what does not agree to 1e-6 (cut, then sharing).
  void verify();
  /// Bytes that the draws of the batch that is set take in a pass they share.
  [[nodiscard]] std::int64_t bytesOfPass(std::int64_t draws) const {
    return draws * items_.size(0) * row_bytes_;
  }
  /// What had to be given up, in words.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// `x` has the items of the batch once, or once for each draw.
  [[nodiscard]] std::vector<c10::IValue> inputs(const at::Tensor& x, std::int64_t first,
                                                std::int64_t count) const;
  void verifyCut(const at::Tensor& first);
  void verifySharing(const at::Tensor& first);
  [[nodiscard]] at::Tensor pass(std::int64_t first, std::int64_t count);
  /// The bytes that the same pass takes at its largest are put into `bytes`.
  [[nodiscard]] at::Tensor measuredPass(std::int64_t first, std::int64_t count,
                                        std::int64_t& bytes);
  [[nodiscard]] bool findLayouts();
  [[nodiscard]] bool batchHasLayouts() const;

  NetworkOnDevice network_;
  std::int64_t seed_ = 0;
  bool shared_masks_ = false;
  bool may_share_pass_ = false;
  bool shares_pass_ = false;  ///< what verify() found
  std::int64_t pass_bytes_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t row_bytes_ = 1;  ///< that an item's draw adds to a pass, as verify() measured it
  SplitNetwork split_;
  std::optional<GraphRunner> prefix_;
  std::optional<GraphRunner> suffix_;
  std::optional<GraphRunner> whole_;
  at::Tensor x_;
  at::Tensor items_;
  std::vector<c10::IValue> crossing_;
  std::vector<CrossingLayout> layouts_;  ///< of each that crosses
  std::vector<std::string> notes_;
};

}  // namespace dubito
