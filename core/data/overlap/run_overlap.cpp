// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/overlap/run_overlap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "core/data/sources/dataset_source.h"
#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

/// Number of classes compared per row: further classes add little information, and each may round
/// to another step on another batch or device.
constexpr std::size_t kComparedClasses = 4;
/// Log-odds within one step count as equal, in nats: far above float32 noise.
constexpr double kLogOddsStep = 1e-3;
constexpr std::int64_t kMinInGrain = 4096;
/// Required excess of coincidences over chance, in standard deviations.
constexpr double kSignificance = 4.0;
/// Minimum number of distinct rows: identical runs with fewer are no evidence of identical items.
constexpr std::int64_t kMinDistinctRows = 3;
/// Minimum share of rows that occur once; below it, little can be concluded.
constexpr double kMinUniqueShare = 0.1;

/// The classes with the largest values, with their log-odds relative to the first; `log_of`
/// converts values to logarithms.
template <class Row, class LogOf>
void addTopClasses(const Row& row, const LogOf& log_of, NumberHash& hash) {
  std::array<std::size_t, kComparedClasses> top{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::size_t at = count;
    while (at > 0 && row[k] > row[top[at - 1]]) {
      --at;
    }
    if (at == kComparedClasses) {
      continue;
    }
    count = std::min(count + 1, kComparedClasses);
    for (std::size_t i = count - 1; i > at; --i) {
      top[i] = top[i - 1];
    }
    top[at] = k;
  }
  constexpr std::uint64_t kNoOdds = ~std::uint64_t{0};
  for (std::size_t i = 0; i < count; ++i) {
    hash.add(top[i]);
    const double odds = log_of(row[top[0]]) - log_of(row[top[i]]);
    hash.add(std::isfinite(odds) ? static_cast<std::uint64_t>(std::llround(odds / kLogOddsStep))
                                 : kNoOdds);
  }
}

enum class Content { kLogits, kProbs, kConfidence };

Content contentOf(const Run& a, const Run& b) {
  return a.logits && b.logits ? Content::kLogits
         : a.probs && b.probs ? Content::kProbs
                              : Content::kConfidence;
}

std::uint64_t rowHash(const Run& run, std::int64_t i, Content content) {
  NumberHash hash;
  hash.add(static_cast<std::uint64_t>(run.labels.data()[i]));
  const auto log_of = [](auto value) { return std::log(static_cast<double>(value)); };
  switch (content) {
    case Content::kLogits:
      std::visit(
          [&](const auto& logits) {
            addTopClasses(
                logits.row(i), [](auto value) { return static_cast<double>(value); }, hash);
          },
          *run.logits);
      break;
    case Content::kProbs:
      std::visit([&](const auto& probs) { addTopClasses(probs.row(i), log_of, hash); }, *run.probs);
      break;
    case Content::kConfidence:
      hash.add(static_cast<std::uint64_t>(run.predictions.data()[i]));
      hash.add(std::bit_cast<std::uint64_t>(run.confidence.data()[i]));
      break;
  }
  return hash.value();
}

/// Sorted in ascending order.
std::vector<std::uint64_t> rowHashes(const Run& run, Content content, const RunContext& context) {
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(run.itemCount()));
  context.parallelFor(run.itemCount(), kMinInGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      hashes[static_cast<std::size_t>(i)] = rowHash(run, i, content);
    }
  });
  std::ranges::sort(hashes);
  return hashes;
}

/// Row occurrence counts across two runs.
struct RowCounts {
  std::int64_t once_in_each = 0;   ///< once in the first and once in the second
  std::int64_t twice_in_one = 0;   ///< twice in one and not in the other
  std::int64_t once_in_first = 0;  ///< once in the first, however often in the second
  std::int64_t distinct = 0;
};

RowCounts countRows(const std::vector<std::uint64_t>& first,
                    const std::vector<std::uint64_t>& second) {
  RowCounts counts;
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() || b != second.end()) {
    const std::uint64_t value = b == second.end() || (a != first.end() && *a < *b) ? *a : *b;
    const auto runLength = [value](auto& at, auto end) {
      const auto start = at;
      while (at != end && *at == value) {
        ++at;
      }
      return at - start;
    };
    const auto in_first = runLength(a, first.end());
    const auto in_second = runLength(b, second.end());
    ++counts.distinct;
    counts.once_in_each += in_first == 1 && in_second == 1 ? 1 : 0;
    counts.twice_in_one += in_first + in_second == 2 && in_first * in_second == 0 ? 1 : 0;
    counts.once_in_first += in_first == 1 ? 1 : 0;
  }
  return counts;
}

/// Rows shared beyond chance. If the items differ, two coinciding rows fall into different runs
/// with probability q, and into the same run with 1 - q. The excess over chance is measured against
/// one more within-run pair than observed: otherwise, with no such pair, a single coincidence would
/// already count.
std::int64_t sharedBeyondChance(const RowCounts& counts, double first, double second) {
  const double all = first + second;
  const double q = 2.0 * first * second / (all * (all - 1.0));
  const double odds = q / std::max(1.0 - q, 1.0 / all);
  const auto twice_in_one = static_cast<double>(counts.twice_in_one);
  const auto found = static_cast<double>(counts.once_in_each);
  const double cautious = odds * (twice_in_one + 1.0);
  const double deviation = std::sqrt(cautious * (1.0 + odds));
  return found - cautious > kSignificance * deviation ? std::llround(found - odds * twice_in_one)
                                                      : 0;
}

/// Whether draws depend on item keys: the same picture under another id gets other random numbers.
/// True if those of a member or of the run before an adjustment do.
bool dependsOnIds(const RunMeta& meta) {
  using nlohmann::json;
  const json whole{
      {"method", meta.method},
      {"options", json::parse(meta.method_options, nullptr, /*allow_exceptions=*/false)}};
  const json::json_pointer link("/options/link");
  const json::json_pointer before("/options/of");
  const json::json_pointer members("/options/members");
  std::vector<const json*> runs{&whole};  // a list, because a file may nest them deeply
  while (!runs.empty()) {
    const json& run = *runs.back();
    runs.pop_back();
    if (!run.is_object()) {
      continue;
    }
    if (const auto method = run.find("method"); method != run.end() && *method == "mc-dropout") {
      return true;
    }
    if (run.contains(link) && run.at(link) == "mc") {
      return true;
    }
    if (run.contains(before)) {
      runs.push_back(&run.at(before));
    }
    if (run.contains(members)) {
      for (const json& member : run.at(members)) {
        runs.push_back(&member);
      }
    }
  }
  return false;
}

/// Number of sources of the evaluated run whose ids refer to the same rows as in the fitted run.
enum class CommonSources { kNone, kSome, kAll };

CommonSources commonSources(const Run& fitted, const Run& evaluated) {
  if (!fitted.meta.dataset_hash.empty() &&
      fitted.meta.dataset_hash == evaluated.meta.dataset_hash) {
    return CommonSources::kAll;
  }
  if (fitted.meta.dataset_spec.empty() || evaluated.meta.dataset_spec.empty()) {
    return CommonSources::kNone;
  }
  const std::vector<SourcePart> fitted_parts = sourceParts(fitted.meta.dataset_spec);
  const std::vector<SourcePart> parts = sourceParts(evaluated.meta.dataset_spec);
  const auto common = std::ranges::count_if(parts, [&](const SourcePart& part) {
    return std::ranges::find(fitted_parts, part.key, &SourcePart::key) != fitted_parts.end();
  });
  return common == 0                  ? CommonSources::kNone
         : common < std::ssize(parts) ? CommonSources::kSome
                                      : CommonSources::kAll;
}

std::string doubtOf(const Run& fitted, const Run& evaluated, const RowCounts& counts) {
  if (fitted.meta.method != evaluated.meta.method) {
    return "their predictions come from different methods, so equal items cannot be recognised";
  }
  if (!fitted.meta.network_hash.empty() && !evaluated.meta.network_hash.empty() &&
      fitted.meta.network_hash != evaluated.meta.network_hash) {
    return "their predictions come from different networks, so equal items cannot be recognised";
  }
  if (fitted.meta.method == "context") {
    return "their predictions depend on the other objects of a scene, so a copy of an item in "
           "another scene cannot be recognised";
  }
  if (dependsOnIds(fitted.meta) && dependsOnIds(evaluated.meta)) {
    return "their random draws depend on the ids, so a copy of an item under another id cannot be "
           "recognised";
  }
  if (static_cast<double>(counts.once_in_first) <
      kMinUniqueShare * static_cast<double>(fitted.itemCount())) {
    return "too many of their rows are identical (rounded or saturated probabilities), so equal "
           "items cannot be recognised";
  }
  return {};
}

}  // namespace

Expected<RunOverlap> findOverlap(const Run& fitted, const Run& evaluated, RunContext& context) {
  RunOverlap overlap;
  const auto itemsOf = [](const Run& run) {
    return RunItems{run.meta.dataset_spec, run.meta.dataset_hash, run.ids.values()};
  };
  // Without a source (in memory, or from other programs), equal ids mean nothing.
  const CommonSources common = commonSources(fitted, evaluated);
  overlap.shared = common == CommonSources::kNone
                       ? SharedItems{.evaluated = evaluated.itemCount()}
                       : sharedItems(itemsOf(fitted), itemsOf(evaluated));
  if (common == CommonSources::kAll || overlap.shared.same > 0 || fitted.itemCount() == 0 ||
      evaluated.itemCount() == 0) {
    return overlap;
  }
  const Content content = contentOf(fitted, evaluated);
  const std::vector<std::uint64_t> first = rowHashes(fitted, content, context);
  const std::vector<std::uint64_t> second = rowHashes(evaluated, content, context);
  if (context.cancelRequested()) {
    return cancelled();
  }
  const RowCounts counts = countRows(first, second);
  if (first == second && counts.distinct >= kMinDistinctRows) {
    overlap.shared.alike = evaluated.itemCount();
    return overlap;
  }
  overlap.shared.alike = std::min(
      evaluated.itemCount(), sharedBeyondChance(counts, static_cast<double>(fitted.itemCount()),
                                                static_cast<double>(evaluated.itemCount())));
  if (overlap.shared.alike == 0 && common == CommonSources::kNone) {
    overlap.doubt = doubtOf(fitted, evaluated, counts);
  }
  return overlap;
}

}  // namespace dubito
