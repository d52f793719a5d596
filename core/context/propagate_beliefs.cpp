// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/context/damping.h"
#include "core/context/scene_model.h"
#include "core/context/scene_order.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Messages that are computed together, and columns of factors.
constexpr std::size_t kMessagesAtATime = 4;
constexpr std::size_t kColumnsAtATime = 4;
/// Products of messages whose logarithms reach no further stay within the range of doubles.
constexpr double kMaxLogBelief = 600.0;

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

/// to[m, k] = sum_a from[m, a] factors[a, k] for kMessagesAtATime rows m. The sums over the classes
/// of the sender stay in registers: most of the time of a step is spent here.
void sumOverSender(const PairFactors& factors, const double* from, double* to) {
  const auto classes = static_cast<std::size_t>(factors.classCount());
  const double* const table = factors.row(0).data();
  std::size_t first = 0;
  for (; first + kColumnsAtATime <= classes; first += kColumnsAtATime) {
    double sums[kMessagesAtATime][kColumnsAtATime] = {};
    for (std::size_t a = 0; a < classes; ++a) {
      const double* const row = table + a * classes + first;
      for (std::size_t m = 0; m < kMessagesAtATime; ++m) {
        const double scale = from[m * classes + a];
        for (std::size_t k = 0; k < kColumnsAtATime; ++k) {
          sums[m][k] += scale * row[k];
        }
      }
    }
    for (std::size_t m = 0; m < kMessagesAtATime; ++m) {
      std::copy_n(sums[m], kColumnsAtATime, to + m * classes + first);
    }
  }
  for (; first < classes; ++first) {
    for (std::size_t m = 0; m < kMessagesAtATime; ++m) {
      double sum = 0.0;
      for (std::size_t a = 0; a < classes; ++a) {
        sum += from[m * classes + a] * table[a * classes + first];
      }
      to[m * classes + first] = sum;
    }
  }
}

/// Makes the largest value 1.
void scaleToOne(std::span<double> values) {
  const double scale = 1.0 / std::ranges::max(values);
  for (double& value : values) {
    value *= scale;
  }
}

/// The messages of one scene. Message 2 e goes from the first to the second object of pair e,
/// message 2 e + 1 back. Each is a mean of factors, so none of its values is 0.
class Propagation {
 public:
  explicit Propagation(const SceneModel& model)
      : model_(model),
        objects_(model.log_probs.extent(0)),
        classes_(static_cast<std::size_t>(model.log_probs.extent(1))),
        order_(surestFirst(model.log_probs)),
        into_(static_cast<std::size_t>(objects_)) {
    for (const auto& [i, j] : model.pairs) {
      into_[static_cast<std::size_t>(j)].push_back(std::ssize(ends_));
      ends_.push_back({i, j});
      into_[static_cast<std::size_t>(i)].push_back(std::ssize(ends_));
      ends_.push_back({j, i});
    }
    const auto classes = static_cast<std::int64_t>(classes_);
    messages_ = Array<double>::zeros({std::ssize(ends_), classes});
    std::ranges::fill(messages_.mutableValues(), 1.0);
    beliefs_ = Array<double>::zeros({objects_, classes});
    std::size_t max_messages = 0;
    for (const auto& messages : into_) {
      max_messages = std::max(max_messages, messages.size());
    }
    in_logs_ = static_cast<double>(max_messages) * model.factors.logRange() > kMaxLogBelief;
    from_.resize(kMessagesAtATime * classes_);
    fresh_.resize(kMessagesAtATime * classes_);
  }

  /// Every object speaks once, with what those before it have said; returns the largest change of a
  /// log message before damping.
  double step(double damping) {
    // Anew in each step, so that the changes below do not add up their rounding.
    for (std::int64_t i = 0; i < objects_ && !in_logs_; ++i) {
      collect(i);
    }
    double change = 0.0;
    for (const std::int64_t object : order_) {
      if (in_logs_) {
        collect(object);  // changes would lose classes in between
      }
      const auto& into = into_[static_cast<std::size_t>(object)];
      for (std::size_t first = 0; first < into.size(); first += kMessagesAtATime) {
        const std::span<const std::int64_t> back =
            std::span(into).subspan(first, std::min(kMessagesAtATime, into.size() - first));
        change = std::max(change, speak(object, back, damping));
      }
    }
    return change;
  }

  ScenePropagation result() && {
    ScenePropagation result;
    for (double& value : messages_.mutableValues()) {
      value = std::log(value);
    }
    result.log_probs = Array<double>::zeros(beliefs_.shape());
    for (std::int64_t i = 0; i < objects_; ++i) {
      std::vector<double> belief(model_.log_probs.row(i).begin(), model_.log_probs.row(i).end());
      for (const std::int64_t message : into_[static_cast<std::size_t>(i)]) {
        std::ranges::transform(belief, std::as_const(messages_).row(message), belief.begin(),
                               std::plus<>());
      }
      std::ranges::copy(logSoftmax(std::span<const double>(belief)),
                        result.log_probs.mutableRow(i).begin());
    }
    result.messages = std::move(ends_);
    result.log_messages = std::move(messages_);
    return result;
  }

 private:
  /// The belief of an object: its own probabilities times all messages that arrive, the largest 1.
  void collect(std::int64_t object) {
    const std::span<double> belief = beliefs_.mutableRow(object);
    const auto& into = into_[static_cast<std::size_t>(object)];
    std::ranges::copy(model_.log_probs.row(object), belief.begin());
    for (std::size_t m = 0; in_logs_ && m < into.size(); ++m) {
      std::ranges::transform(belief, std::as_const(messages_).row(into[m]), belief.begin(),
                             [](double log, double said) { return log + std::log(said); });
    }
    const double largest = std::ranges::max(belief);
    for (double& value : belief) {
      value = std::exp(value - largest);
    }
    for (std::size_t m = 0; !in_logs_ && m < into.size(); ++m) {
      std::ranges::transform(belief, std::as_const(messages_).row(into[m]), belief.begin(),
                             std::multiplies<>());
    }
    scaleToOne(belief);
  }

  /// Sends at most kMessagesAtATime messages of one object, those against `back`.
  double speak(std::int64_t object, std::span<const std::int64_t> back, double damping) {
    const std::span<const double> belief = std::as_const(beliefs_).row(object);
    for (std::size_t m = 0; m < back.size(); ++m) {
      // Without what the receiver has told the sender.
      const std::span<double> from = std::span(from_).subspan(m * classes_, classes_);
      std::ranges::transform(belief, std::as_const(messages_).row(back[m]), from.begin(),
                             std::divides<>());
      scaleToOne(from);
    }
    sumOverSender(model_.factors, from_.data(), fresh_.data());
    double max_ratio = 1.0;
    double min_ratio = 1.0;
    for (std::size_t m = 0; m < back.size(); ++m) {
      const std::span<double> fresh = std::span(fresh_).subspan(m * classes_, classes_);
      // Only ratios between classes count.
      scaleToOne(fresh);
      const std::int64_t message = back[m] ^ 1;
      const std::span<double> said = messages_.mutableRow(message);
      const std::span<double> heard =
          beliefs_.mutableRow(ends_[static_cast<std::size_t>(message)].to);
      for (std::size_t k = 0; k < classes_; ++k) {
        const double ratio = fresh[k] / said[k];
        max_ratio = std::max(max_ratio, ratio);
        min_ratio = std::min(min_ratio, ratio);
        const double change = (1.0 - damping) * ratio + damping;
        said[k] *= change;
        heard[k] *= change;
      }
    }
    return std::max(std::log(max_ratio), -std::log(min_ratio));
  }

  const SceneModel& model_;
  std::int64_t objects_;
  std::size_t classes_;
  std::vector<std::int64_t> order_;              ///< in which objects speak
  std::vector<std::vector<std::int64_t>> into_;  ///< messages that arrive at each object
  std::vector<SceneMessage> ends_;
  Array<double> messages_;     ///< [2 E, K]
  Array<double> beliefs_;      ///< [n, K]
  bool in_logs_ = false;       ///< products of messages may leave the range of doubles
  std::vector<double> from_;   ///< [kMessagesAtATime, K], what the sender believes otherwise
  std::vector<double> fresh_;  ///< [kMessagesAtATime, K]
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
  Damping damping(options.damping);
  for (; !converged && !damping.stuck() && iterations < options.iterations; ++iterations) {
    residual = propagation.step(damping.share());
    converged = residual <= options.tolerance;
    damping.add(residual);
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
  return messages * (static_cast<double>(classes) * sizeof(double) + 3.0 * sizeof(SceneMessage));
}

}  // namespace dubito
