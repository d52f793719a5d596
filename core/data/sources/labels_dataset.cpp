// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/labels_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/in_quotes.h"
#include "core/data/sources/dataset_fingerprint.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_view.h"
#include "core/data/sources/relabelled_dataset.h"
#include "core/data/sources/reviewed_labels.h"
#include "core/data/sources/wrapped_spec.h"
#include "core/labels/label_store.h"
#include "core/labels/sql/open_connection.h"
#include "core/labels/sql/postgres_error.h"
#include "core/review/formats/undecided.h"

namespace dubito {
namespace {

using StorePtr = std::unique_ptr<LabelStore>;

Expected<StorePtr> openStore(const DatasetSpec& spec) {
  return LabelStore::open(spec.location, StoreMode::kReadOnly);
}

/// Whether an option has its second value.
Expected<bool> isSecond(const DatasetSpec& spec, const std::string& key, const std::string& first,
                        const std::string& second) {
  const auto found = spec.extra.find(key);
  if (found == spec.extra.end() || found->second == first) {
    return false;
  }
  if (found->second == second) {
    return true;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {}={} is not known; use {} or {}", toString(spec), key,
                          found->second, first, second));
}

Expected<ReviewedOptions> optionsOf(const DatasetSpec& spec) {
  const auto drops = isSecond(spec, "undecided", std::string(keyOf(Undecided::kKeep)),
                              std::string(keyOf(Undecided::kDrop)));
  if (!drops) {
    return failWith(drops);
  }
  const auto persons = isSecond(spec, "origin", "any", "person");
  if (!persons) {
    return failWith(persons);
  }
  return ReviewedOptions{.keeps_undecided = !*drops, .persons_only = *persons};
}

/// The specification of the items: that of `of`, else the recorded one.
Expected<std::string> itemsOf(const DatasetSpec& spec, LabelStore& store) {
  if (const auto given = spec.extra.find("of"); given != spec.extra.end()) {
    return given->second;
  }
  const auto recorded = store.dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  if (!*recorded || (*recorded)->spec.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                store.place() + ": does not say which dataset its labels belong to; name it",
                {datasetSetting("of", "SPEC")});
  }
  return (*recorded)->spec;
}

Expected<DatasetPtr> openItems(const DatasetSpec& spec, const std::string& items,
                               const LabelStore& store, RunContext& context) {
  Expected<DatasetPtr> dataset = openDataset(items, context);
  if (!dataset && dataset.error().code != ErrorCode::kCancelled && !spec.extra.contains("of")) {
    std::vector<Setting> settings = dataset.error().remedy.settings;
    settings.push_back(datasetSetting("of", "SPEC"));
    return fail(dataset.error().code,
                fmt::format("{}: the dataset that its labels belong to cannot be opened ({}); say "
                            "where it is",
                            store.place(), dataset.error().message),
                std::move(settings));
  }
  return dataset;
}

/// Refuses a store of other items.
Status checkStore(LabelStore& store, const std::string& items, const DatasetInfo& info,
                  RunContext& context) {
  const auto recorded = store.dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  if (!*recorded || (*recorded)->fingerprint.empty()) {
    return {};
  }
  const auto fingerprint = datasetFingerprint(items, context);
  return fingerprint ? store.checkItems({info.name, items, *fingerprint}) : failWith(fingerprint);
}

/// kMalformed if a label has none of the classes.
Expected<StoreClasses> classesOf(LabelStore& store, std::span<const PresentLabel> labels) {
  auto classes = store.classes();
  auto network = classes ? store.networkClasses() : failWith(classes);
  if (!network) {
    return failWith(network);
  }
  const bool has_all = std::ranges::all_of(labels, [&classes](const PresentLabel& label) {
    return !label.class_id || findClass(*classes, *label.class_id) != nullptr;
  });
  if (!has_all) {
    return fail(ErrorCode::kMalformed,
                store.place() + ": is damaged (labels have unknown classes); use a backup");
  }
  return StoreClasses{*std::move(classes), *std::move(network)};
}

std::string noteOf(const ReviewedItems& items, const ReviewedOptions& options,
                   const std::string& place) {
  const std::int64_t all = items.decided + items.unusable + items.undecided;
  std::string note =
      fmt::format("{}: {} of {} items have a reviewed label", place, items.decided, all);
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, const char* meaning) {
    if (count > 0) {
      parts.push_back(fmt::format("{} {}", count, meaning));
    }
  };
  add(items.changed, "differ from the dataset's label");
  add(items.by_model, "were labelled by the model");
  add(items.conflicts, "have labels of persons who disagree, of which the newest counts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    note += (i == 0 ? " (" : ", ") + parts[i];
  }
  note += parts.empty() ? "" : ")";
  if (items.unusable > 0) {
    note +=
        fmt::format("; {} are left out because no class fits or nobody can tell", items.unusable);
  }
  if (items.undecided > 0) {
    note += fmt::format("; {} are undecided and {}", items.undecided,
                        options.keeps_undecided ? "keep the dataset's label" : "left out");
  }
  if (items.elsewhere > 0) {
    note +=
        fmt::format("; {} labels belong to items that are not in this dataset", items.elsewhere);
  }
  return note;
}

/// Refuses combinations that nobody can mean.
Status checkItems(const ReviewedItems& items, const ReviewedClasses& classes,
                  const ReviewedOptions& options, const Dataset& dataset,
                  const std::string& place) {
  const std::string& name = dataset.info().name;
  const bool has_labels =
      std::ranges::any_of(dataset.labels(), [](std::int64_t label) { return label >= 0; });
  if (items.elsewhere > 0 && items.decided + items.unusable == 0 &&
      items.undecided == dataset.size() && !options.persons_only) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: none of its {} labels belongs to an item of {}; name the dataset "
                            "that was reviewed",
                            place, items.elsewhere, inQuotes(name)),
                {datasetSetting("of", "SPEC")});
  }
  if (items.decided > 0 && classes.shared == 0 && options.keeps_undecided && has_labels) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has none of the classes of {}; leave out the undecided items, or "
                            "name the dataset that was reviewed",
                            place, inQuotes(name)),
                {datasetSetting("undecided", "drop"), datasetSetting("of", "SPEC")});
  }
  if (items.rows.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: no item of {} has a reviewed label that counts; review some, or "
                            "keep the others",
                            place, inQuotes(name)),
                {datasetSetting("undecided", "keep")});
  }
  return {};
}

Expected<DatasetPtr> openLabels(const DatasetSpec& spec, RunContext& context) {
  const auto options = optionsOf(spec);
  if (!options) {
    return failWith(options);
  }
  const auto store = openStore(spec);
  if (!store) {
    return failWith(store);
  }
  // Before opening: stores that belong to each other would be opened without end.
  if (const auto specs = wrappedSpecs(spec); specs && specs->empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its labels belong to their own dataset; name the dataset that was "
                            "reviewed",
                            (*store)->place()),
                {datasetSetting("of", "SPEC")});
  }
  const auto text = itemsOf(spec, **store);
  const auto items = text ? openItems(spec, *text, **store, context) : failWith(text);
  if (!items) {
    return failWith(items);
  }
  if (Status same = checkStore(**store, *text, (*items)->info(), context); !same) {
    return failWith(same);
  }
  // First, so that the classes of all labels are there even if somebody adds some meanwhile.
  const auto labels = (*store)->labels();
  const auto of_store = labels ? classesOf(**store, *labels) : failWith(labels);
  if (!of_store) {
    return failWith(of_store);
  }
  ReviewedClasses reviewed = reviewedClasses(**items, *of_store);
  ReviewedItems kept = reviewedItems(**items, *of_store, reviewed, *labels, *options);
  const std::string& place = (*store)->place();
  if (Status checked = checkItems(kept, reviewed, *options, **items, place); !checked) {
    return failWith(checked);
  }
  DatasetInfo info = (*items)->info();
  info.name += " · reviewed";
  info.spec = toString(spec);
  info.role = info.role == Role::kUnlabelled ? Role::kTest : info.role;
  info.class_names = std::move(reviewed.names);
  info.notes.insert(info.notes.end(), (*store)->notes().begin(), (*store)->notes().end());
  info.notes.push_back(noteOf(kept, *options, place));
  auto rows = std::make_shared<const DatasetView>(*items, std::move(kept.rows), info);
  return std::make_shared<const RelabelledDataset>(std::move(rows), std::move(kept.labels),
                                                   std::move(info));
}

class LabelsKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return kLabelsScheme; }
  [[nodiscard]] std::string location() const override { return "STORE"; }
  [[nodiscard]] std::string label() const override { return "label stores"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"labels:NAME.labels", "a reviewed dataset with the labels of the review"},
            {"labels:NAME.labels?of=folder:DIR&undecided=drop", "only what has been decided"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{.info = {.name = "of",
                      .label = "Items of",
                      .help = "dataset that was reviewed; empty: the one that the store names"},
             .is_specification = true},
            {.info = {.name = "undecided",
                      .label = "Undecided",
                      .help = "keep: undecided items keep the dataset's label; drop: they are left "
                              "out; empty: keep"}},
            {.info = {.name = "origin",
                      .label = "Decisions of",
                      .help = "person: decisions of the model do not count; empty: all count"}}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {"*.labels"}; }
  [[nodiscard]] bool claimsName(const std::string& name) const override {
    return name.ends_with(".labels");
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    const bool is_store = !path.is_list && !path.is_folder && path.path.ends_with(".labels") &&
                          path.first_bytes == "SQLi";
    return is_store ? MatchConfidence::kCertain : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return isServerAddress(location) ? std::vector<std::string>() : std::vector{location};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    const auto specs = wrappedSpecs(spec);
    return specs && !specs->empty() ? sourceParts(toString(specs->back()))
                                    : std::vector<SourcePart>{{toString(spec)}};
  }
  [[nodiscard]] Expected<std::optional<std::string>> wrapped(
      const DatasetSpec& spec) const override {
    if (const auto given = spec.extra.find("of"); given != spec.extra.end()) {
      return given->second;
    }
    const auto store = openStore(spec);
    auto items = store ? itemsOf(spec, **store) : failWith(store);
    return items ? Expected<std::optional<std::string>>(*std::move(items)) : failWith(items);
  }
  [[nodiscard]] DatasetSpec recorded(DatasetSpec spec) const override {
    if (isServerAddress(spec.location)) {
      spec.location = withoutPassword(spec.location);
    }
    return spec;
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openLabels(spec, context);
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> labelsKind() {
  static const auto kind = std::make_shared<const LabelsKind>();
  return kind;
}

}  // namespace dubito
