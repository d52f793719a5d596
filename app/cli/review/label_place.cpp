// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/review/label_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/base/in_quotes.h"
#include "core/data/sources/dataset_fingerprint.h"

namespace dubito::cli {
namespace {

/// Classes that a message names.
constexpr std::size_t kNamedClasses = 12;

/// Names of all classes; without probabilities, only the metadata knows how many there are.
std::vector<std::string> classNamesOf(const Run& run) {
  const std::int64_t classes = run.classCount() > 0
                                   ? run.classCount()
                                   : static_cast<std::int64_t>(run.meta.class_names.size());
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < classes; ++k) {
    names.push_back(run.className(k));
  }
  return names;
}

std::string listOf(std::span<const LabelClass> classes) {
  std::string list;
  std::size_t named = 0;
  for (const LabelClass& one : classes) {
    if (one.merged_into) {
      continue;
    }
    if (named == kNamedClasses) {
      return list + ", ...";
    }
    list += fmt::format("{}{}", named == 0 ? "" : ", ", inQuotes(one.name));
    ++named;
  }
  return list;
}

}  // namespace

std::string usualAnnotator() {
  const char* const user = std::getenv("USER");  // NOLINT(concurrency-mt-unsafe): one thread
  return user != nullptr && *user != '\0' ? user : "me";
}

CLI::Option* declareAnnotator(CLI::App& app, std::string& annotator, const std::string& help) {
  annotator = usualAnnotator();
  return app.add_option("--annotator", annotator, help)->capture_default_str();
}

Expected<OpenedLabels> openLabels(const std::string& place, StoreMode mode) {
  auto store = LabelStore::open(place, mode);
  if (!store) {
    return failWith(store);
  }
  std::vector<std::string> notes = (*store)->notes();
  return OpenedLabels{*std::move(store), std::move(notes)};
}

Expected<OpenedLabels> openLabelsOf(const Run& run, const std::string& run_name,
                                    const std::string& place, StoreMode mode) {
  const std::vector<std::string> classes = classNamesOf(run);
  if (classes.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                run_name + ": does not say which classes there are; give a run with probabilities");
  }
  auto opened = openLabels(place, mode);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  const auto recorded = store.dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  const auto present_classes = store.classes();
  if (!present_classes) {
    return failWith(present_classes);
  }
  const RunMeta& meta = run.meta;
  const bool is_new = !recorded->has_value();
  if (mode == StoreMode::kReadOnly && (is_new || present_classes->empty())) {
    return opened;  // nothing to compare with
  }
  RunContext context;
  const bool is_known = !is_new && (*recorded)->spec == meta.dataset_spec;
  std::string fingerprint = is_known || meta.dataset_spec.empty()
                                ? std::string()
                                : datasetFingerprint(meta.dataset_spec, context).value_or("");
  if (Status belongs = store.belongTo({.name = meta.dataset_name,
                                       .spec = meta.dataset_spec,
                                       .fingerprint = std::move(fingerprint)},
                                      classes);
      !belongs) {
    return failWith(belongs);
  }
  if (!is_new && !(*recorded)->name.empty() && !meta.dataset_name.empty() &&
      (*recorded)->name != meta.dataset_name) {
    opened->notes.push_back(fmt::format(
        "{} belongs to the dataset {}, {} to {}: labels are joined on item ids, which "
        "must mean the same items",
        store.place(), inQuotes((*recorded)->name), run_name, inQuotes(meta.dataset_name)));
  }
  return opened;
}

Expected<std::int64_t> classOf(std::span<const LabelClass> classes, const std::string& text,
                               const std::string& place) {
  if (const LabelClass* const named = findClass(classes, std::string_view(text))) {
    return named->id;
  }
  std::int64_t id = -1;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && rest == text.data() + text.size() &&
      findClass(classes, id) != nullptr) {
    return mergedClass(classes, id);
  }
  const std::string list = listOf(classes);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: has no class {}; {}", place, inQuotes(text),
                          list.empty() ? "pass --run RUN, whose classes are then recorded"
                                       : "give a name or number of " + list));
}

std::string classText(std::span<const LabelClass> classes, std::int64_t id) {
  const LabelClass* const found = findClass(classes, id);
  return found != nullptr ? found->name : fmt::format("{}", id);
}

}  // namespace dubito::cli
