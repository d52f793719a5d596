// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/learn/learned_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>
#include <utility>

#include "app/workbench/compute_request.h"
#include "core/analysis/same_items.h"
#include "core/base/now_ms.h"
#include "core/data/sources/relabelled_dataset.h"
#include "core/io/make_folder.h"
#include "core/labels/label_store.h"
#include "core/models/network_hash.h"
#include "core/review/formats/file_names.h"
#include "core/train/head/train_head.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Parts of the labels, each held out once.
constexpr std::int64_t kHeldOutFolds = 5;

/// The classes of a store and what persons have said with them.
struct StoredLabels {
  std::vector<LabelClass> classes;
  std::vector<std::string> network;  ///< names of the outputs at first
  std::vector<PresentLabel> labels;  ///< of persons, with a class
  std::int64_t sequence = 0;         ///< no entry after it is in `labels`
};

Expected<StoredLabels> storedLabels(const std::string& place) {
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  // First: the classes of all labels are then there even if somebody adds some meanwhile.
  auto labels = store ? (*store)->labels() : failWith(store);
  auto classes = labels ? (*store)->classes() : failWith(labels);
  auto network = classes ? (*store)->networkClasses() : failWith(classes);
  const auto sequence = network ? (*store)->newestSequence() : failWith(network);
  if (!sequence) {
    return failWith(sequence);
  }
  std::erase_if(*labels, [](const PresentLabel& label) {
    return label.origin != LabelOrigin::kPerson || !label.class_id;
  });
  return StoredLabels{*std::move(classes), *std::move(network), *std::move(labels), *sequence};
}

/// The items of a run with the labels of persons.
struct LabelledItems {
  DatasetPtr dataset;                     ///< all others are unlabelled
  std::vector<std::uint8_t> is_labelled;  ///< [N] rows of the run, 1 or 0
  RightCount before;                      ///< by the run itself
  std::int64_t classes = 0;               ///< with labels
};

/// Names by class id: those of the network's outputs at first, then those that persons have added.
std::vector<std::string> outputNames(const StoredLabels& stored, const Model& model) {
  std::vector<std::string> names = stored.network;
  const std::vector<std::string>& of_model = model.metadata().class_names;
  std::copy_n(of_model.begin(), std::min(of_model.size(), names.size()), names.begin());
  for (const LabelClass& one : stored.classes) {
    const auto id = static_cast<std::size_t>(one.id);
    if (id >= names.size()) {
      while (names.size() < id) {
        names.push_back(fmt::format("#{}", names.size()));  // its addition was undone
      }
      names.push_back(one.name);
    }
  }
  return names;
}

LabelledItems labelledItems(const AnalysisPart& part, const StoredLabels& stored,
                            const Model& model) {
  const Run& run = *part.run;
  LabelledItems items;
  items.is_labelled.resize(static_cast<std::size_t>(run.itemCount()));
  std::vector<std::int64_t> labels(static_cast<std::size_t>(part.dataset->size()), -1);
  std::set<std::int64_t> classes;
  for (const PresentLabel& label : stored.labels) {
    const auto row = rowOfId(part, label.item);
    const std::int64_t index = row ? part.dataset_index[static_cast<std::size_t>(*row)] : -1;
    if (index < 0) {
      continue;
    }
    items.is_labelled[static_cast<std::size_t>(*row)] = 1;
    labels[static_cast<std::size_t>(index)] = *label.class_id;
    classes.insert(*label.class_id);
    ++items.before.items;
    const std::int64_t predicted = mergedClass(stored.classes, run.predictions.data()[*row]);
    items.before.right += predicted == *label.class_id ? 1 : 0;
  }
  items.classes = static_cast<std::int64_t>(classes.size());
  DatasetInfo info = part.dataset->info();
  info.role = Role::kTrain;
  info.class_names = outputNames(stored, model);
  items.dataset =
      std::make_shared<const RelabelledDataset>(part.dataset, std::move(labels), std::move(info));
  return items;
}

/// Right predictions among the given labels of items that persons have not labelled.
RightCount rightAboutGiven(const Run& run, const std::vector<std::uint8_t>& is_labelled,
                           const std::vector<LabelClass>& classes) {
  RightCount count;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const std::int64_t given = run.labels.data()[row];
    if (given >= 0 && is_labelled[static_cast<std::size_t>(row)] == 0) {
      ++count.items;
      const bool is_right =
          mergedClass(classes, run.predictions.data()[row]) == mergedClass(classes, given);
      count.right += is_right ? 1 : 0;
    }
  }
  return count;
}

std::string absolutePath(const std::string& path) {
  std::error_code ignored;
  const fs::path full = fs::weakly_canonical(path, ignored);
  return full.empty() ? path : full.string();
}

/// The round that made `model`; null: it was not made by learning.
const LearningRound* roundThatMade(const Model& model, const std::vector<LearningRound>& rounds) {
  const auto made = std::ranges::find(rounds, absolutePath(model.path()), &LearningRound::model);
  return made == rounds.end() ? nullptr : &*made;
}

/// The network that `model` was made from by learning, if its file is still the same; else `model`.
Expected<ModelPtr> backboneOf(const ModelPtr& model, const LearningRequest& request,
                              const std::vector<LearningRound>& rounds, RunContext& context) {
  const LearningRound* const made = roundThatMade(*model, rounds);
  if (made == nullptr) {
    return model;
  }
  for (const ModelPtr& open : request.open) {
    if (networkHash(*open) == made->backbone_hash) {
      return open;
    }
  }
  auto loaded = loadModel(made->backbone, {}, context);
  if (!loaded && loaded.error().code == ErrorCode::kCancelled) {
    return loaded;
  }
  return loaded && networkHash(**loaded) == made->backbone_hash ? *loaded : model;
}

/// A file that is not there yet.
std::string freshModelFile(const std::string& store, const Model& backbone, std::int64_t labels) {
  const std::string name = fileNameOf(backbone.metadata().name);
  for (int number = 1;; ++number) {
    std::string path = fmt::format("{}/{}-{}-labels{}.pt", learnedFolder(store), name, labels,
                                   number == 1 ? "" : fmt::format("-{}", number));
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      return path;
    }
  }
}

/// Removes a file again unless keep() is called.
class NewFile {
 public:
  explicit NewFile(std::string path) : path_(std::move(path)) {}
  ~NewFile() {
    std::error_code ignored;
    if (!path_.empty()) {
      fs::remove(path_, ignored);
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void keep() { path_.clear(); }

 private:
  std::string path_;
};

/// The method of a run, if it can be repeated with another last layer unchanged.
MethodOptions repeatableMethod(const Analysis& analysis) {
  const MethodOptions method = analysis.method.value_or(MapOptions{});
  const MethodNeeds needs = inputsUsedBy(method);
  return needs.fit || needs.calibration || fitOf(method) != nullptr ? MethodOptions(MapOptions{})
                                                                    : method;
}

Expected<AnalysisPtr> repeatedRun(const LearningRequest& request, const ModelPtr& model,
                                  std::int64_t labels, RunContext& context) {
  const Analysis& before = *request.analysis;
  ComputeRequest compute;
  compute.model = model;
  compute.in = {before.in().name, before.in().dataset};
  compute.method = repeatableMethod(before);
  compute.predict = request.predict;
  compute.evaluation = before.options;
  for (std::size_t part = 1; part < before.parts.size(); ++part) {
    if (before.parts[part].dataset) {
      compute.ood.push_back({before.parts[part].name, before.parts[part].dataset});
    }
  }
  const auto computed = computeAnalysis(compute, context);
  if (!computed) {
    return computed;
  }
  auto noted = std::make_shared<Analysis>(**computed);
  Run run = *noted->in().run;
  run.meta.notes.push_back(
      fmt::format("its last layer was trained on reviewed labels of {} of these items; results on "
                  "them look better than on others",
                  labels));
  noted->parts.front().run = std::make_shared<const Run>(std::move(run));
  return AnalysisPtr(std::move(noted));
}

Status checkLabels(const LabelledItems& items) {
  if (items.before.items < kFewestLabels || items.classes < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("There are {} labels of {} classes, but at least {} labels of two "
                            "classes are needed to learn from; review more images",
                            items.before.items, items.classes, kFewestLabels));
  }
  return {};
}

}  // namespace

std::string learnedFolder(const std::string& store) {
  return fs::path(store).replace_extension(".learned").string();
}

std::string roundsFile(const std::string& store) {
  return learnedFolder(store) + "/rounds.json";
}

std::vector<LearningRound> roundsOf(const std::vector<LearningRound>& rounds, const Model& model) {
  const LearningRound* const made = roundThatMade(model, rounds);
  const std::string& hash = made == nullptr ? networkHash(model) : made->backbone_hash;
  std::vector<LearningRound> result;
  std::ranges::copy_if(rounds, std::back_inserter(result),
                       [&hash](const LearningRound& round) { return round.backbone_hash == hash; });
  std::ranges::stable_sort(result, {}, &LearningRound::labels);
  return result;
}

Status removeLearned(const std::string& store, const Model* model,
                     std::vector<RecordedDecision>& journal) {
  if (model == nullptr) {
    return {};
  }
  const auto rounds = readLearningRounds(roundsFile(store));
  if (!rounds) {
    return failWith(rounds);
  }
  const LearningRound* const made = roundThatMade(*model, *rounds);
  if (made == nullptr) {
    return {};
  }
  std::unordered_set<std::int64_t> learned;
  for (const RecordedDecision& recorded : journal) {
    const Decision& decision = recorded.decision;
    if (recorded.sequence <= made->sequence && assignsClass(decision.action) &&
        decision.origin == LabelOrigin::kPerson) {
      learned.insert(decision.item);
    }
  }
  std::erase_if(journal, [&learned](const RecordedDecision& recorded) {
    return learned.contains(recorded.decision.item);
  });
  return {};
}

Expected<LearnedRun> learnedRun(const LearningRequest& request, RunContext& context) {
  const AnalysisPart& part = request.analysis->in();
  const auto stored = storedLabels(request.store);
  const auto rounds = stored ? readLearningRounds(roundsFile(request.store)) : failWith(stored);
  const auto backbone =
      rounds ? backboneOf(request.analysis->model, request, *rounds, context) : failWith(rounds);
  if (!backbone) {
    return failWith(backbone);
  }
  const LabelledItems items = labelledItems(part, *stored, **backbone);
  for (const Status& status : {checkLabels(items), makeFolder(learnedFolder(request.store))}) {
    if (!status) {
      return failWith(status);
    }
  }
  const std::string path = freshModelFile(request.store, **backbone, items.before.items);
  const HeadOptions options{.folds = kHeldOutFolds,
                            // The outputs are the classes of the store, by their ids.
                            .classes = "dataset",
                            .feature_cache = request.feature_folder};
  NewFile file(path);
  const auto report =
      trainHead(**backbone, *items.dataset, options, request.predict.batch, path, context);
  const auto model = report ? loadModel(path, {}, context) : failWith(report);
  const auto analysis =
      model ? repeatedRun(request, *model, report->items, context) : failWith(model);
  if (!analysis) {
    return failWith(analysis);
  }
  LearningRound round{
      .time_ms = nowMs(),
      .labels = report->items,
      .classes = items.classes,
      .sequence = stored->sequence,
      .backbone = absolutePath((*backbone)->path()),
      .backbone_hash = networkHash(**backbone),
      .model = absolutePath(path),
      .held_out = *report->held_out,
      .given = rightAboutGiven(*(*analysis)->in().run, items.is_labelled, stored->classes)};
  std::vector<LearningRound> added;
  if (roundsOf(*rounds, **backbone).empty() && *backbone == request.analysis->model) {
    // The curve begins with the unchanged network, which has seen none of these labels.
    LearningRound first = round;
    first.labels = 0;
    first.model.clear();
    first.held_out = items.before;
    first.given = rightAboutGiven(*part.run, items.is_labelled, stored->classes);
    added.push_back(std::move(first));
  }
  added.push_back(round);
  if (Status kept = addLearningRounds(roundsFile(request.store), added); !kept) {
    return failWith(kept);
  }
  file.keep();
  return LearnedRun{request.analysis, *backbone, *analysis, std::move(round)};
}

}  // namespace dubito
