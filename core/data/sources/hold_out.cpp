// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/hold_out.h"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/dataset_view.h"

namespace dubito {

namespace {

/// The specification to write the parts with; an empty one for a dataset without.
Expected<DatasetSpec> specOf(const DatasetInfo& info) {
  if (info.spec.empty()) {
    return DatasetSpec();
  }
  auto spec = parseDatasetSpec(info.spec);
  if (spec && spec->part) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is a part of a dataset already; hold items out of the whole one",
                            info.name));
  }
  return spec;
}

}  // namespace

bool canHoldOut(const Dataset& whole) {
  return whole.size() > 1 && specOf(whole.info()).has_value();
}

Expected<HeldOut> holdOut(const DatasetPtr& whole, std::int64_t count) {
  const DatasetInfo& info = whole->info();
  if (count < 1 || count >= whole->size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} items cannot be held out of {}; hold out at least one, and not "
                            "all",
                            info.name, count, whole->size()));
  }
  auto spec = specOf(info);
  if (!spec) {
    return failWith(spec);
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(whole->size()));
  std::iota(all.begin(), all.end(), 0);
  const auto part = [&](bool is_rest, Role role) {
    spec->part = ItemPart{.count = count, .is_rest = is_rest};
    spec->role = role;
    DatasetInfo own = info;
    own.role = role;
    own.spec = info.spec.empty() ? std::string() : toString(*spec);
    return std::make_shared<const DatasetView>(whole, spec->part->of(all, whole->ids()),
                                               std::move(own));
  };
  return HeldOut{whole, part(false, Role::kCalibration), part(true, info.role)};
}

}  // namespace dubito
