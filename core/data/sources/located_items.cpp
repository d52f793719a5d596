// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/located_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <vector>

#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/moved_items.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// The name of a file or folder, also if its path ends with a slash.
fs::path lastPartOf(const fs::path& path) {
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

std::vector<std::string> relocatedLabels(const DatasetSpec& spec, const fs::path& folder) {
  AnnotationSource source = annotationSource(spec);
  source.images = folder.string();
  std::vector<std::string> specs{annotationsSpec(source)};
  const fs::path name = lastPartOf(source.labels);
  for (const fs::path& place : {folder / name, folder.parent_path() / name}) {
    source.labels = place.string();
    specs.push_back(annotationsSpec(source));
  }
  return specs;
}

/// Where a dataset may be whose files are now in `folder`, best guess first: the same specification
/// with the folder, or the files of the same names in it, as its location; of labels of another
/// program, with the images in it and the labels where they were, in it or next to it. Empty if
/// `spec` names no files.
std::vector<std::string> relocatedSpecs(const std::string& spec, const std::string& folder) {
  auto parsed = parseDatasetSpec(spec);
  const DatasetKind* const kind = parsed ? findDatasetKind(parsed->scheme) : nullptr;
  const std::vector<std::string> files =
      kind != nullptr ? kind->files(parsed->location) : std::vector<std::string>();
  if (files.empty()) {
    return {};
  }
  const fs::path chosen = fs::absolute(folder).lexically_normal();
  if (parsed->scheme == kAnnotationsScheme) {
    return relocatedLabels(*parsed, chosen);
  }
  std::vector<std::string> specs;
  const auto add = [&](const std::string& location) {
    parsed->location = location;
    specs.push_back(toString(*parsed));
  };
  std::string inside;
  for (const std::string& file : files) {
    inside += (inside.empty() ? "" : ",") + (chosen / lastPartOf(file)).string();
  }
  if (files.size() == 1) {
    add(chosen.string());
  }
  add(inside);
  return specs;
}

/// A dataset in which the items may be.
struct Candidate {
  DatasetPtr dataset;
  std::vector<std::int64_t> missing;  ///< items with a label that it lacks
};

Expected<Candidate> bestCandidate(const std::string& spec, const std::string& folder,
                                  const std::vector<PresentLabel>& labels, RunContext& context) {
  Candidate best;
  Error first{ErrorCode::kNotFound,
              fmt::format("{}: has no files that could be in {}", spec, folder)};
  bool any_failed = false;
  for (const std::string& place : relocatedSpecs(spec, folder)) {
    Expected<DatasetPtr> dataset = openDataset(place, context);
    if (!dataset) {
      if (dataset.error().code == ErrorCode::kCancelled) {
        return failWith(dataset);
      }
      first = any_failed ? first : dataset.error();
      any_failed = true;
      continue;
    }
    const std::unordered_set<std::int64_t> ids((*dataset)->ids().begin(), (*dataset)->ids().end());
    std::vector<std::int64_t> missing;
    for (const PresentLabel& label : labels) {
      if (!ids.contains(label.item)) {
        missing.push_back(label.item);
      }
    }
    if (!best.dataset || missing.size() < best.missing.size()) {
      best = {*std::move(dataset), std::move(missing)};
    }
    if (best.missing.empty()) {
      return best;
    }
  }
  return best.dataset ? Expected<Candidate>(std::move(best)) : tl::unexpected<Error>(first);
}

/// The newest hash that a decision about each of these items has recorded; "" if none has.
Expected<std::vector<std::string>> hashesOf(const std::vector<std::int64_t>& items,
                                            LabelStore& store) {
  const auto journal = store.journal();
  if (!journal) {
    return failWith(journal);
  }
  std::unordered_map<std::int64_t, std::string> newest;
  for (const RecordedDecision& recorded : *journal) {
    if (!recorded.decision.content_hash.empty()) {
      newest[recorded.decision.item] = recorded.decision.content_hash;
    }
  }
  std::vector<std::string> hashes;
  for (const std::int64_t item : items) {
    hashes.push_back(newest[item]);
  }
  return hashes;
}

}  // namespace

Expected<LocatedItems> locateItems(LabelStore& store, const std::string& folder,
                                   RunContext& context) {
  const auto recorded = store.dataset();
  const auto labels = recorded ? store.labels() : failWith(recorded);
  if (!labels) {
    return failWith(labels);
  }
  const std::string spec = *recorded ? (*recorded)->spec : std::string();
  auto best = bestCandidate(spec, folder, *labels, context);
  if (!best) {
    return failWith(best);
  }
  LocatedItems located;
  located.dataset = best->dataset;
  located.missing = std::ssize(best->missing);
  located.found = std::ssize(*labels) - located.missing;
  if (best->missing.empty()) {
    return located;
  }
  std::unordered_set<std::int64_t> taken;
  for (const PresentLabel& label : *labels) {
    taken.insert(label.item);
  }
  const auto hashes = hashesOf(best->missing, store);
  if (!hashes) {
    return failWith(hashes);
  }
  const auto found = itemsOfHashes(*located.dataset, *hashes, taken, context);
  if (!found) {
    return failWith(found);
  }
  for (std::size_t i = 0; i < best->missing.size(); ++i) {
    if ((*found)[i]) {
      located.renumbered.emplace(best->missing[i], *(*found)[i]);
    }
  }
  located.missing -= std::ssize(located.renumbered);
  if (located.found == 0 && located.renumbered.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: none of the {} images with a label is in {}, neither by its "
                            "relative path nor by its content; choose the folder of these images",
                            store.place(), labels->size(), folder));
  }
  return located;
}

}  // namespace dubito
