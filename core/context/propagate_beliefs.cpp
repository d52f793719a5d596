// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/context/scene_model.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Messages that share a row of factors while it is in the cache.
constexpr std::size_t kMessagesAtATime = 4;

/// Whether the pairs form no loop, by joining the objects of each pair.
bool isForest(std::int64_t objects, const ScenePairs& pairs) {
  std::vector<std::size_t> parent(static_cast<std::size_t>(objects));
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto rootOf = [&parent](std::int64_t object) {
    auto at = static_cast<std::size_t>(object);
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  return std::ranges::all_of(pairs, [&](const auto& pair) {
    const std::size_t first = rootOf(pair.first);
    const std::size_t second = rootOf(pair.second);
    parent[first] = second;
    return first != second;
  });
}

/// The messages of one scene. Message 2 e goes from the first to the second object of pair e,
/// message 2 e + 1 back.
class Propagation {
 public:
  explicit Propagation(const SceneModel& model)
      : model_(model),
        objects_(model.log_probs.extent(0)),
        classes_(static_cast<std::size_t>(model.log_probs.extent(1))),
        into_(static_cast<std::size_t>(objects_)) {
    for (const auto& [i, j] : model.pairs) {
      into_[static_cast<std::size_t>(j)].push_back(std::ssize(messages_));
      messages_.push_back({i, j});
      into_[static_cast<std::size_t>(i)].push_back(std::ssize(messages_));
      messages_.push_back({j, i});
    }
    const auto count = std::ssize(messages_);
    const auto classes = static_cast<std::int64_t>(classes_);
    now_ = Array<double>::zeros({count, classes});
    next_ = Array<double>::zeros({count, classes});
    beliefs_ = Array<double>::zeros({objects_, classes});
    collect();
  }

  /// Sends all messages once; returns the largest change of a log message before damping.
  double step(double damping) {
    double residual = 0.0;
    for (std::size_t first = 0; first < messages_.size(); first += kMessagesAtATime) {
      residual = std::max(
          residual, send(first, std::min(kMessagesAtATime, messages_.size() - first), damping));
    }
    std::swap(now_, next_);
    collect();
    return residual;
  }

  ScenePropagation result() && {
    ScenePropagation result;
    result.log_probs = Array<double>::zeros(beliefs_.shape());
    for (std::int64_t i = 0; i < objects_; ++i) {
      std::ranges::copy(logSoftmax(std::span<const double>(beliefs_.row(i))),
                        result.log_probs.mutableRow(i).begin());
    }
    result.messages = std::move(messages_);
    result.log_messages = std::move(now_);
    return result;
  }

 private:
  /// The beliefs: own log probabilities plus all messages that arrive.
  void collect() {
    for (std::int64_t i = 0; i < objects_; ++i) {
      const std::span<double> belief = beliefs_.mutableRow(i);
      std::ranges::copy(model_.log_probs.row(i), belief.begin());
      for (const std::int64_t message : into_[static_cast<std::size_t>(i)]) {
        const std::span<const double> said = now_.row(message);
        for (std::size_t k = 0; k < classes_; ++k) {
          belief[k] += said[k];
        }
      }
    }
  }

  /// Sends `count` <= kMessagesAtATime messages from `first` on.
  double send(std::size_t first, std::size_t count, double damping) {
    scratch_.assign(2 * kMessagesAtATime * classes_, 0.0);
    const auto sender = [&](std::size_t m) { return scratch_.data() + m * classes_; };
    const auto sum = [&](std::size_t m) {
      return scratch_.data() + (kMessagesAtATime + m) * classes_;
    };
    for (std::size_t m = 0; m < count; ++m) {
      const auto message = static_cast<std::int64_t>(first + m);
      // Without what the receiver has told the sender: the message of the other direction.
      const std::span<const double> belief = std::as_const(beliefs_).row(messages_[first + m].from);
      const std::span<const double> back = std::as_const(now_).row(message ^ 1);
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < classes_; ++k) {
        sender(m)[k] = belief[k] - back[k];
        largest = std::max(largest, sender(m)[k]);
      }
      for (std::size_t k = 0; k < classes_; ++k) {
        sender(m)[k] = std::exp(sender(m)[k] - largest);
      }
    }
    for (std::size_t a = 0; a < classes_; ++a) {
      const double* const factors = model_.factors.row(static_cast<std::int64_t>(a)).data();
      for (std::size_t m = 0; m < count; ++m) {
        const double scale = sender(m)[a];
        double* const to = sum(m);
        for (std::size_t k = 0; k < classes_; ++k) {
          to[k] += scale * factors[k];
        }
      }
    }
    double residual = 0.0;
    for (std::size_t m = 0; m < count; ++m) {
      const auto message = static_cast<std::int64_t>(first + m);
      const std::span<const double> before = std::as_const(now_).row(message);
      const std::span<double> after = next_.mutableRow(message);
      // Only differences between classes count: the largest becomes 0.
      const double largest = *std::max_element(sum(m), sum(m) + classes_);
      for (std::size_t k = 0; k < classes_; ++k) {
        const double fresh = std::log(sum(m)[k] / largest);
        residual = std::max(residual, std::abs(fresh - before[k]));
        after[k] = (1.0 - damping) * fresh + damping * before[k];
      }
    }
    return residual;
  }

  const SceneModel& model_;
  std::int64_t objects_;
  std::size_t classes_;
  std::vector<SceneMessage> messages_;
  std::vector<std::vector<std::int64_t>> into_;  ///< messages that arrive at each object
  Array<double> now_;                            ///< [2 E, K] log messages
  Array<double> next_;
  Array<double> beliefs_;  ///< [n, K], not normalised
  std::vector<double> scratch_;
};

}  // namespace

ScenePropagation propagateBeliefs(const SceneModel& model, const ContextOptions& options) {
  const std::int64_t objects = model.log_probs.extent(0);
  const bool is_tree = isForest(objects, model.pairs);
  Propagation propagation(model);
  std::int64_t iterations = 0;
  double residual = 0.0;
  bool converged = is_tree;
  if (is_tree) {
    // After as many steps as the longest way has pairs, every message is final.
    for (; iterations < objects - 1; ++iterations) {
      residual = propagation.step(0.0);
    }
  }
  for (; !converged && iterations < options.iterations; ++iterations) {
    residual = propagation.step(options.damping);
    converged = residual <= options.tolerance;
  }
  ScenePropagation result = std::move(propagation).result();
  result.is_tree = is_tree;
  result.converged = converged;
  result.iterations = iterations;
  result.residual = residual;
  return result;
}

double propagationBytes(std::int64_t objects, std::int64_t classes) {
  const auto n = static_cast<double>(objects);
  const double messages = n * (n - 1.0);
  return messages *
         (2.0 * static_cast<double>(classes) * sizeof(double) + 3.0 * sizeof(SceneMessage));
}

}  // namespace dubito
