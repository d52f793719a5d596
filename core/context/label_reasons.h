// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/context/context_options.h"
#include "core/context/pair_scores.h"

namespace dubito {

/// Why context prefers one class of an object to another. All numbers are differences of log
/// probabilities, class `to` minus class `from`, in nats: total = own + sum of messages + loops.
struct LabelReasons {
  std::int64_t from = 0;
  std::int64_t to = 0;
  double own = 0.0;              ///< what the object says alone
  std::vector<double> messages;  ///< [n], what each object says; 0 for the object itself
  double loops = 0.0;  ///< what messages count twice or miss, because objects also influence each
                       ///< other; 0 for two objects
  double total = 0.0;  ///< of the marginals
};

/// Explains object `object` of a scene whose objects say `log_probs` [n, K] alone, by the messages
/// of belief propagation, in scenes that are enumerated too.
[[nodiscard]] LabelReasons explainLabel(const Array<double>& log_probs, std::int64_t object,
                                        std::int64_t from, std::int64_t to,
                                        const PairFactors& factors, const ContextOptions& options);

/// The same for several questions about one scene: `requested` are objects, `from` and `to` their
/// classes. Throws std::invalid_argument if the lists differ in length.
[[nodiscard]] std::vector<LabelReasons> explainLabels(const Array<double>& log_probs,
                                                      std::span<const std::int64_t> requested,
                                                      std::span<const std::int64_t> from,
                                                      std::span<const std::int64_t> to,
                                                      const PairFactors& factors,
                                                      const ContextOptions& options);

}  // namespace dubito
