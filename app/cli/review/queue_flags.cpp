// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/review/queue_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/program.h"
#include "app/cli/run_identity.h"
#include "app/cli/whole_number.h"
#include "core/data/images/small_image.h"
#include "core/data/items/item_positions.h"
#include "core/data/pixels/reads_pixels.h"
#include "core/io/npy.h"

namespace dubito::cli {
namespace {

constexpr const char* kRuleQueue = "label-errors";
constexpr const char* kRandomQueue = "random";

std::string byHelp() {
  std::string help = "order of the items:";
  for (const QueueId id : allQueueKinds()) {
    help += fmt::format(" {} ({}),", describe(id).key, describe(id).name);
  }
  help.pop_back();
  return help;
}

Expected<RealArray> readFeatures(const std::string& path, std::int64_t items) {
  const auto array = readNpy(path);
  if (!array) {
    return failWith(array);
  }
  const std::vector<std::int64_t>& shape = shapeOf(*array);
  if (shape.size() != 2 || shape[0] != items) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has the shape {}; give one row of features for each of the {} "
                            "items, in the order of the run",
                            path, shapeText(shape), items));
  }
  return std::holds_alternative<Array<double>>(*array) ? RealArray(toDouble(*array))
                                                       : RealArray(toFloat(*array));
}

/// Opens the dataset of the run (`spec`, or what the run names) and finds its items in it.
Status findImages(const std::string& spec, const std::string& run_name, QueueRun& opened,
                  RunContext& context) {
  const std::string& named = spec.empty() ? opened.run.meta.dataset_spec : spec;
  if (named.empty()) {
    return usageError(fmt::format(
        "{}: does not name its dataset, whose images are compared; pass --dataset SPEC", run_name));
  }
  auto dataset = openDataset(named, context);
  if (!dataset) {
    return failWith(dataset);
  }
  opened.image_of_row = positionsOfIds(**dataset, opened.run.ids.values());
  opened.images = *std::move(dataset);
  return {};
}

}  // namespace

void QueueRun::bind() {
  inputs.other = other ? &*other : nullptr;
  inputs.features = features ? &*features : nullptr;
  if (images != nullptr) {
    inputs.small_image = [this](std::int64_t row) {
      const std::int64_t index = image_of_row[static_cast<std::size_t>(row)];
      return index < 0 ? std::nullopt : smallImage(*images, index);
    };
  }
}

void QueueFlags::declare(CLI::App& app) {
  app.add_option("run", run, "run file, or predictions: npz, npy (PROBS.npy,LABELS.npy), csv")
      ->required();
  app.add_option("--by", options.by, byHelp())
      ->check(CLI::IsMember(queueKeys()))
      ->each([](const std::string& key) {
        const auto kind = queueOfKey(key);
        if (kind && describe(*kind).needs.images && !readsPixels()) {
          throw HandedOver{"--by " + key};  // to the program that does
        }
      })
      ->capture_default_str();
  other_flag_ = app.add_option("--other", other, "second run over the same items, joined on ids");
  features_flag_ =
      app.add_option("--features", features, "npy file with one row of features per item");
  dataset_flag_ = app.add_option("--dataset", dataset,
                                 "dataset of the run, whose images --by duplicates compares; by "
                                 "default the one that the run names");
  rule_flag_ = declareFields(app, label_errors.fields(), "Label errors").options.front();
  seed_flag_ = app.add_option("--seed", seed, "seed of the random order")
                   ->transform(wholeNumber<std::uint64_t>())
                   ->capture_default_str();
  input.declare(app);
}

Expected<QueueRun> QueueFlags::open(RunContext& context) const {
  const QueueKind& kind = describe(queueOfKey(options.by).value());  // checked by the parser
  const auto queueUnless = [](bool used, const std::string& key) {
    return allUnless(used, {setting("by", key)});
  };
  if (Status used = rejectIneffectiveFlags(
          {{other_flag_, queueUnless(kind.needs.other_run, "disagreement")},
           {features_flag_, queueUnless(kind.needs.features, "varied")},
           {dataset_flag_, queueUnless(kind.needs.images, "duplicates")},
           {rule_flag_, queueUnless(kind.key == kRuleQueue, "label-errors")},
           {seed_flag_, queueUnless(compares_with_random || kind.key == kRandomQueue, "random")}});
      !used) {
    return failWith(used);
  }
  if (Status checked = label_errors.check(); !checked) {
    return usageError(checked.error());
  }
  if (kind.needs.other_run && other.empty()) {
    return usageError(fmt::format("--by {} compares two runs; pass --other RUN", kind.key));
  }
  if (kind.needs.features && features.empty()) {
    return usageError(fmt::format("--by {} needs --features FILE.npy", kind.key));
  }
  if (kind.needs.labels && compares_with_random) {
    return usageError(
        fmt::format("--by {} shows items that persons have labelled, which a simulation cannot "
                    "know; choose another queue",
                    kind.key));
  }
  auto opened = input.open(run, context);
  if (!opened) {
    return failWith(opened);
  }
  QueueRun result{.run = *std::move(opened)};
  result.notes = textsOf(result.run.meta.notes);
  if (!other.empty()) {
    auto second = input.open(other, context);
    if (!second) {
      return failWith(second);
    }
    addMissing(textsOf(second->meta.notes), result.notes);
    result.other = *std::move(second);
  }
  if (!features.empty()) {
    auto table = readFeatures(features, result.run.itemCount());
    if (!table) {
      return failWith(table);
    }
    result.features = *std::move(table);
  }
  if (kind.needs.images) {
    if (Status found = findImages(dataset, run, result, context); !found) {
      return failWith(found);
    }
  }
  result.inputs.name = run;
  result.inputs.other_name = other;
  result.inputs.rule = label_errors.rule;
  context.seed = seed;
  return result;
}

void QueueFlags::addTo(nlohmann::json& object, const QueueRun& opened, const Queue& queue) const {
  object["run"] = identityToJson(run, opened.run);
  if (opened.other) {
    object["other"] = identityToJson(other, *opened.other);
  }
  object["by"] = queue.key;
  object["name"] = queue.name;
  object["why"] = queue.why;
  if (queue.key == kRuleQueue) {
    object["rule"] = label_errors.rule;
  }
  if (compares_with_random || queue.key == kRandomQueue) {
    object["seed"] = seed;
  }
  std::vector<std::string> notes = opened.notes;
  addMissing(queue.notes, notes);
  object["notes"] = notes;
  if (!opened.run.meta.class_names.empty()) {
    object["class_names"] = opened.run.meta.class_names;
  }
}

std::string describeQueue(const QueueRun& opened, const Queue& queue) {
  std::vector<std::string> notes = opened.notes;
  addMissing(queue.notes, notes);
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text + fmt::format("{} ({})\n{}\n", queue.name, queue.key, queue.why);
}

}  // namespace dubito::cli
