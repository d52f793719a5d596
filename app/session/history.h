// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dubito {

/// Undo and redo stacks of states; the owner holds the current state.
template <class State>
class History {
 public:
  /// Number of undo steps; older ones are dropped.
  static constexpr std::size_t kMaxSteps = 200;

  /// Records `left`, which was replaced by a new state; clears the redo stack.
  void push(State left) {
    future_.clear();
    past_.push_back(std::move(left));
    if (past_.size() > kMaxSteps) {
      past_.erase(past_.begin());
    }
  }
  /// The state before `present`; empty at the beginning.
  [[nodiscard]] std::optional<State> undo(State present) {
    return step(past_, future_, std::move(present));
  }
  /// The state that undo() left; empty if there is none.
  [[nodiscard]] std::optional<State> redo(State present) {
    return step(future_, past_, std::move(present));
  }
  void clear() {
    past_.clear();
    future_.clear();
  }
  [[nodiscard]] bool canUndo() const { return !past_.empty(); }
  [[nodiscard]] bool canRedo() const { return !future_.empty(); }

 private:
  static std::optional<State> step(std::vector<State>& from, std::vector<State>& to,
                                   State present) {
    if (from.empty()) {
      return std::nullopt;
    }
    State state = std::move(from.back());
    from.pop_back();
    to.push_back(std::move(present));
    return state;
  }

  std::vector<State> past_;
  std::vector<State> future_;
};

}  // namespace dubito
