// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/random_numbers_torch.h"
#include "core/models/repeatability_torch.h"
#include "core/models/training_flags_torch.h"
#include "core/models/written_memory_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

using Sites = std::set<std::int64_t>;
using SiteBranches = std::vector<std::pair<std::int64_t, std::vector<Node*>>>;

/// Operators that draw, all in one training branch or one in none: they are switched together.
struct Source {
  std::int64_t site = 0;
  Node* branch = nullptr;  ///< the innermost branch on the mode around them
  std::vector<Node*> draws;
  std::string refused;
};

/// An input of a node that is to follow the training mode while one of the sites is on.
struct Follower {
  Node* node = nullptr;
  std::size_t input = 0;
  Sites sites;
};

/// Finds what training mode draws besides known dropout, and what must follow the mode with it.
class TrainingRandomness {
 public:
  TrainingRandomness(Graph& graph, const Module& module, std::vector<DropoutSite>& sites)
      : graph_(graph), module_(module), sites_(sites) {}

  void key() {
    findSources();
    in_branches_ = sitesInBranches();
    blockBranches();
    refuseBlocked();
    followBranches();
    followNumbers();
    followSiblings();
    for (Follower& follower : followers_) {
      follow(follower);
    }
    for (const Source& source : sources_) {
      describe(source);
    }
    for (const Source& source : sources_) {
      if (source.refused.empty()) {
        draw(source);
      }
    }
    keepSites(graph_, [this](std::int64_t site) {
      return sites_[static_cast<std::size_t>(site)].refused.empty();
    });
  }

 private:
  void findSources() {
    const auto known = [this](const Value* value) { return resolveInMode(true, module_, value); };
    forEachNode(graph_.block(), [&](Node* node) {
      if (!drawsNumbers(node, known) || !isReachedInTraining(module_, node)) {
        return;
      }
      const std::vector<Node*> around = trainingBranchesAround(module_, node);
      Node* const branch = around.empty() ? nullptr : around.front();
      const auto found = std::ranges::find_if(sources_, [branch](const Source& source) {
        return branch != nullptr && source.branch == branch;
      });
      Source& source = found != sources_.end() ? *found : sources_.emplace_back();
      source.branch = branch;
      source.draws.push_back(node);
      if (source.refused.empty()) {
        source.refused = loopDepth(node) > kMaxLoops ? kTooManyLoops : whyNotKeyed(node);
      }
    });
    for (Source& source : sources_) {
      source.site = static_cast<std::int64_t>(sites_.size());
      sites_.emplace_back().site = source.site;
    }
  }

  /// The branches on the mode around everything that draws.
  [[nodiscard]] SiteBranches sitesInBranches() const {
    SiteBranches found;
    for (const KeyedNode& keyed : keyedNodes(graph_)) {
      if (isReachedInTraining(module_, keyed.node)) {
        found.emplace_back(keyed.site, trainingBranchesAround(module_, keyed.node));
      }
    }
    for (const Source& source : sources_) {
      found.emplace_back(source.site, trainingBranchesAround(module_, source.draws.front()));
    }
    return found;
  }

  /// Branches that must stay in inference.
  void blockBranches() {
    for (const Source& source : sources_) {
      if (source.branch != nullptr && !source.refused.empty()) {
        blocked_.emplace(source.branch, source.refused);
      }
    }
    std::set<const Node*> holders;
    for (const auto& [site, branches] : in_branches_) {
      holders.insert(branches.begin(), branches.end());
    }
    for (const auto& [site, branches] : in_branches_) {
      for (Node* const branch : branches) {
        std::vector<std::string> written;
        for (Block* const block : branch->blocks()) {
          std::ranges::copy(writtenState(block), std::back_inserter(written));
        }
        if (!written.empty()) {
          blocked_.emplace(branch,
                           fmt::format("its training branch also changes state of the network ({})",
                                       fmt::join(written, ", ")));
        } else if (!canFollowFlag(branch->input(0), holders)) {
          blocked_.emplace(branch, "the condition of its training branch is itself random");
        }
      }
    }
  }

  void refuseBlocked() {
    for (const auto& [site, branches] : in_branches_) {
      const auto blocked = std::ranges::find_if(
          branches, [this](Node* branch) { return blocked_.contains(branch); });
      if (blocked == branches.end()) {
        continue;
      }
      const std::string& reason = blocked_.at(*blocked);
      const auto source = std::ranges::find(sources_, site, &Source::site);
      std::string& refused = source != sources_.end()
                                 ? source->refused
                                 : sites_[static_cast<std::size_t>(site)].refused;
      if (refused.empty()) {
        refused = source != sources_.end() ? reason : "in its training branch, " + reason;
      }
    }
  }

  [[nodiscard]] bool isRefused(std::int64_t site) const {
    const auto source = std::ranges::find(sources_, site, &Source::site);
    return !(source != sources_.end() ? source->refused
                                      : sites_[static_cast<std::size_t>(site)].refused)
                .empty();
  }

  void addFollower(Node* node, std::size_t input, const Sites& sites) {
    const auto found = std::ranges::find_if(followers_, [&](const Follower& follower) {
      return follower.node == node && follower.input == input;
    });
    Follower& follower = found != followers_.end() ? *found : followers_.emplace_back();
    follower.node = node;
    follower.input = input;
    follower.sites.insert(sites.begin(), sites.end());
  }

  /// A branch on the mode that contains sites takes its training side while one of them is on.
  void followBranches() {
    for (const auto& [site, branches] : in_branches_) {
      for (Node* const branch : branches) {
        if (!isRefused(site)) {
          addFollower(branch, 0, {site});
        }
      }
    }
  }

  /// The branches on the mode between the definition of a value and a node that reads it.
  void followBranchesBetween(const Value* value, const Node* reader, const Sites& sites) {
    for (const Block* block = reader->owningBlock();
         block->owningNode() != nullptr && block != value->node()->owningBlock();
         block = block->owningNode()->owningBlock()) {
      Node* const owner = const_cast<Node*>(block->owningNode());
      if (owner->kind() == c10::prim::If && isTrainingBranch(module_, owner)) {
        addFollower(owner, 0, sites);
      }
    }
  }

  [[nodiscard]] static bool isNeutral(const Value* value) {
    static const std::set<std::string> kFilled = {
        "aten::empty",      "aten::zeros",      "aten::ones",      "aten::full",
        "aten::new_empty",  "aten::new_zeros",  "aten::new_ones",  "aten::new_full",
        "aten::empty_like", "aten::zeros_like", "aten::ones_like", "aten::full_like"};
    const Node* const node = value->node();
    return node->kind() == c10::prim::Constant || node->kind() == c10::prim::GetAttr ||
           kFilled.contains(opName(node));
  }

  /// What a node reads of numbers that were drawn and not yet met the network's own values.
  [[nodiscard]] Sites numbersRead(const Node* node, bool& only_numbers) {
    Sites read;
    only_numbers = true;
    for (const Value* input : node->inputs()) {
      const auto numbers = numbers_.find(input);
      if (numbers != numbers_.end()) {
        read.insert(numbers->second.begin(), numbers->second.end());
        followBranchesBetween(input, node, numbers->second);
      } else if (isTensor(input) && !isNeutral(input)) {
        only_numbers = false;
      }
    }
    return read;
  }

  /// Whether a node draws around values of the network, which its result then contains.
  [[nodiscard]] static bool isOfData(const Node* node) {
    const std::string op = opName(node);
    return op.starts_with("aten::rrelu") || (op == "aten::normal" && isTensor(node->input(0)));
  }

  void addNumbers(const Value* value, const Sites& sites) {
    numbers_[value].insert(sites.begin(), sites.end());
  }

  /// Follows drawn numbers forward: branches that read them, and scalars that scale them, follow
  /// the mode too ("if self.training: x = x * mask", "sigma if self.training else 0").
  void followNumbers() {
    std::unordered_map<const Node*, std::int64_t> drawn_by;
    for (const Source& source : sources_) {
      for (const Node* node : source.draws) {
        if (source.refused.empty()) {
          drawn_by.emplace(node, source.site);
        }
      }
    }
    forEachNode(graph_.block(), [&](Node* node) {
      bool only_numbers = false;
      Sites read = numbersRead(node, only_numbers);
      const auto drawn = drawn_by.find(node);
      if (drawn != drawn_by.end()) {
        read.insert(drawn->second);
        if (opName(node).ends_with("_")) {
          addNumbers(node->input(0), read);
        }
      }
      for (const Block* block : node->blocks()) {
        bool only = false;
        const Sites returned = numbersRead(block->return_node(), only);
        for (std::size_t i = 0; i < block->outputs().size(); ++i) {
          const auto numbers = numbers_.find(block->outputs()[i]);
          if (numbers != numbers_.end() && node->kind() == c10::prim::If) {
            addNumbers(node->outputs()[i], numbers->second);
          }
        }
      }
      if (read.empty()) {
        return;
      }
      for (std::size_t i = 0; i < node->inputs().size(); ++i) {
        if (!isTensor(node->input(i)) && dependsOnTraining(node->input(i))) {
          addFollower(node, i, read);
        }
      }
      if (drawn != drawn_by.end() ? !isOfData(node) : only_numbers) {
        for (const Value* output : node->outputs()) {
          if (isTensor(output)) {
            addNumbers(output, read);
          }
        }
      }
    });
  }

  /// What else is computed from a scalar that follows, follows too: "h / keep" next to "rand <
  /// keep".
  void followSiblings() {
    std::vector<std::pair<Value*, Sites>> scalars;
    std::set<Value*> seen;
    for (const Follower& follower : followers_) {
      scalars.emplace_back(follower.node->input(follower.input), follower.sites);
    }
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      const auto [scalar, sites] = scalars[i];
      if (isTrainingFlag(scalar) || !dependsOnTraining(scalar) || !seen.insert(scalar).second) {
        continue;
      }
      for (Value* origin : scalar->node()->inputs()) {
        scalars.emplace_back(origin, sites);
      }
      for (const torch::jit::Use& use : scalar->uses()) {
        Node* const user = use.user;
        if (user->kind() == c10::prim::Return) {
          Node* const owner = user->owningBlock()->owningNode();
          if (owner != nullptr && owner->kind() == c10::prim::If) {
            scalars.emplace_back(owner->outputs()[use.offset], sites);
          }
        } else if (user->kind() == c10::prim::If ||
                   std::ranges::any_of(user->inputs(), &isTensor)) {
          addFollower(user, use.offset, sites);
        } else {
          for (Value* output : user->outputs()) {
            if (!isTensor(output)) {
              scalars.emplace_back(output, sites);
            }
          }
        }
      }
    }
  }

  void follow(Follower& follower) {
    Value* const value = follower.node->input(follower.input);
    // Computed from one that follows already, or from one that is refused.
    if (!dependsOnTraining(value) || !canFollowFlag(value, {})) {
      return;
    }
    const WithInsertPoint here(follower.node);
    for (const std::int64_t site : follower.sites) {
      following_.insert(site);
    }
    Value* const flag = insertDraws(graph_, {follower.sites.begin(), follower.sites.end()});
    follower.node->replaceInput(follower.input, followFlag(value, flag, follower.node));
  }

  void describe(const Source& source) {
    DropoutSite& site = sites_[static_cast<std::size_t>(source.site)];
    std::vector<std::string> ops;
    for (const Node* node : source.draws) {
      if (std::ranges::find(ops, opName(node)) == ops.end()) {
        ops.push_back(opName(node));
      }
    }
    const Node* const first = source.draws.front();
    const std::string path = modulePath(first);
    site.is_noise = true;
    site.op = fmt::format("{}", fmt::join(ops, ", "));
    site.name = path.empty() ? "functional" : path;
    site.place = placeOf(first->outputs()[0]);
    site.mode = source.branch != nullptr || following_.contains(source.site) ||
                        inputIndex(first, "training")
                    ? "follows training"
                    : "always on";
    site.refused = source.refused;
    // Whatever takes the branch makes all of it draw.
    for (const auto& [other, branches] : in_branches_) {
      if (other != source.site && source.branch != nullptr &&
          std::ranges::find(branches, source.branch) != branches.end()) {
        sites_[static_cast<std::size_t>(other)].brings.push_back(source.site);
      }
    }
  }

  /// Sites that take the branch around a source, which then draws.
  [[nodiscard]] std::vector<std::int64_t> sitesThatDraw(const Source& source) const {
    for (const Follower& follower : followers_) {
      if (follower.node == source.branch && source.branch != nullptr) {
        return {follower.sites.begin(), follower.sites.end()};
      }
    }
    return {source.site};
  }

  void draw(const Source& source) {
    const std::vector<std::int64_t> sites = sitesThatDraw(source);
    const auto count = static_cast<std::int64_t>(source.draws.size());
    for (std::int64_t i = 0; i < count; ++i) {
      drawByKey(source.draws[static_cast<std::size_t>(i)], sites,
                {.site = source.site, .position = i, .count = count});
    }
  }

  /// Replaces a node by a branch: keyed numbers while a site is on, else the node.
  void drawByKey(Node* node, const std::vector<std::int64_t>& sites, const KeyedDraw& draw) {
    Value* const result = node->outputs()[0];
    const bool writes = opName(node).ends_with("_");
    Value* const written = writes ? node->input(0) : nullptr;
    const bool copies = writes && (isReadOutside(node, written) || isSharedLater(graph_, node));
    Value* flag = nullptr;
    {
      const WithInsertPoint here(node);
      flag = insertDraws(graph_, sites);
    }
    Node* const choice = graph_.create(c10::prim::If, {flag}, 1);
    choice->insertBefore(node);
    choice->copyMetadata(node);
    choice->output()->setType(result->type());
    result->replaceAllUsesWith(choice->output());
    if (writes && !copies) {
      written->replaceAllUsesAfterNodeWith(node, choice->output());
    }
    Block* const by_key = choice->addBlock();
    Block* const plain = choice->addBlock();
    {
      const WithInsertPoint here(by_key);
      Value* numbers = insertKeyedNumbers(graph_, node, draw);
      if (copies) {
        numbers = graph_.insert(c10::aten::copy_, {written, numbers});
      }
      by_key->registerOutput(numbers);
    }
    node->moveBefore(plain->return_node());
    plain->registerOutput(result);
  }

  Graph& graph_;
  const Module& module_;
  std::vector<DropoutSite>& sites_;
  std::vector<Source> sources_;
  SiteBranches in_branches_;
  std::map<Node*, std::string> blocked_;
  std::vector<Follower> followers_;
  Sites following_;
  std::unordered_map<const Value*, Sites> numbers_;
};

}  // namespace

void keyTrainingRandomness(Graph& graph, const Module& module, std::vector<DropoutSite>& sites) {
  TrainingRandomness(graph, module, sites).key();
}

}  // namespace dubito
