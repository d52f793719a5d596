// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/overlap/overlap_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/data/images/input_bytes.h"
#include "core/data/images/prefetcher.h"
#include "core/data/items/content_hash.h"
#include "core/data/sources/dataset_source.h"

namespace dubito {
namespace {

// Some datasets contain duplicate images; a small share does not invalidate an evaluation.
constexpr double kMaxSameContent = 0.01;

struct HashedItem {
  std::uint64_t content = 0;
  std::int64_t id = 0;

  // clang-tidy mistakes the zero of the comparison for a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const HashedItem&, const HashedItem&) = default;
};

/// Calls `take` for every readable item.
Status forEachItem(const Dataset& dataset, const Preprocessing& preprocessing, std::int64_t batch,
                   RunContext& context, const std::function<void(const HashedItem&)>& take) {
  const auto items = itemsPerLoad(dataset, preprocessing, batch, context);
  if (!items) {
    return failWith(items);
  }
  Prefetcher batches(dataset, BatchPlan::ofRange(0, dataset.size(), *items), preprocessing,
                     context);
  std::int64_t done = 0;
  while (batches.remaining() > 0) {
    const auto loaded = batches.next();
    if (!loaded) {
      return failWith(loaded);
    }
    for (std::size_t row = 0; row < loaded->indices.size(); ++row) {
      ContentHash hash;
      hash.add(0, 0, loaded->inputs.row(static_cast<std::int64_t>(row)));
      take({hash.sum(), dataset.ids()[static_cast<std::size_t>(loaded->indices[row])]});
    }
    done += static_cast<std::int64_t>(loaded->indices.size() + loaded->unreadable.size());
    if (context.step(fmt::format("{} {}", kComparingStage, dataset.info().name), done,
                     dataset.size()) == Step::kCancel) {
      return cancelled();
    }
  }
  return {};
}

/// Evaluated items that are also fitted items: those with ids from `first_id` on, shifted by
/// `shift`.
struct CommonItems {
  std::int64_t first_id = 0;
  std::int64_t items = 0;
  std::int64_t shift = 0;
};

std::vector<CommonItems> commonItems(const RunItems& fitted, const RunItems& evaluated) {
  std::vector<CommonItems> common;
  if (!fitted.dataset_hash.empty() && fitted.dataset_hash == evaluated.dataset_hash) {
    return {{0, std::numeric_limits<std::int64_t>::max(), 0}};
  }
  const std::vector<SourcePart> known = sourceParts(fitted.spec);
  for (const SourcePart& part : sourceParts(evaluated.spec)) {
    for (const SourcePart& other : known) {
      if (part.key == other.key) {
        common.push_back({part.first_id, part.items, other.first_id - part.first_id});
      }
    }
  }
  return common;
}

}  // namespace

Expected<std::vector<SharedItems>> sharedItems(const Dataset& fitted,
                                               std::span<const DatasetPtr> evaluated,
                                               const Preprocessing& preprocessing,
                                               std::int64_t batch, RunContext& context) {
  std::vector<SharedItems> shared_of_sets;
  if (evaluated.empty()) {
    return shared_of_sets;
  }
  std::vector<HashedItem> known;
  known.reserve(static_cast<std::size_t>(fitted.size()));
  if (Status read = forEachItem(fitted, preprocessing, batch, context,
                                [&](const HashedItem& item) { known.push_back(item); });
      !read) {
    return failWith(read);
  }
  std::ranges::sort(known);
  for (const DatasetPtr& set : evaluated) {
    SharedItems shared;
    const auto count = [&known, &shared](const HashedItem& item) {
      ++shared.evaluated;
      const auto found = std::ranges::lower_bound(known, item.content, {}, &HashedItem::content);
      if (found != known.end() && found->content == item.content) {
        ++(std::ranges::binary_search(known, item) ? shared.same : shared.alike);
      }
    };
    if (Status read = forEachItem(*set, preprocessing, batch, context, count); !read) {
      return failWith(read);
    }
    shared_of_sets.push_back(shared);
  }
  return shared_of_sets;
}

SharedItems sharedItems(const RunItems& fitted, const RunItems& evaluated) {
  SharedItems shared{.evaluated = static_cast<std::int64_t>(evaluated.ids.size())};
  const std::vector<CommonItems> common = commonItems(fitted, evaluated);
  if (common.empty()) {
    return shared;
  }
  std::vector<std::int64_t> known(fitted.ids.begin(), fitted.ids.end());
  std::ranges::sort(known);
  shared.same = std::ranges::count_if(evaluated.ids, [&](std::int64_t id) {
    return std::ranges::any_of(common, [&](const CommonItems& part) {
      return id >= part.first_id && id - part.first_id < part.items &&
             std::ranges::binary_search(known, id + part.shift);
    });
  });
  return shared;
}

Expected<std::vector<std::string>> checkSharedItems(const SharedItems& shared,
                                                    const std::string& purpose,
                                                    const std::string& fitted,
                                                    const std::string& evaluated, bool allowed) {
  std::vector<std::string> notes;
  const auto alike = static_cast<double>(shared.alike);
  const bool too_many =
      shared.same > 0 || alike > kMaxSameContent * static_cast<double>(shared.evaluated);
  const std::string overlap =
      fmt::format("{} of the {} items of {} are also in {}, the {} set", shared.same + shared.alike,
                  shared.evaluated, evaluated, fitted, purpose);
  if (too_many && !allowed) {
    // Only the command line can allow it, so the flag says what it is for.
    return fail(
        ErrorCode::kInvalidArgument, fmt::format("{}; use separate {} items", overlap, purpose),
        {setting("allow_same_split", "to allow the same items, which is written into the result")});
  }
  if (shared.same + shared.alike > 0) {
    notes.push_back(overlap + (too_many ? " (allowed): the results are over-optimistic" : ""));
  }
  return notes;
}

}  // namespace dubito
