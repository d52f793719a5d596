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

/// Whether several draws of a model may share one pass: not if rows influence each other, or if
/// passes are not repeatable.
[[nodiscard]] inline bool canSharePass(const ModelAudit& audit) {
  return !audit.batch.depends_on_batch && audit.unrepeatable.empty();
}

/// A network with keyed dropout masks. The part before the first site runs once per batch.
class StochasticNetwork {
 public:
  /// `rows_may_mix`: whether several draws may share a pass; false for models that depend on batch
  /// mates.
  StochasticNetwork(const NetworkOnDevice& network, const DropoutPlan& plan, std::uint64_t seed,
                    bool rows_may_mix);

  /// Limits passes shared by several draws to `bytes`; a single draw always gets a pass. Unlimited
  /// by default.
  void limitPass(std::int64_t bytes) { pass_bytes_ = bytes; }

  /// Disables the cut, for networks whose passes are not repeatable, so that no comparison can
  /// validate it.
  void disableCut();

  /// Sets the inputs [N, ...] of the items with these ids and runs the part before the first site.
  void setBatch(const at::Tensor& x, const std::vector<std::int64_t>& ids);
  /// The network's rows [count * N, K] for draws first .. first + count - 1, grouped by draw;
  /// `count` is at most drawsPerPass().
  [[nodiscard]] at::Tensor draw(std::int64_t first, std::int64_t count);
  /// The whole network for one draw, without the cut: [N, K].
  [[nodiscard]] at::Tensor drawWhole(std::int64_t draw);

  /// Draws that may share a pass for the current batch, at least 1; 1 before verify().
  [[nodiscard]] std::int64_t drawsPerPass() const;
  /// Determines how passes can be shared, compares cut and shared passes with the whole network on
  /// the current batch, and disables what does not agree to 1e-6 (the cut, then sharing).
  void verify();
  /// Bytes that `draws` draws of the current batch take in a shared pass.
  [[nodiscard]] std::int64_t bytesOfPass(std::int64_t draws) const {
    return draws * items_.size(0) * row_bytes_;
  }
  /// Notes on what had to be disabled.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// `x` contains the items of the batch once, or once per draw.
  [[nodiscard]] std::vector<c10::IValue> inputs(const at::Tensor& x, std::int64_t first,
                                                std::int64_t count) const;
  void verifyCut(const at::Tensor& first);
  void verifySharing(const at::Tensor& first);
  [[nodiscard]] at::Tensor pass(std::int64_t first, std::int64_t count);
  /// Also stores the peak bytes of the pass in `bytes`.
  [[nodiscard]] at::Tensor measuredPass(std::int64_t first, std::int64_t count,
                                        std::int64_t& bytes);
  [[nodiscard]] bool findLayouts();
  [[nodiscard]] bool batchHasLayouts() const;

  NetworkOnDevice network_;
  std::int64_t seed_ = 0;
  bool shared_masks_ = false;
  bool may_share_pass_ = false;
  bool shares_pass_ = false;  ///< result of verify()
  std::int64_t pass_bytes_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t row_bytes_ = 1;  ///< bytes per item and draw of a pass, measured by verify()
  SplitNetwork split_;
  std::optional<GraphRunner> prefix_;
  std::optional<GraphRunner> suffix_;
  std::optional<GraphRunner> whole_;
  at::Tensor x_;
  at::Tensor items_;
  std::vector<c10::IValue> crossing_;
  std::vector<CrossingLayout> layouts_;  ///< per crossing value
  std::vector<std::string> notes_;
};

}  // namespace dubito
