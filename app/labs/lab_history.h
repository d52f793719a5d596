// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dubito {

/// The points that a laboratory has shown, so that steps can be taken back and done again.
template <class Data>
class LabHistory {
 public:
  /// Steps that are kept; the oldest ones are forgotten first.
  static constexpr std::size_t kMaxSteps = 200;

  struct State {
    /// Specification of the data. What is computed or read is opened again from it, with the seed
    /// and the options of the day.
    QString source;
    std::optional<Data> own;  ///< points that were drawn or pasted
    int plane = 0;            ///< new for each dataset that is opened; drawing stays on it
  };

  /// The points are about to change; `before` is what is shown now. What was taken back is gone.
  void record(State before) {
    later_.clear();
    push(earlier_, std::move(before));
  }
  /// The state before the last change, to be shown in place of `now`; nullopt: there is none.
  [[nodiscard]] std::optional<State> undo(State now) {
    return step(earlier_, later_, std::move(now));
  }
  /// The state that the last undo() replaced; nullopt: there is none.
  [[nodiscard]] std::optional<State> redo(State now) {
    return step(later_, earlier_, std::move(now));
  }
  void clear() {
    earlier_.clear();
    later_.clear();
  }

 private:
  using States = std::vector<State>;

  static void push(States& states, State state) {
    if (states.size() == kMaxSteps) {
      states.erase(states.begin());
    }
    states.push_back(std::move(state));
  }
  static std::optional<State> step(States& from, States& to, State now) {
    if (from.empty()) {
      return std::nullopt;
    }
    push(to, std::move(now));
    State state = std::move(from.back());
    from.pop_back();
    return state;
  }

  States earlier_;  ///< oldest first
  States later_;    ///< taken back, the next to be done again last
};

}  // namespace dubito
