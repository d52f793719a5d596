// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dubito {

/// Undo and redo stacks of states. The owner keeps the current state.
template <class State>
class History {
 public:
  /// Maximum number of undo steps; older steps are dropped.
  static constexpr std::size_t kMaxSteps = 200;

  /// Records the state `previous` when the owner replaces it. Clears the redo stack.
  void push(State previous) {
    future_.clear();
    past_.push_back(std::move(previous));
    if (past_.size() > kMaxSteps) {
      past_.erase(past_.begin());
    }
  }
  /// Returns the state before `present`; nullopt if there is none.
  [[nodiscard]] std::optional<State> undo(State present) {
    return step(past_, future_, std::move(present));
  }
  /// Reverts the last undo(): returns the state after `present`; nullopt if there is none.
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
