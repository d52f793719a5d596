// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_kinds.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/cifar10_dataset.h"
#include "core/data/sources/csv_dataset.h"
#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/folder_dataset.h"
#include "core/data/sources/idx_dataset.h"
#include "core/data/sources/labels_dataset.h"
#include "core/data/sources/npz_dataset.h"
#include "core/data/sources/synthetic.h"

namespace dubito {
namespace {

using Kinds = std::vector<std::shared_ptr<const DatasetKind>>;

Kinds& mutableKinds() {
  static Kinds kinds{idxKind(), cifar10Kind(), folderKind(),      npzKind(),
                     csvKind(), labelsKind(),  annotationsKind(), syntheticKind()};
  return kinds;
}

/// "cifar10": letters, then optional digits.
bool isScheme(std::string_view text) {
  const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
  return isDatasetKey(text.substr(0, letters)) &&
         text.find_first_not_of("0123456789", letters) == std::string_view::npos;
}

}  // namespace

const Kinds& allDatasetKinds() {
  return mutableKinds();
}

const DatasetKind* findDatasetKind(std::string_view scheme) {
  const Kinds& kinds = allDatasetKinds();
  const auto found =
      std::ranges::find(kinds, scheme, [](const auto& kind) { return kind->scheme(); });
  return found == kinds.end() ? nullptr : found->get();
}

void addDatasetKind(std::shared_ptr<const DatasetKind> kind) {
  if (kind == nullptr || !isScheme(kind->scheme())) {
    throw std::invalid_argument(
        "addDatasetKind: the scheme must be lower-case letters followed by digits");
  }
  if (findDatasetKind(kind->scheme()) != nullptr) {
    throw std::invalid_argument("addDatasetKind: there is already a kind called " + kind->scheme());
  }
  for (const DatasetOption& option : kind->options()) {
    const std::string& name = option.info.name;
    if (!isDatasetKey(name) ||
        std::ranges::find(kCommonDatasetKeys, name) != kCommonDatasetKeys.end()) {
      throw std::invalid_argument("addDatasetKind: invalid option name " + name);
    }
  }
  mutableKinds().push_back(std::move(kind));
}

std::vector<std::string> datasetSchemes() {
  std::vector<std::string> schemes;
  for (const auto& kind : allDatasetKinds()) {
    schemes.push_back(kind->scheme());
  }
  return schemes;
}

std::vector<std::string> datasetForms() {
  std::vector<std::string> forms;
  for (const auto& kind : allDatasetKinds()) {
    forms.push_back(kind->scheme() + ":" + kind->location());
  }
  return forms;
}

std::vector<DatasetOption> datasetOptions(const std::string& scheme) {
  std::vector<DatasetOption> options;
  for (const auto& kind : allDatasetKinds()) {
    if (scheme.empty() || kind->scheme() == scheme) {
      const std::vector<DatasetOption> own = kind->options();
      options.insert(options.end(), own.begin(), own.end());
    }
  }
  return options;
}

}  // namespace dubito
