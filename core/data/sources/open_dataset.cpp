// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <utility>

#include "core/data/images/corrupted_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_view.h"

namespace dubito {
Expected<DatasetPtr> openDataset(const std::string& text, RunContext& context) {
  Expected<DatasetSpec> spec = parseDatasetSpec(text).and_then(resolveScheme);
  if (!spec) {
    return failWith(spec);
  }
  // A resolved scheme always has a kind.
  const DatasetKind& kind = *findDatasetKind(spec->scheme);
  Expected<DatasetPtr> whole = kind.open(*spec, context);
  if (!whole) {
    return whole;
  }
  *spec = kind.recorded(*std::move(spec));
  Expected<DatasetPtr> view = applyFilters(std::move(*whole), *spec);
  if (!view || !spec->corruption) {
    return view;
  }
  DatasetInfo info = (*view)->info();
  if (!spec->name) {
    info.name = fmt::format("{} · {} {}", info.name, toString(spec->corruption->kind),
                            spec->corruption->severity);
  }
  return corruptedDataset(*std::move(view), *spec->corruption, std::move(info));
}

}  // namespace dubito
