// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <utility>

#include "core/data/dataset_spec.h"
#include "core/data/dataset_view.h"
#include "core/data/openers.h"

namespace dubito {
namespace {

Expected<DatasetPtr> openWhole(const DatasetSpec& spec, RunContext& context) {
  if (spec.scheme == "idx") {
    return openIdx(spec, context);
  }
  if (spec.scheme == "cifar10") {
    return openCifar10(spec, context);
  }
  if (spec.scheme == "npz") {
    return openNpz(spec, context);
  }
  if (spec.scheme == "folder") {
    return openFolder(spec, context);
  }
  if (spec.scheme == "csv") {
    return openCsv(spec, context);
  }
  return openSynthetic(spec);
}

}  // namespace

Expected<DatasetPtr> openDataset(const std::string& text, RunContext& context) {
  Expected<DatasetSpec> spec = parseDatasetSpec(text).and_then(resolveScheme);
  if (!spec) {
    return failWith(spec);
  }
  Expected<DatasetPtr> whole = openWhole(*spec, context);
  if (!whole) {
    return whole;
  }
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
