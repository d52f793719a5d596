// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/data/sources/dataset_spec.h"
#include "core/data/sources/dataset_view.h"
#include "core/data/sources/item_hash.h"
#include "core/data/sources/wrapped_spec.h"
#include "core/kernels/number_hash.h"
#include "core/models/model.h"
#include "core/models/network_hash.h"
#include "core/runs/run_rows.h"

namespace dubito {
namespace {

tl::unexpected<Error> failAt(const std::string& place, const Error& error) {
  return error.code == ErrorCode::kCancelled ? cancelled() : failOf(place, error);
}

/// Corruptions of a dataset and those that it wraps: hashes of files do not include them.
Expected<std::string> corruptionsOf(const DatasetInfo& info) {
  const auto parsed = parseDatasetSpec(info.spec);
  const auto specs = parsed ? wrappedSpecs(*parsed) : Expected<std::vector<DatasetSpec>>();
  if (!parsed || !specs) {
    return parsed ? Expected<std::string>(failWith(specs))
                  : Expected<std::string>(failWith(parsed));
  }
  std::string text;
  for (const DatasetSpec& spec : *specs) {
    if (spec.corruption) {
      text += " " + toString(*spec.corruption);
    }
  }
  return text;
}

std::uint64_t wordOf(const std::string& hash, const std::string& corruptions) {
  NumberHash words;
  words.add(corruptions);
  words.add(hash);
  return std::stoull(words.hex(), nullptr, 16);
}

Expected<StudyItemsPtr> itemsOf(const std::string& name, DatasetPtr data, RunContext& context) {
  const auto corruptions = corruptionsOf(data->info());
  if (!corruptions) {
    return failWith(corruptions);
  }
  const std::int64_t n = data->size();
  std::vector<std::uint64_t> contents(static_cast<std::size_t>(n));
  std::atomic<bool> is_cancelled = false;
  constexpr std::int64_t kGrain = 256;
  context.parallelFor(n, kGrain, [&](std::int64_t begin, std::int64_t end) {
    is_cancelled = is_cancelled || context.cancelRequested();
    for (std::int64_t i = begin; i < end && !is_cancelled; ++i) {
      // An item that cannot be read is skipped by every computation.
      contents[static_cast<std::size_t>(i)] =
          wordOf(itemHash(*data, i).value_or("unreadable"), *corruptions);
    }
  });
  if (is_cancelled) {
    return cancelled();
  }
  NumberHash key;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    key.add(static_cast<std::uint64_t>(data->ids()[at]));
    key.add(static_cast<std::uint64_t>(data->labels()[at]));
    key.add(contents[at]);
  }
  for (const std::string& class_name : data->info().class_names) {
    key.add(class_name);
    key.add(0);
  }
  std::ranges::sort(contents);
  return std::make_shared<const StudyItems>(
      StudyItems{name, std::move(data), key.hex(), std::move(contents)});
}

/// A set in the role that it has in the study.
Expected<DatasetPtr> openAs(Role role, const StudySet& set, RunContext& context) {
  const auto parsed = parseDatasetSpec(set.spec);
  if (!parsed) {
    return failAt(set.place, parsed.error());
  }
  if (parsed->role && *parsed->role != role) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has the role {}, but here it serves as {}; remove the role",
                            set.place, toString(*parsed->role), toString(role)),
                {datasetSetting("role", toString(*parsed->role))});
  }
  auto opened = openDataset(set.spec, context);
  if (!opened) {
    return failAt(set.place, opened.error());
  }
  DatasetPtr data = withRole(*std::move(opened), role);
  const bool needs_labels = role != Role::kOod;
  if (needs_labels &&
      std::ranges::none_of(data->labels(), [](std::int64_t label) { return label >= 0; })) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no labels; name a labelled set, or the file of its labels",
                            set.place));
  }
  return data;
}

/// Divides the source: a share of its labelled items, chosen by id, is for validation.
std::pair<DatasetPtr, DatasetPtr> splitSource(const DatasetPtr& source, double share) {
  std::vector<std::int64_t> labelled;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < source->size(); ++i) {
    if (source->labels()[static_cast<std::size_t>(i)] >= 0) {
      labelled.push_back(i);
      ids.push_back(source->ids()[static_cast<std::size_t>(i)]);
    }
  }
  const auto wanted =
      static_cast<std::int64_t>(std::llround(share * static_cast<double>(labelled.size())));
  std::vector<std::int64_t> held;
  std::set<std::int64_t> is_held;
  for (const std::int64_t row : keyedRows(ids, wanted)) {
    held.push_back(labelled[static_cast<std::size_t>(row)]);
    is_held.insert(held.back());
  }
  std::vector<std::int64_t> rest;
  for (std::int64_t i = 0; i < source->size(); ++i) {
    if (!is_held.contains(i)) {
      rest.push_back(i);
    }
  }
  DatasetInfo of_held = source->info();
  of_held.role = Role::kCalibration;
  of_held.name += " (held out)";
  return {std::make_shared<DatasetView>(source, std::move(rest), source->info()),
          std::make_shared<DatasetView>(source, std::move(held), std::move(of_held))};
}

class Opener {
 public:
  Opener(const StudySpec& spec, RunContext& context) : spec_(spec), context_(context) {}

  Expected<StudyInputs> open() {
    if (Status done = openSource(); !done) {
      return failWith(done);
    }
    for (const StudySet& target : spec_.targets) {
      StudySet adaptation = spec_.adaptation.value_or(StudySet());
      if (!target.adaptation.empty()) {
        adaptation = {
            .name = target.name + " adaptation", .spec = target.adaptation, .place = target.place};
      }
      if (Status added = add(Role::kTest, target, inputs_.targets); !added) {
        return failWith(added);
      }
      if (adaptation.spec.empty()) {
        inputs_.adaptations.emplace_back();
      } else if (Status more = add(Role::kCalibration, adaptation, inputs_.adaptations); !more) {
        return failWith(more);
      }
    }
    for (const StudySet& ood : spec_.ood) {
      if (Status added = add(Role::kOod, ood, inputs_.ood); !added) {
        return failWith(added);
      }
    }
    if (Status models = openModels(); !models) {
      return failWith(models);
    }
    if (Status disjoint = checkDisjoint(); !disjoint) {
      return failWith(disjoint);
    }
    return std::move(inputs_);
  }

 private:
  Status openSource() {
    auto source = openAs(Role::kTrain, spec_.source, context_);
    if (!source) {
      return failWith(source);
    }
    DatasetPtr train = *source;
    if (spec_.validation_share > 0.0) {
      auto [rest, held] = splitSource(*source, spec_.validation_share);
      if (rest->size() == 0 || held->size() == 0) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: a validation share of {} leaves no items on one side; choose "
                                "another share",
                                spec_.source.place, spec_.validation_share));
      }
      train = rest;
      auto items = itemsOf("validation", held, context_);
      if (!items) {
        return failAt(spec_.source.place, items.error());
      }
      inputs_.validation = *std::move(items);
    }
    auto items = itemsOf("source", train, context_);
    if (!items) {
      return failAt(spec_.source.place, items.error());
    }
    inputs_.source = *std::move(items);
    if (spec_.validation) {
      std::vector<StudyItemsPtr> opened;
      if (Status added = add(Role::kCalibration, *spec_.validation, opened); !added) {
        return added;
      }
      inputs_.validation = opened.front();
    }
    return {};
  }

  Status add(Role role, const StudySet& set, std::vector<StudyItemsPtr>& list) {
    const std::pair<Role, std::string> id(role, set.spec);
    if (const auto known = opened_.find(id); known != opened_.end() && role == Role::kCalibration) {
      list.push_back(known->second);
      return {};
    }
    if (context_.step("opening datasets", static_cast<std::int64_t>(opened_.size()), 0) ==
        Step::kCancel) {
      return cancelled();
    }
    auto data = openAs(role, set, context_);
    if (!data) {
      return failWith(data);
    }
    auto items = itemsOf(set.name, *std::move(data), context_);
    if (!items) {
      return failAt(set.place, items.error());
    }
    opened_[id] = *items;
    list.push_back(*std::move(items));
    return {};
  }

  Status openModels() {
    for (const StudyNetwork& network : spec_.networks) {
      const auto* const head = std::get_if<StudyHead>(&network.how);
      const auto* const fixed = std::get_if<StudyModel>(&network.how);
      std::string hash;
      if (head != nullptr || fixed != nullptr) {
        const std::string path = head != nullptr ? head->backbone : fixed->path;
        const auto model = loadModel(path, {}, context_);
        if (!model) {
          return failAt(network.place, model.error());
        }
        hash = networkHash(**model);
      }
      inputs_.network_hashes.push_back(hash);
    }
    return {};
  }

  [[nodiscard]] static Status checkPair(const StudyItems& fitted, const StudyItems& tested,
                                        const std::string& place) {
    std::vector<std::uint64_t> both;
    std::ranges::set_intersection(fitted.contents, tested.contents, std::back_inserter(both));
    if (both.empty()) {
      return {};
    }
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} of its items are also in {}; choose other items or files, so "
                            "that nothing is tested on what it has seen",
                            place, both.size(), fitted.name),
                {datasetSetting("items")});
  }

  [[nodiscard]] Status checkDisjoint() const {
    std::vector<Status> checks;
    if (inputs_.validation) {
      checks.push_back(checkPair(*inputs_.source, *inputs_.validation,
                                 spec_.validation ? spec_.validation->place : spec_.source.place));
    }
    for (std::size_t t = 0; t < inputs_.targets.size(); ++t) {
      const std::string& place = spec_.targets[t].place;
      const StudyItemsPtr& adaptation = inputs_.adaptations[t];
      checks.push_back(checkPair(*inputs_.source, *inputs_.targets[t], place));
      if (inputs_.validation) {
        checks.push_back(checkPair(*inputs_.validation, *inputs_.targets[t], place));
      }
      if (adaptation) {
        checks.push_back(checkPair(*inputs_.source, *adaptation, place));
        checks.push_back(checkPair(*adaptation, *inputs_.targets[t], place));
      }
    }
    for (const Status& check : checks) {
      if (!check) {
        return check;
      }
    }
    return {};
  }

  const StudySpec& spec_;
  RunContext& context_;
  StudyInputs inputs_;
  std::map<std::pair<Role, std::string>, StudyItemsPtr> opened_;
};

}  // namespace

Expected<StudyInputs> openStudy(const StudySpec& spec, RunContext& context) {
  return Opener(spec, context).open();
}

}  // namespace dubito
