// SPDX-License-Identifier: GPL-3.0-or-later
// Whether masks follow the items they belong to, whichever batch an item is in.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/models/audit_torch.h"
#include "core/models/batch_operators_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/model_torch.h"
#include "core/models/output_form_torch.h"
#include "core/models/own_state_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

using Items = std::vector<std::int64_t>;

constexpr double kNoise = 1e-5;
// Between batches of different sizes; dropout at kDropRate amplifies rounding, and wrong masks
// change probabilities by far more.
constexpr double kNoiseOfBatches = 1e-4;
// Masks are noticed at this rate.
constexpr double kDropRate = 0.5;

at::Tensor rowsAt(const at::Tensor& rows, const Items& positions) {
  return rows.index_select(0, at::tensor(positions, at::kLong));
}

/// Largest difference per row; that of two NaNs is 0.
at::Tensor differences(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor both = at::logical_and(at::isnan(a), at::isnan(b));
  const at::Tensor difference = at::masked_fill(at::abs(a - b), both, 0.0);
  return at::nan_to_num(difference, std::numeric_limits<double>::infinity()).amax(1);
}

/// Noise that inference draws too: without its site, a pass would not be repeatable.
std::set<std::int64_t> sitesInInference(const PreparedNetwork& network) {
  std::set<std::int64_t> sites;
  for (const DropoutSite& site : network.sites) {
    if (site.is_noise && site.refused.empty() && site.mode == "always on") {
      sites.insert(site.site);
    }
  }
  return sites;
}

/// Whether rows mean the same in a training branch as in inference: a branch may skip a softmax.
bool areSameKind(const at::Tensor& rows, const at::Tensor& inference) {
  return rows.dim() == 2 && rows.size(1) == inference.size(1) &&
         areDistributions(rows) == areDistributions(inference.slice(0, 0, rows.size(0)));
}

/// The network with the masks of draw 0 of some of its sites, and of those that draw in inference.
class MaskedNetwork {
 public:
  /// `sequence_first`: the only site has its items on the second axis.
  MaskedNetwork(const torch::jit::Module& module, const PreparedNetwork& network,
                const Probe& probe, OutputKind output, const std::set<std::int64_t>& sites,
                bool sequence_first = false)
      : module_(module),
        writes_state_(!network.written_state.empty()),
        probe_(probe),
        output_(output),
        graph_(network.graph->copy()) {
    std::set<std::int64_t> kept = sitesInInference(network);
    kept.insert(sites.begin(), sites.end());
    keepSites(*graph_, [&kept](std::int64_t site) { return kept.contains(site); });
    setDropRate(*graph_, kDropRate);
    is_possible_ = !sequence_first || setItemAxis(*graph_, *sites.begin(), 1);
    runner_.emplace(graph_, "masked", network.items_per_pass);
  }

  [[nodiscard]] bool isPossible() const { return is_possible_; }

  /// Probabilities of the probe items at `positions` in one batch, with the masks of `ids`.
  [[nodiscard]] at::Tensor probs(const Items& positions, const Items& ids) {
    return comparedProbabilities(rows(positions, ids), probe_, output_);
  }
  [[nodiscard]] at::Tensor probs(const Items& positions) { return probs(positions, positions); }

  /// Whether the output still means what it means in inference. Branches that only run in training
  /// may return something else.
  [[nodiscard]] bool returnsWhatInferenceDoes(const Items& positions) {
    return !takesDrawingBranches(*graph_) || areSameKind(rows(positions, positions), probe_.rows);
  }

 private:
  [[nodiscard]] at::Tensor rows(const Items& positions, const Items& ids) {
    const at::Tensor keys = at::tensor(ids, at::kLong);
    // State left behind by a pass must not affect the next one.
    const torch::jit::Module fresh = writes_state_ ? withOwnState(module_, *graph_) : module_;
    return runner_
        ->run({fresh._ivalue(), rowsAt(probe_.inputs, positions), std::int64_t{1}, keys,
               at::zeros_like(keys)})
        .at(0)
        .toTensor();
  }

  const torch::jit::Module& module_;
  bool writes_state_;
  const Probe& probe_;
  OutputKind output_;
  std::shared_ptr<torch::jit::Graph> graph_;
  std::optional<GraphRunner> runner_;
  bool is_possible_ = true;
};

/// Whether another key of the first or the last item changes the results of that item, if it
/// changes any. Rows that are turned round between two sites of the same batch pass every test that
/// turns the batch round.
bool followsOwnKeys(MaskedNetwork& masked, const at::Tensor& rows) {
  constexpr std::int64_t kOtherKey = 7;
  const Items items = {0, 1, 2};
  for (const std::size_t changed : {std::size_t{0}, std::size_t{2}}) {
    Items keys = items;
    keys[changed] = kOtherKey;
    const at::Tensor moved = differences(masked.probs(items, keys), rows) > kNoise;
    if (moved.any().item().toBool() && !moved[static_cast<std::int64_t>(changed)].item().toBool()) {
      return false;
    }
  }
  return true;
}

constexpr const char* kRowsAreNoItems =
    "the rows of its input are not items, or not all of a batch in its order, so masks cannot "
    "follow items";
constexpr const char* kOtherKind =
    "its training branch returns another kind of output than inference";

/// Why masks do not follow their items when the batch is turned round and when one key changes;
/// empty if they do. The batch keeps its items, so that their influence on each other hides
/// nothing.
std::string whyMasksDoNotFollow(MaskedNetwork masked) {
  if (!masked.isPossible()) {
    return kRowsAreNoItems;
  }
  try {
    if (!masked.returnsWhatInferenceDoes({0, 1, 2})) {
      return kOtherKind;
    }
    // Throws for numbers whose rows only happen to be as many as the items.
    static_cast<void>(masked.probs({0, 1}));
    const at::Tensor forwards = masked.probs({0, 1, 2});
    const at::Tensor backwards = masked.probs({2, 1, 0}).flip(0);
    const bool follow = differences(forwards, backwards).max().item().toDouble() <= kNoise &&
                        followsOwnKeys(masked, forwards);
    return follow ? "" : kRowsAreNoItems;
  } catch (const std::exception& exception) {
    // Of the operator itself, for a number of rows that is no multiple of the items.
    const std::string reason = torchReason(exception);
    return reason.find("cannot be divided among") != std::string::npos
               ? kRowsAreNoItems
               : "the network fails with it switched on: " + reason;
  }
}

bool masksFollowItems(MaskedNetwork masked) {
  return whyMasksDoNotFollow(std::move(masked)).empty();
}

/// How far the results of an item under its masks are apart in different batches.
struct BatchDifference {
  double largest = 0.0;  ///< NaN if a batch failed
  std::string failure;

  [[nodiscard]] bool isRounding() const { return largest <= kNoiseOfBatches; }
};

/// Compares the first item alone, and half of them in another order, with a batch of all: no order
/// of rows but that of the items passes. `each`: each item alone.
BatchDifference betweenBatches(MaskedNetwork masked, const Probe& probe, bool each) {
  const std::int64_t count = itemsToCompare(probe);
  Items all;
  for (std::int64_t item = 0; item < count; ++item) {
    all.push_back(item);
  }
  std::vector<Items> others;
  for (std::int64_t item = 0; item < (each ? count : 1); ++item) {
    others.push_back({item});
  }
  Items& half = others.emplace_back();
  for (std::int64_t item = (count - 1) / 2 * 2; item >= 0; item -= 2) {
    half.push_back(item);
  }
  BatchDifference difference;
  try {
    if (!masked.returnsWhatInferenceDoes(all)) {
      return {std::numeric_limits<double>::quiet_NaN(), kOtherKind};
    }
    const at::Tensor together = masked.probs(all);
    for (const Items& other : others) {
      const at::Tensor apart = differences(masked.probs(other), rowsAt(together, other));
      difference.largest = std::max(difference.largest, apart.max().item().toDouble());
    }
  } catch (const std::exception& exception) {
    difference = {std::numeric_limits<double>::quiet_NaN(), torchReason(exception)};
  }
  return difference;
}

}  // namespace

void auditSiteRows(const torch::jit::Module& module, PreparedNetwork& network, const Probe& probe,
                   OutputKind output, BatchBehaviour& behaviour) {
  std::set<std::int64_t> usable;
  for (const DropoutSite& site : network.sites) {
    if (site.refused.empty()) {
      usable.insert(site.site);
    }
  }
  if (usable.empty()) {
    return;
  }
  const auto masked = [&](const std::set<std::int64_t>& sites, bool sequence_first = false) {
    return MaskedNetwork(module, network, probe, output, sites, sequence_first);
  };
  // What a branch on a batch decides is often the same for several batches, and of few units
  // different masks often drop the same ones.
  constexpr std::int64_t kFewWeights = 10'000;
  const bool each =
      hasBatchBranch(network.batch_ops) || countParameters(module, network) < kFewWeights;
  const bool are_right = behaviour.depends_on_batch
                             ? masksFollowItems(masked(usable))
                             : betweenBatches(masked(usable), probe, each).isRounding();
  if (are_right) {
    return;
  }
  // Noise that inference draws comes first: it takes part in every pass.
  std::vector<DropoutSite*> order;
  for (DropoutSite& site : network.sites) {
    order.push_back(&site);
  }
  const std::set<std::int64_t> in_inference = sitesInInference(network);
  std::stable_partition(order.begin(), order.end(),
                        [&](const DropoutSite* site) { return in_inference.contains(site->site); });
  for (DropoutSite* const site : order) {
    if (!site->refused.empty()) {
      continue;
    }
    const std::string reason = whyMasksDoNotFollow(masked({site->site}));
    if (reason.empty()) {
      continue;
    }
    if (masksFollowItems(masked({site->site}, /*sequence_first=*/true))) {
      static_cast<void>(setItemAxis(*network.graph, site->site, 1));
      continue;
    }
    site->refused = site->is_noise && reason == kRowsAreNoItems
                        ? "its numbers cannot be told apart by item: the first axis of " +
                              site->op + " is not that of the batch"
                        : reason;
    // At rate 0 it drops nothing in training either.
    site->is_used = site->is_noise || site->drop_rate > 0.0;
    usable.erase(site->site);
  }
  keepSites(*network.graph, [&usable](std::int64_t site) { return usable.count(site) != 0; });
  torch::jit::EliminateDeadCode(network.graph);
  if (behaviour.depends_on_batch || usable.empty()) {
    return;
  }
  const BatchDifference left = betweenBatches(masked(usable), probe, each);
  if (!left.isRounding()) {
    behaviour.draws_depend_on_batch = true;
    behaviour.max_draw_difference = left.largest;
    behaviour.reason = !left.failure.empty() ? "a smaller batch fails: " + left.failure
                       : network.batch_ops.empty()
                           ? "unknown operator"
                           : fmt::format("{}", fmt::join(network.batch_ops, ", "));
  }
}

}  // namespace dubito
