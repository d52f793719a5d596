// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <list>
#include <memory>
#include <optional>

#include "core/analysis/analysis.h"
#include "core/attribution/attribute.h"

namespace dubito {

/// What to find out about the pixels of one item.
struct WhyQuestion {
  AnalysisPtr analysis;
  ItemRef item;
  AttributionTarget target;
  AttributionOptions options;

  friend bool operator==(const WhyQuestion&, const WhyQuestion&) = default;
};

/// Why the pixels of this item cannot be explained, with what to open; empty if they can.
[[nodiscard]] QString whyMissing(const Analysis& analysis, ItemRef item);

/// Number of draws by dropout that can be explained; 0 if the run has none.
[[nodiscard]] std::int64_t explainableDraws(const Analysis& analysis);

/// The answer, by the network and the masks of the run. Requires that nothing is missing. Errors of
/// attribute(). Blocking; call it on the compute thread.
[[nodiscard]] Expected<Attribution> explainPixels(const WhyQuestion& question, RunContext& context);

/// One line about a map: the number explained and how much of it the map accounts for.
[[nodiscard]] QString whyDetails(const WhyQuestion& question, const Attribution& attribution);

/// The answers given last, so that going back to an item, or switching between methods, is
/// immediate.
class WhyCache {
 public:
  static constexpr std::size_t kCapacity = 32;

  /// The answer if it is known; null otherwise. Valid until the next put().
  [[nodiscard]] const Attribution* find(const WhyQuestion& question);
  void put(const WhyQuestion& question, Attribution answer);
  /// Forgets answers about runs that are no longer open, which this object would keep in memory.
  void keepOnly(const AnalysisPtr& analysis);

 private:
  struct Entry {
    WhyQuestion question;
    Attribution answer;
  };
  std::list<Entry> entries_;  ///< the most recently used first
};

}  // namespace dubito
