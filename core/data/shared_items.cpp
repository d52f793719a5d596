// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/shared_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/data/content_hash.h"
#include "core/data/dataset_spec.h"
#include "core/data/prefetcher.h"

namespace dubito {
namespace {

// Some data sets hold a picture twice; that many do not spoil an evaluation.
constexpr double kMostAlike = 0.01;

struct HashedItem {
  std::uint64_t content = 0;
  std::int64_t id = 0;

  friend auto operator<=>(const HashedItem&, const HashedItem&) = default;
};

/// Calls `take` with every readable item.
Status forEachItem(const Dataset& dataset, const Preprocessing& preprocessing, std::int64_t batch,
                   RunContext& context, const std::function<void(const HashedItem&)>& take) {
  Prefetcher batches(dataset, BatchPlan::ofRange(0, dataset.size(), batch), preprocessing, context);
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
    if (context.step("comparing " + dataset.info().name, done, dataset.size()) == Step::kCancel) {
      return cancelled();
    }
  }
  return {};
}

/// A path that leads to the same place from everywhere; lists of paths are joined by commas.
std::string canonicalLocation(const std::string& location) {
  std::string result;
  for (std::size_t begin = 0; begin <= location.size();) {
    const std::size_t comma = std::min(location.find(',', begin), location.size());
    std::error_code error;
    const std::string part = location.substr(begin, comma - begin);
    const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(part), error);
    result += (error ? part : path.string()) + ',';
    begin = comma + 1;
  }
  return result;
}

/// npz files hold training and test items; the role chooses where nothing else does.
bool takesTrainingItems(const DatasetSpec& spec) {
  return spec.role == Role::kTrain || spec.role == Role::kCalibration;
}

}  // namespace

bool sameSource(const std::string& spec_a, const std::string& spec_b) {
  if (spec_a == spec_b) {
    return true;
  }
  auto a = parseDatasetSpec(spec_a);
  auto b = parseDatasetSpec(spec_b);
  if (!a || !b || (a->scheme != b->scheme && !a->scheme.empty() && !b->scheme.empty())) {
    return false;
  }
  for (DatasetSpec* const spec : {&*a, &*b}) {
    // How many items there are does not change what the first of them is, nor do their labels.
    spec->extra.erase("n");
    spec->extra.erase("labels");
  }
  if (a->extra != b->extra || (a->scheme == "npz" && a->extra.count("split") == 0 &&
                               takesTrainingItems(*a) != takesTrainingItems(*b))) {
    return false;
  }
  return a->location == b->location ||
         (a->scheme != "synthetic" &&
          canonicalLocation(a->location) == canonicalLocation(b->location));
}

Expected<SharedItems> sharedItems(const Dataset& fitted, const Dataset& evaluated,
                                  const Preprocessing& preprocessing, std::int64_t batch,
                                  RunContext& context) {
  std::vector<HashedItem> known;
  known.reserve(static_cast<std::size_t>(fitted.size()));
  if (Status read = forEachItem(fitted, preprocessing, batch, context,
                                [&](const HashedItem& item) { known.push_back(item); });
      !read) {
    return failWith(read);
  }
  std::ranges::sort(known);
  SharedItems shared;
  if (Status read = forEachItem(evaluated, preprocessing, batch, context,
                                [&](const HashedItem& item) {
                                  ++shared.evaluated;
                                  const auto found = std::ranges::lower_bound(
                                      known, item.content, {}, &HashedItem::content);
                                  if (found == known.end() || found->content != item.content) {
                                    return;
                                  }
                                  std::ranges::binary_search(known, item) ? ++shared.same
                                                                          : ++shared.alike;
                                });
      !read) {
    return failWith(read);
  }
  return shared;
}

SharedItems sharedItems(const ItemsOfRun& fitted, const ItemsOfRun& evaluated) {
  SharedItems shared{.evaluated = static_cast<std::int64_t>(evaluated.ids.size())};
  const bool same_content =
      !fitted.dataset_hash.empty() && fitted.dataset_hash == evaluated.dataset_hash;
  if (!same_content && !sameSource(fitted.spec, evaluated.spec)) {
    return shared;
  }
  std::vector<std::int64_t> known(fitted.ids.begin(), fitted.ids.end());
  std::ranges::sort(known);
  shared.same = std::ranges::count_if(
      evaluated.ids, [&known](std::int64_t id) { return std::ranges::binary_search(known, id); });
  return shared;
}

Expected<std::vector<std::string>> judgeSplit(const SharedItems& shared, const std::string& purpose,
                                              const std::string& fitted,
                                              const std::string& evaluated, bool allowed) {
  std::vector<std::string> notes;
  const auto alike = static_cast<double>(shared.alike);
  const bool too_many =
      shared.same > 0 || alike > kMostAlike * static_cast<double>(shared.evaluated);
  const std::string overlap =
      fmt::format("{} of the {} items of {} are also in {}, the {} set", shared.same + shared.alike,
                  shared.evaluated, evaluated, fitted, purpose);
  if (too_many && !allowed) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}; give {} items of its own, or --allow-same-split to do it "
                            "nevertheless, which is written into the result",
                            overlap, purpose));
  }
  if (shared.same + shared.alike > 0) {
    notes.push_back(overlap + (too_many ? " (allowed): the numbers are too good" : ""));
  }
  return notes;
}

}  // namespace dubito
