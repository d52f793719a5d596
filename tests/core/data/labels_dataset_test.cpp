// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/labels_dataset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/data/sources/dataset_fingerprint.h"
#include "core/data/sources/dataset_source.h"
#include "core/data/sources/dataset_spec.h"
#include "core/labels/label_store.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Labels = std::map<std::int64_t, std::int64_t>;  ///< id -> label

/// Six points of the classes 0, 1, 2, 0, 1, 2.
constexpr const char* kPoints = "synthetic:blobs?blobs=3&n=6&seed=1";

template <class T>
T valueOf(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

Labels labelsOf(const Dataset& dataset) {
  Labels labels;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    labels[dataset.ids()[at]] = dataset.labels()[at];
  }
  return labels;
}

class LabelsDatasetTest : public testing::Test {
 protected:
  /// A new store of `spec` with the classes `names`.
  std::unique_ptr<LabelStore> newStore(const std::string& spec,
                                       const std::vector<std::string>& names,
                                       const std::string& fingerprint = {}) {
    auto store = valueOf(LabelStore::open(place_, StoreMode::kOpenOrCreate));
    const LabelledDataset dataset{.name = "points", .spec = spec, .fingerprint = fingerprint};
    if (const Status belongs = store->belongTo(dataset, names); !belongs) {
      throw std::runtime_error(belongs.error().message);
    }
    return store;
  }

  static void decide(LabelStore& store, std::int64_t item, std::int64_t class_id,
                     LabelOrigin origin = LabelOrigin::kPerson,
                     const std::string& annotator = "ann") {
    const Decision decision{.item = item,
                            .action = LabelAction::kCorrect,
                            .class_id = class_id,
                            .origin = origin,
                            .annotator = annotator};
    (void)valueOf(store.decide(std::span(&decision, 1)));
  }
  static void decide(LabelStore& store, std::int64_t item, LabelAction action) {
    const Decision decision{.item = item, .action = action, .annotator = "ann"};
    (void)valueOf(store.decide(std::span(&decision, 1)));
  }

  [[nodiscard]] Expected<DatasetPtr> openReviewed(const std::string& options = {}) const {
    RunContext context;
    return openDataset("labels:" + place_ + options, context);
  }
  [[nodiscard]] Labels reviewed(const std::string& options = {}) const {
    return labelsOf(*valueOf(openReviewed(options)));
  }
  [[nodiscard]] std::string error(const std::string& options = {}) const {
    const auto dataset = openReviewed(options);
    return dataset ? "no error" : dataset.error().message;
  }
  [[nodiscard]] std::vector<Setting> settings(const std::string& options = {}) const {
    const auto dataset = openReviewed(options);
    return dataset ? std::vector<Setting>() : dataset.error().remedy.settings;
  }

  test::TempDir folder_;
  std::string place_ = folder_.file("points.labels");
};

TEST_F(LabelsDatasetTest, DecisionsReplaceTheLabelsAndUndecidedItemsKeepTheirs) {
  {
    const auto store = newStore(kPoints, {"0", "1", "2"});
    decide(*store, 0, 2);                           // corrected
    decide(*store, 1, 1);                           // confirmed
    decide(*store, 2, LabelAction::kAmbiguous);     // left out
    decide(*store, 3, LabelAction::kNotInClasses);  // left out
    decide(*store, 4, LabelAction::kSkip);          // undecided
    decide(*store, 40, 1);                          // not in this dataset
  }
  EXPECT_EQ(reviewed(), (Labels{{0, 2}, {1, 1}, {4, 1}, {5, 2}}));
  EXPECT_EQ(reviewed("?undecided=keep"), reviewed());
  EXPECT_EQ(reviewed("?undecided=drop"), (Labels{{0, 2}, {1, 1}}));
  const auto dataset = valueOf(openReviewed());
  ASSERT_EQ(dataset->info().notes.size(), 1U);
  EXPECT_EQ(dataset->info().notes.front(),
            place_ +
                ": 2 of 6 items have a reviewed label (1 differ from the dataset's label); 2 are "
                "left out because no class fits or nobody can tell; 2 are undecided and keep the "
                "dataset's label; 1 labels belong to items that are not in this dataset");
  EXPECT_EQ(dataset->info().class_names, (std::vector<std::string>{"0", "1", "2"}));
}

TEST_F(LabelsDatasetTest, ItemsAreThoseOfTheDataset) {
  {
    const auto store = newStore(kPoints, {"0", "1", "2"});
    decide(*store, 0, LabelAction::kAmbiguous);
    decide(*store, 4, 0);
  }
  RunContext context;
  const auto points = valueOf(openDataset(kPoints, context));
  const auto dataset = valueOf(openReviewed());
  ASSERT_EQ(dataset->size(), 5);
  for (std::int64_t i = 0; i < dataset->size(); ++i) {
    EXPECT_EQ(dataset->ids()[static_cast<std::size_t>(i)], i + 1);
    EXPECT_EQ(dataset->itemName(i), points->itemName(i + 1));
    const auto sample = std::get<Array<float>>(valueOf(dataset->read(i)));
    const auto stored = std::get<Array<float>>(valueOf(points->read(i + 1)));
    EXPECT_TRUE(std::ranges::equal(sample.values(), stored.values()));
  }
  EXPECT_EQ(dataset->info().name, "blobs · reviewed");
  EXPECT_EQ(dataset->info().spec, "labels:" + place_);
  EXPECT_EQ(reviewed("?items=:2&classes=1,2"), (Labels{{1, 1}, {2, 2}}));
  // Runs over the same items are recognised as such.
  EXPECT_EQ(sourceParts("labels:" + place_).front().key, sourceParts(kPoints).front().key);
}

TEST_F(LabelsDatasetTest, NewClassesWidenTheListAndMergedOnesCountAsTheOther) {
  {
    const auto store = newStore(kPoints, {"cat", "dog", "fox"});
    const auto undone = valueOf(store->addClass("typo", "ann"));
    (void)valueOf(store->undo("ann"));
    const auto wolf = valueOf(store->addClass("wolf", "ann"));
    const auto bird = valueOf(store->addClass("bird", "ann"));
    const auto crow = valueOf(store->addClass("crow", "ann"));
    EXPECT_EQ(wolf.id, undone.id + 1);  // ids are never reused
    decide(*store, 0, wolf.id);
    decide(*store, 1, crow.id);
    decide(*store, 2, bird.id);
    ASSERT_OK(store->mergeClass(crow.id, bird.id, "ann"));
    ASSERT_OK(store->mergeClass(0, 1, "ann"));  // the undecided item 3 is a cat
    ASSERT_OK(store->changeClass({.id = 2, .name = "red fox"}, "ann"));
  }
  const auto dataset = valueOf(openReviewed());
  EXPECT_EQ(dataset->info().class_names,
            (std::vector<std::string>{"cat", "dog", "red fox", "wolf", "bird"}));
  EXPECT_EQ(labelsOf(*dataset), (Labels{{0, 3}, {1, 4}, {2, 4}, {3, 1}, {4, 1}, {5, 2}}));
}

TEST_F(LabelsDatasetTest, ClassesOfTheNetworkAreThoseOfTheDatasetWithTheSameName) {
  const std::string table = folder_.file("list.csv");
  std::ofstream(table) << "path,label\na.png,Bee\nb.png,ant\nc.png,Bee\n";
  for (const char* const name : {"a.png", "b.png", "c.png"}) {
    std::ofstream(folder_.file(name)) << "";
  }
  RunContext context;
  const auto given = valueOf(openDataset("csv:" + table, context));
  ASSERT_EQ(given->info().class_names, (std::vector<std::string>{"Bee", "ant"}));
  {
    const auto store = newStore("csv:" + table, {"ant", "bee", "wasp"});
    decide(*store, given->ids()[0], 0);
    decide(*store, given->ids()[1], 2);
  }
  const auto dataset = valueOf(openReviewed());
  EXPECT_EQ(dataset->info().class_names, (std::vector<std::string>{"Bee", "ant", "wasp"}));
  EXPECT_EQ(std::vector<std::int64_t>(dataset->labels().begin(), dataset->labels().end()),
            (std::vector<std::int64_t>{1, 2, 0}));
}

TEST_F(LabelsDatasetTest, WithoutANetworkClassesAreFoundByName) {
  {
    const auto store = newStore(kPoints, {});
    const auto two = valueOf(store->addClass("2", "ann"));
    const auto owl = valueOf(store->addClass("owl", "ann"));
    decide(*store, 0, two.id);
    decide(*store, 1, owl.id);
  }
  const auto dataset = valueOf(openReviewed());
  EXPECT_EQ(dataset->info().class_names, (std::vector<std::string>{"0", "1", "2", "owl"}));
  EXPECT_EQ(labelsOf(*dataset), (Labels{{0, 2}, {1, 3}, {2, 2}, {3, 0}, {4, 1}, {5, 2}}));
}

TEST_F(LabelsDatasetTest, OriginPersonIgnoresTheModel) {
  {
    const auto store = newStore(kPoints, {"0", "1", "2"});
    decide(*store, 0, 2, LabelOrigin::kModel, "model");
    decide(*store, 1, 0, LabelOrigin::kModel, "model");
    decide(*store, 1, 2);
    decide(*store, 1, 0, LabelOrigin::kPerson, "bob");
  }
  EXPECT_EQ(reviewed("?undecided=drop"), (Labels{{0, 2}, {1, 0}}));
  EXPECT_EQ(reviewed("?origin=person"), (Labels{{0, 0}, {1, 0}, {2, 2}, {3, 0}, {4, 1}, {5, 2}}));
  EXPECT_EQ(reviewed("?origin=person&undecided=drop"), (Labels{{1, 0}}));
  EXPECT_THAT(valueOf(openReviewed())->info().notes.front(),
              HasSubstr("(2 differ from the dataset's label, 1 were labelled by the model, 1 have "
                        "labels of persons who disagree, of which the newest counts)"));
}

TEST_F(LabelsDatasetTest, UnlabelledItemsBecomeTestItemsWithTheirNewLabels) {
  {
    const auto store = newStore(std::string(kPoints) + "&role=unlabelled", {"0", "1", "2"});
    decide(*store, 1, 2);
  }
  const auto dataset = valueOf(openReviewed());
  EXPECT_EQ(dataset->info().role, Role::kTest);
  EXPECT_EQ(labelsOf(*dataset), (Labels{{0, -1}, {1, 2}, {2, -1}, {3, -1}, {4, -1}, {5, -1}}));
  EXPECT_EQ(valueOf(openReviewed("?role=train"))->info().role, Role::kTrain);
}

TEST_F(LabelsDatasetTest, AnotherPlaceOfTheItemsIsGivenByOf) {
  {
    const auto store = newStore("folder:" + folder_.file("moved away"), {"0", "1", "2"});
    decide(*store, 5, 0);
  }
  EXPECT_EQ(error(), place_ + ": the dataset that its labels belong to cannot be opened (" +
                         folder_.file("moved away") +
                         ": there is no such folder; check the path); say where it is");
  EXPECT_EQ(settings(), std::vector{datasetSetting("of", "SPEC")});
  EXPECT_EQ(reviewed("?of=" + escapedSpec(std::string(kPoints) + "&items=4:")),
            (Labels{{4, 1}, {5, 0}}));
  EXPECT_THAT(error(std::string("?of=") + kPoints),
              HasSubstr("write their ? and & as %3F and %26"));
}

TEST_F(LabelsDatasetTest, AStoreOfOtherItemsIsRefused) {
  constexpr const char* kTwenty = "synthetic:blobs?blobs=3&n=20&seed=1";
  RunContext context;
  const std::string fingerprint = valueOf(datasetFingerprint(kTwenty, context));
  {
    const auto store = newStore(kTwenty, {"0", "1", "2"}, fingerprint);
    decide(*store, 4, 0);
  }
  // More of the same items, in another role, corrupted or reviewed, are still the same items.
  for (const std::string same :
       {"synthetic:blobs?blobs=3&n=60&seed=1", "synthetic:blobs?blobs=3&n=20&seed=1&items=3:",
        "synthetic:blobs?blobs=3&n=30&seed=1&role=train&corrupt=noise:3"}) {
    SCOPED_TRACE(same);
    EXPECT_EQ(reviewed("?of=" + escapedSpec(same)).at(4), 0);
  }
  EXPECT_EQ(valueOf(datasetFingerprint("labels:" + place_, context)), fingerprint);
  EXPECT_EQ(error("?of=" + escapedSpec("synthetic:blobs?blobs=3&n=6&seed=2")),
            place_ +
                ": belongs to the dataset 'points', whose items are not those of 'blobs'; open the "
                "label store of this dataset, or create a new one");
}

TEST_F(LabelsDatasetTest, StatesWhatDoesNotFit) {
  EXPECT_THAT(error(), HasSubstr("points.labels: does not exist"));
  {
    const auto store = newStore("", {"cat", "dog", "fox"});
    EXPECT_EQ(error(), place_ + ": does not say which dataset its labels belong to; name it");
    EXPECT_EQ(settings(), std::vector{datasetSetting("of", "SPEC")});
    const std::string decided = "?undecided=drop&of=" + escapedSpec(kPoints);
    EXPECT_EQ(error(decided),
              place_ +
                  ": no item of 'blobs' has a reviewed label that counts; review some, or keep the "
                  "others");
    EXPECT_EQ(settings(decided), std::vector{datasetSetting("undecided", "keep")});
    decide(*store, 77, 0);
  }
  const std::string of = "?of=" + escapedSpec(kPoints);
  EXPECT_EQ(error(of), place_ +
                           ": none of its 1 labels belongs to an item of 'blobs'; name the dataset "
                           "that was reviewed");
  EXPECT_EQ(settings(of), std::vector{datasetSetting("of", "SPEC")});
  EXPECT_THAT(error(of + "&undecided=maybe"),
              HasSubstr("undecided=maybe is not known; use keep or drop"));
  EXPECT_THAT(error(of + "&origin=model"),
              HasSubstr("origin=model is not known; use any or person"));
  EXPECT_THAT(error("?of=" + escapedSpec("labels:" + place_ + "?of=" + escapedSpec(kPoints))),
              HasSubstr("none of its 1 labels"));
}

TEST_F(LabelsDatasetTest, AStoreOfOtherClassesIsRefusedUnlessUndecidedItemsAreLeftOut) {
  const std::string table = folder_.file("list.csv");
  std::ofstream(table) << "path,label\na.png,Bee\nb.png,ant\n";
  std::ofstream(folder_.file("a.png")) << "";
  RunContext context;
  const auto given = valueOf(openDataset("csv:" + table, context));
  {
    const auto store = newStore("csv:" + table, {"Biene", "Ameise"});
    decide(*store, given->ids()[0], 1);
  }
  EXPECT_THAT(error(),
              HasSubstr("has none of the classes of 'list'; leave out the undecided items, "
                        "or name the dataset that was reviewed"));
  EXPECT_EQ(settings(),
            (std::vector{datasetSetting("undecided", "drop"), datasetSetting("of", "SPEC")}));
  EXPECT_EQ(reviewed("?undecided=drop"), (Labels{{given->ids()[0], 3}}));
}

TEST_F(LabelsDatasetTest, AStoreThatBelongsToItselfIsAnError) {
  {
    const auto store = newStore("labels:" + place_, {"0", "1", "2"});
    decide(*store, 0, 1);
  }
  EXPECT_EQ(error(), place_ +
                         ": its labels belong to their own dataset; name the dataset that was "
                         "reviewed");
  EXPECT_EQ(settings(), std::vector{datasetSetting("of", "SPEC")});
  EXPECT_EQ(reviewed("?of=" + escapedSpec(kPoints)).at(0), 1);
  RunContext context;
  EXPECT_EQ(valueOf(datasetFingerprint("labels:" + place_, context)), "");
}

std::map<std::string, std::string> contentsOf(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    contents[entry.path().filename()] = test::readBytes(entry.path());
  }
  return contents;
}

TEST_F(LabelsDatasetTest, OpeningLeavesTheStoreAsItIs) {
  {
    const auto store = newStore(kPoints, {"0", "1", "2"});
    decide(*store, 0, 1);
  }
  const auto before = contentsOf(folder_.path());
  EXPECT_EQ(reviewed().at(0), 1);
  EXPECT_TRUE(contentsOf(folder_.path()) == before);
  // Also while somebody works on it: what she has decided counts at once.
  const auto store = valueOf(LabelStore::open(place_, StoreMode::kOpen));
  decide(*store, 0, 2);
  EXPECT_EQ(reviewed().at(0), 2);
  RunContext context;
  EXPECT_FALSE(openDataset("labels:" + folder_.file("none.labels"), context));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("none.labels")));
}

TEST_F(LabelsDatasetTest, APlainPathIsRecognised) {
  {
    const auto store = newStore(kPoints, {"0", "1", "2"});
    decide(*store, 0, 1);
  }
  RunContext context;
  EXPECT_EQ(labelsOf(*valueOf(openDataset(place_ + "?undecided=drop", context))), (Labels{{0, 1}}));
  EXPECT_FALSE(openDataset(kPoints + std::string("&undecided=drop"), context));
}

TEST_F(LabelsDatasetTest, PasswordsAreNotRecorded) {
  const auto spec = parseDatasetSpec("labels:postgresql://ann:secret@host/db?undecided=drop");
  ASSERT_OK(spec);
  EXPECT_EQ(toString(labelsKind()->recorded(*spec)),
            "labels:postgresql://ann@host/db?undecided=drop");
  EXPECT_TRUE(labelsKind()->files(spec->location).empty());
}

TEST_F(LabelsDatasetTest, DatasetsWithoutRowNumbersHaveNoFingerprint) {
  const std::string table = folder_.file("list.csv");
  std::ofstream(table) << "path,label\na.png,Bee\nb.png,ant\n";
  std::ofstream(folder_.file("a.png")) << "";
  RunContext context;
  EXPECT_EQ(valueOf(datasetFingerprint("csv:" + table, context)), "");
}

}  // namespace
}  // namespace dubito
