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

/// Whether several draws of a model may share one pass. False if rows influence each other or if
/// passes are not repeatable.
[[nodiscard]] inline bool canSharePass(const ModelAudit& audit) {
  return !audit.batch.affects(/*with_dropout=*/true) && audit.unrepeatable.empty();
}

/// Edits the network's graph: the sites of the plan draw at its rates, and no others. Throws
/// c10::Error if a site cannot be inserted.
void applyPlan(const NetworkOnDevice& network, const DropoutPlan& plan);

/// A network with keyed dropout masks. It is cut before its first dropout site (SplitNetwork), so
/// that the part before the cut runs only once per batch.
class StochasticNetwork {
 public:
  /// `may_share_pass`: see canSharePass.
  StochasticNetwork(const NetworkOnDevice& network, const DropoutPlan& plan, std::uint64_t seed,
                    bool may_share_pass);

  /// Limits the memory of passes shared by several draws to `bytes`; passes of a single draw are
  /// not limited. By default there is no limit.
  void limitPass(std::int64_t bytes) { pass_bytes_ = bytes; }

  /// Disables the cut. For networks whose passes are not repeatable, because verify() cannot
  /// validate the cut by comparing passes.
  void disableCut();

  /// Sets the inputs [N, ...] of the items with these ids, on the CPU or the device, and runs the
  /// part before the cut.
  void setBatch(const at::Tensor& x, const std::vector<std::int64_t>& ids);
  /// The network's output rows [count * N, K] for draws first .. first + count - 1, grouped by
  /// draw; `count` is at most drawsPerPass().
  [[nodiscard]] at::Tensor draw(std::int64_t first, std::int64_t count);
  /// Output rows [N, K] for one draw, from running the whole network without the cut.
  [[nodiscard]] at::Tensor drawWhole(std::int64_t draw);

  /// Number of draws that may share a pass for the current batch, at least 1; 1 before verify().
  [[nodiscard]] std::int64_t drawsPerPass() const;
  /// Determines how passes can be shared, and compares the results of cut and shared passes with
  /// those of the whole network on the current batch. Disables the cut, then sharing, if results
  /// differ by more than 1e-6 (on a GPU 1e-5).
  void verify();
  /// Memory in bytes of a pass shared by `draws` draws of the current batch.
  [[nodiscard]] std::int64_t bytesOfPass(std::int64_t draws) const {
    return draws * items_.size(0) * row_bytes_;
  }
  /// Notes on whether the cut or sharing had to be disabled.
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
  at::Tensor items_;  ///< [N] ids, on the device
  std::vector<c10::IValue> crossing_;
  std::vector<CrossingLayout> layouts_;  ///< per crossing value
  std::vector<std::string> notes_;
};

}  // namespace dubito
