// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_store.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/labels/sql/open_connection.h"
#include "tests/core/labels/store_fixture.h"
#include "tests/support/sanitized.h"

namespace dubito {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

class LabelStoreTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, LabelStoreTest, testing::Values(Backend::kFile, Backend::kServer),
                         nameOf);

std::vector<std::int64_t> itemsOf(const std::vector<RecordedDecision>& decisions) {
  std::vector<std::int64_t> items;
  for (const RecordedDecision& recorded : decisions) {
    items.push_back(recorded.decision.item);
  }
  return items;
}

/// Item and class of all present labels, as "1:2 3:-" (- without a class).
std::string labelsOf(LabelStore& store) {
  std::string text;
  for (const PresentLabel& label : valueOrThrow(store.labels())) {
    text += (text.empty() ? "" : " ") + std::to_string(label.item) + ":" +
            (label.class_id ? std::to_string(*label.class_id) : "-");
  }
  return text;
}

std::string namesOf(LabelStore& store) {
  std::string text;
  for (const LabelClass& one : valueOrThrow(store.classes())) {
    text += (text.empty() ? "" : " ") + std::to_string(one.id) + ":" + one.name +
            (one.merged_into ? ">" + std::to_string(*one.merged_into) : "");
  }
  return text;
}

template <class T>
void expectRefused(const Expected<T>& result, const std::string& reason) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message, HasSubstr(reason));
}

TEST_P(LabelStoreTest, IsCreatedOnlyOnRequest) {
  for (const StoreMode mode : {StoreMode::kOpen, StoreMode::kReadOnly}) {
    const auto absent = LabelStore::open(place(), mode);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(absent.error().message, HasSubstr(place() + ": "));
  }
  for (int i = 0; i < 2; ++i) {
    const auto store = openStore(place(), StoreMode::kOpenOrCreate);
    EXPECT_EQ(store->place(), place());
    EXPECT_THAT(store->notes(), IsEmpty());
    EXPECT_EQ(valueOrThrow(store->newestSequence()), 0);
    EXPECT_EQ(labelsOf(*store), "");
    EXPECT_EQ(namesOf(*store), "");
    EXPECT_EQ(valueOrThrow(store->dataset()), std::nullopt);
  }
  EXPECT_OK(LabelStore::open(place(), StoreMode::kReadOnly));
}

TEST_P(LabelStoreTest, BelongsToOneDataset) {
  const auto store = newStore();
  const auto recorded = valueOrThrow(store->dataset());
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->name, "animals");
  EXPECT_EQ(recorded->spec, "folder:a");
  EXPECT_EQ(recorded->fingerprint, "1");
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox");

  const std::vector<std::string> names{"cat", "dog", "fox"};
  // The same items elsewhere, or items that nobody has compared.
  EXPECT_OK(store->belongTo({.name = "b", .spec = "folder:/b", .fingerprint = "1"}, names));
  EXPECT_OK(store->belongTo({.name = "b", .spec = "folder:/b", .fingerprint = ""}, {}));
  expectRefused(store->belongTo({.name = "birds", .spec = "", .fingerprint = "2"}, names),
                "belongs to the dataset 'animals', whose items are not those of 'birds'");
  const std::vector<std::string> other{"cat", "wolf", "fox"};
  expectRefused(store->belongTo({.name = "a", .spec = "", .fingerprint = "1"}, other),
                "whose class 1 is 'dog', not 'wolf'");
  const std::vector<std::string> fewer{"cat", "dog"};
  expectRefused(store->belongTo({.name = "a", .spec = "", .fingerprint = "1"}, fewer),
                "a network of 3 classes, not 2");
  EXPECT_EQ(valueOrThrow(store->newestSequence()), 3);
}

TEST_P(LabelStoreTest, AcceptsTheNetworkBeforeAndAfterAClassWasRenamedAndAdded) {
  const auto store = newStore();
  ASSERT_OK(store->changeClass({.id = 1, .name = "hound"}, "ann"));
  ASSERT_OK(store->addClass("owl", "ann"));
  const LabelledDataset dataset{.name = "a", .spec = "", .fingerprint = "1"};
  const std::vector<std::string> before{"cat", "dog", "fox"};
  const std::vector<std::string> after{"cat", "hound", "fox", "owl"};
  EXPECT_OK(store->belongTo(dataset, before));
  EXPECT_OK(store->belongTo(dataset, after));
}

TEST_P(LabelStoreTest, ReadsDecisionsBackInFull) {
  const Decision decision{.item = -9'000'000'000'000'000'000,
                          .content_hash = "00ff",
                          .item_name = "caf\u00e9/'x\"; DROP TABLE journal;--.png",
                          .action = LabelAction::kCorrect,
                          .class_id = 2,
                          .origin = LabelOrigin::kPerson,
                          .previous_class = 1,
                          .previous_origin = LabelOrigin::kModel,
                          .annotator = "J\u00fcrgen \U0001F989",
                          .time_ms = 1'700'000'000'123,
                          .spent_ms = 4321,
                          .prediction_shown = false,
                          .queue = "entropy",
                          .run = "a.npz, mc-dropout",
                          .probs = {0.25F, 1e-30F, 0.75F}};
  std::int64_t step = 0;
  {
    const auto store = newStore();
    step = decideOne(*store, decision);
  }
  const auto store = openStore(place(), StoreMode::kReadOnly);
  const auto journal = valueOrThrow(store->journal());
  ASSERT_EQ(journal.size(), 1U);
  EXPECT_EQ(journal[0].step, step);
  EXPECT_EQ(journal[0].sequence, 4);  // after the three classes
  EXPECT_FALSE(journal[0].undone);
  const Decision& read = journal[0].decision;
  EXPECT_EQ(read.item, decision.item);
  EXPECT_EQ(read.content_hash, decision.content_hash);
  EXPECT_EQ(read.item_name, decision.item_name);
  EXPECT_EQ(read.action, decision.action);
  EXPECT_EQ(read.class_id, decision.class_id);
  EXPECT_EQ(read.origin, decision.origin);
  EXPECT_EQ(read.previous_class, decision.previous_class);
  EXPECT_EQ(read.previous_origin, decision.previous_origin);
  EXPECT_EQ(read.annotator, decision.annotator);
  EXPECT_EQ(read.time_ms, decision.time_ms);
  EXPECT_EQ(read.spent_ms, decision.spent_ms);
  EXPECT_EQ(read.prediction_shown, decision.prediction_shown);
  EXPECT_EQ(read.queue, decision.queue);
  EXPECT_EQ(read.run, decision.run);
  EXPECT_EQ(read.probs, decision.probs);
}

TEST_P(LabelStoreTest, RecordsTheTimeAndTextsThatAreNotUtf8) {
  const auto store = newStore();
  Decision decision = acceptance(1, 0);
  decision.item_name = std::string("a\xFF\0b", 4);
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  decideOne(*store, decision);
  const auto journal = valueOrThrow(store->journal());
  EXPECT_EQ(journal.at(0).decision.item_name, "a\uFFFD?b");
  EXPECT_NEAR(static_cast<double>(journal.at(0).decision.time_ms),
              static_cast<double>(std::chrono::duration_cast<milliseconds>(before).count()),
              60'000.0);
}

TEST_P(LabelStoreTest, TheNewestDecisionCountsAndPersonsComeBeforeTheModel) {
  const auto store = newStore();
  Decision by_model = acceptance(1, 0);
  by_model.origin = LabelOrigin::kModel;
  decideOne(*store, by_model);
  EXPECT_EQ(labelsOf(*store), "1:0");
  EXPECT_EQ(valueOrThrow(store->label(1))->annotators, 0);
  EXPECT_EQ(valueOrThrow(store->label(1))->origin, LabelOrigin::kModel);

  decideOne(*store, acceptance(1, 1));
  by_model.class_id = 2;
  const std::int64_t sequence = decideOne(*store, by_model);
  EXPECT_EQ(labelsOf(*store), "1:1");
  decideOne(*store, by_model);
  const auto label = valueOrThrow(store->label(1));
  ASSERT_TRUE(label);
  EXPECT_EQ(label->class_id, 1);
  EXPECT_EQ(label->origin, LabelOrigin::kPerson);
  EXPECT_EQ(label->annotator, "ann");
  EXPECT_EQ(label->annotators, 1);
  EXPECT_FALSE(label->conflict);
  EXPECT_EQ(label->sequence, sequence - 1);

  Decision none = acceptance(1, 0);
  none.action = LabelAction::kNotInClasses;
  none.class_id.reset();
  decideOne(*store, none);
  EXPECT_EQ(labelsOf(*store), "1:-");
  EXPECT_EQ(valueOrThrow(store->label(1))->action, LabelAction::kNotInClasses);
  EXPECT_EQ(valueOrThrow(store->label(2)), std::nullopt);
}

TEST_P(LabelStoreTest, SecondOpinionsCountAndConflict) {
  const auto ann = newStore();
  const auto bob = openStore(place());
  decideOne(*ann, acceptance(1, 2));
  Decision same = acceptance(1, 2, "bob");
  same.action = LabelAction::kCorrect;
  decideOne(*bob, same);
  EXPECT_EQ(valueOrThrow(ann->label(1))->annotators, 2);
  EXPECT_FALSE(valueOrThrow(ann->label(1))->conflict);

  decideOne(*bob, acceptance(1, 0, "bob"));
  auto label = valueOrThrow(ann->label(1));
  EXPECT_EQ(label->annotators, 2);
  EXPECT_TRUE(label->conflict);
  EXPECT_EQ(label->class_id, 0);
  EXPECT_EQ(label->annotator, "bob");

  // Skipping is no opinion; finding the item ambiguous is.
  Decision skip = acceptance(1, 0, "bob");
  skip.action = LabelAction::kSkip;
  skip.class_id.reset();
  decideOne(*bob, skip);
  EXPECT_FALSE(valueOrThrow(ann->label(1))->conflict);
  skip.action = LabelAction::kAmbiguous;
  decideOne(*bob, skip);
  EXPECT_TRUE(valueOrThrow(ann->label(1))->conflict);
  ASSERT_OK(bob->undo("bob"));
  ASSERT_OK(bob->undo("bob"));
  EXPECT_TRUE(valueOrThrow(ann->label(1))->conflict);
  ASSERT_OK(bob->undo("bob"));
  EXPECT_FALSE(valueOrThrow(ann->label(1))->conflict);
  EXPECT_EQ(valueOrThrow(ann->label(1))->annotators, 2);
}

TEST_P(LabelStoreTest, UndoAndRedoWithoutLimitAndAcrossReopening) {
  constexpr std::int64_t kSteps = 40;
  auto store = newStore();
  for (std::int64_t item = 0; item < kSteps; ++item) {
    decideOne(*store, acceptance(item, item % 3));
  }
  const std::string all = labelsOf(*store);
  for (std::int64_t left = kSteps - 1; left >= 0; --left) {
    if (left % 10 == 0) {
      store = openStore(place());
    }
    const auto undone = valueOrThrow(store->undo("ann"));
    ASSERT_TRUE(undone);
    ASSERT_EQ(undone->decisions.size(), 1U);
    EXPECT_EQ(undone->decisions[0].decision.item, left);
    EXPECT_TRUE(undone->decisions[0].undone);
    EXPECT_EQ(valueOrThrow(store->labels()).size(), static_cast<std::size_t>(left));
  }
  EXPECT_EQ(valueOrThrow(store->undo("ann")), std::nullopt);
  for (std::int64_t item = 0; item < kSteps; ++item) {
    if (item % 10 == 0) {
      store = openStore(place());
    }
    const auto restored = valueOrThrow(store->redo("ann"));
    ASSERT_TRUE(restored);
    EXPECT_EQ(restored->decisions.at(0).decision.item, item);
    EXPECT_FALSE(restored->decisions.at(0).undone);
  }
  EXPECT_EQ(valueOrThrow(store->redo("ann")), std::nullopt);
  EXPECT_EQ(labelsOf(*store), all);
  // The journal has everything: three classes, and of each decision its undo and redo.
  EXPECT_EQ(valueOrThrow(store->newestSequence()), 3 + 3 * kSteps);
  EXPECT_EQ(valueOrThrow(store->journal()).size(), static_cast<std::size_t>(kSteps));
}

TEST_P(LabelStoreTest, ANewDecisionEndsRedoAndUndoRestoresWhatWasBefore) {
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0));
  decideOne(*store, acceptance(1, 1));
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(labelsOf(*store), "1:0");
  decideOne(*store, acceptance(1, 2));
  EXPECT_EQ(valueOrThrow(store->redo("ann")), std::nullopt);
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(labelsOf(*store), "1:0");
  // The step that was undone before the newer decision stays undone.
  ASSERT_TRUE(valueOrThrow(store->redo("ann")));
  EXPECT_EQ(labelsOf(*store), "1:2");
  EXPECT_EQ(valueOrThrow(store->redo("ann")), std::nullopt);
}

TEST_P(LabelStoreTest, EverybodyUndoesOnlyTheirOwnSteps) {
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0, "ann"));
  decideOne(*store, acceptance(2, 1, "bob"));
  EXPECT_EQ(valueOrThrow(store->undo("eve")), std::nullopt);
  EXPECT_EQ(valueOrThrow(store->undo("ann"))->decisions.at(0).decision.item, 1);
  EXPECT_EQ(labelsOf(*store), "2:1");
  // A decision of somebody else does not end redo.
  decideOne(*store, acceptance(3, 2, "bob"));
  EXPECT_TRUE(valueOrThrow(store->redo("ann")));
  EXPECT_EQ(labelsOf(*store), "1:0 2:1 3:2");
}

TEST_P(LabelStoreTest, AStepOfManyDecisionsIsUndoneAtOnce) {
  const auto store = newStore();
  decideOne(*store, acceptance(7, 2));
  std::vector<Decision> grid;
  for (std::int64_t item = 0; item < 1200; ++item) {
    grid.push_back(acceptance(item, 1));
  }
  const std::int64_t step = valueOrThrow(store->decide(grid));
  EXPECT_EQ(valueOrThrow(store->labels()).size(), 1200U);
  EXPECT_EQ(valueOrThrow(store->label(7))->class_id, 1);
  const auto undone = valueOrThrow(store->undo("ann"));
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->step, step);
  EXPECT_EQ(undone->decisions.size(), 1200U);
  EXPECT_EQ(labelsOf(*store), "7:2");
  EXPECT_EQ(valueOrThrow(store->redo("ann"))->decisions.size(), 1200U);
  EXPECT_EQ(valueOrThrow(store->labels()).size(), 1200U);
}

TEST_P(LabelStoreTest, RefusesDecisionsThatMakeNoSenseAndRecordsNothingOfTheirStep) {
  const auto store = newStore();
  expectRefused(store->decide({}), "no decision");
  std::vector<Decision> step{acceptance(1, 0), acceptance(2, 3)};
  expectRefused(store->decide(step), "item 2: there is no class with the number 3");
  step[1] = acceptance(2, 0);
  step[1].class_id.reset();
  step[1].item_name = "b.png";
  expectRefused(store->decide(step), "'b.png': \"accept\" needs a class");
  step[1].class_id = 0;
  step[1].action = LabelAction::kSkip;
  expectRefused(store->decide(step), "\"skip\" takes no class");
  step[1] = acceptance(2, 0, "bob");
  expectRefused(store->decide(step), "decisions of 'ann' and 'bob'");
  EXPECT_EQ(labelsOf(*store), "");
  EXPECT_EQ(valueOrThrow(store->newestSequence()), 3);
}

TEST_P(LabelStoreTest, RefusesItemsWhoseContentHasChanged) {
  const auto store = newStore();
  Decision first = acceptance(1, 0);
  first.content_hash = "aaaa";
  first.item_name = "one.png";
  decideOne(*store, first);
  Decision same = first;
  same.annotator = "bob";
  EXPECT_OK(store->decide(std::span(&same, 1)));
  Decision unknown = first;
  unknown.content_hash.clear();
  EXPECT_OK(store->decide(std::span(&unknown, 1)));
  Decision changed = first;
  changed.content_hash = "bbbb";
  expectRefused(store->decide(std::span(&changed, 1)),
                "'one.png' has changed since it was labelled");
  // Among many, and within one step.
  std::vector<Decision> many;
  for (std::int64_t item = 2; item < 1000; ++item) {
    many.push_back(acceptance(item, 1));
    many.back().content_hash = "cccc";
  }
  many.push_back(changed);
  expectRefused(store->decide(many), "'one.png' has changed");
  many.back() = many.front();
  many.back().content_hash = "dddd";
  expectRefused(store->decide(many), "item 2 has changed");
  EXPECT_EQ(labelsOf(*store), "1:0");
  // Hashes of different kinds are not compared.
  Decision file = first;
  file.content_hash = "file:cccc";
  EXPECT_OK(store->decide(std::span(&file, 1)));
  EXPECT_OK(store->decide(std::span(&first, 1)));
  changed.content_hash = "file:dddd";
  expectRefused(store->decide(std::span(&changed, 1)), "'one.png' has changed");
}

TEST_P(LabelStoreTest, ClassesAreAddedChangedMergedAndTakenBack) {
  const auto store = newStore();
  const LabelClass owl = valueOrThrow(store->addClass("owl", "ann"));
  EXPECT_EQ(owl.id, 3);
  EXPECT_EQ(owl.name, "owl");
  decideOne(*store, acceptance(1, 3));
  decideOne(*store, acceptance(2, 1));
  ASSERT_OK(store->changeClass({.id = 1, .name = "hound", .colour = "#aa00ff", .key = "h"}, "ann"));
  const auto classes = valueOrThrow(store->classes());
  EXPECT_EQ(classes.at(1).name, "hound");
  EXPECT_EQ(classes.at(1).colour, "#aa00ff");
  EXPECT_EQ(classes.at(1).key, "h");
  ASSERT_OK(store->mergeClass(3, 1, "ann"));
  EXPECT_EQ(namesOf(*store), "0:cat 1:hound 2:fox 3:owl>1");
  EXPECT_EQ(labelsOf(*store), "1:1 2:1");
  ASSERT_OK(store->mergeClass(1, 0, "ann"));
  EXPECT_EQ(labelsOf(*store), "1:0 2:0");
  EXPECT_EQ(valueOrThrow(store->label(1))->class_id, 0);
  EXPECT_EQ(valueOrThrow(store->journal()).at(0).decision.class_id, 3);  // as decided

  EXPECT_THAT(valueOrThrow(store->undo("ann"))->decisions, IsEmpty());
  EXPECT_EQ(labelsOf(*store), "1:1 2:1");
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(labelsOf(*store), "1:3 2:1");
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox 3:owl");
  ASSERT_OK(store->redo("ann"));
  ASSERT_OK(store->redo("ann"));
  EXPECT_EQ(namesOf(*store), "0:cat 1:hound 2:fox 3:owl>1");
  EXPECT_EQ(labelsOf(*store), "1:1 2:1");
}

TEST_P(LabelStoreTest, MergedClassesAgree) {
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0, "ann"));
  decideOne(*store, acceptance(1, 1, "bob"));
  EXPECT_TRUE(valueOrThrow(store->label(1))->conflict);
  ASSERT_OK(store->mergeClass(1, 0, "ann"));
  EXPECT_FALSE(valueOrThrow(store->label(1))->conflict);
}

TEST_P(LabelStoreTest, IdsOfClassesAreNeverReused) {
  const auto store = newStore();
  EXPECT_EQ(valueOrThrow(store->addClass("owl", "ann")).id, 3);
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox");
  EXPECT_EQ(valueOrThrow(store->addClass("owl", "ann")).id, 4);
}

TEST_P(LabelStoreTest, RefusesChangesOfClassesThatMakeNoSense) {
  const auto store = newStore();
  expectRefused(store->addClass("cat", "ann"), "two classes named 'cat'");
  expectRefused(store->addClass("", "ann"), "the name of the class is empty");
  expectRefused(store->changeClass({.id = 9, .name = "x"}, "ann"), "no class with the number 9");
  expectRefused(store->changeClass({.id = 1, .name = "fox"}, "ann"), "two classes named 'fox'");
  ASSERT_OK(store->changeClass({.id = 1, .name = "dog", .key = "d"}, "ann"));
  expectRefused(store->changeClass({.id = 2, .name = "fox", .key = "d"}, "ann"), "the key 'd'");
  expectRefused(store->mergeClass(1, 1, "ann"), "cannot be merged into itself");
  expectRefused(store->mergeClass(1, 8, "ann"), "no class with the number 8");
  ASSERT_OK(store->mergeClass(1, 2, "ann"));
  expectRefused(store->mergeClass(1, 0, "ann"), "no class with the number 1");
  expectRefused(store->mergeClass(2, 1, "ann"), "no class with the number 1");
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog>2 2:fox");
}

TEST_P(LabelStoreTest, AClassThatOthersUseIsNotTakenBack) {
  const auto store = newStore();
  ASSERT_OK(store->addClass("owl", "ann"));
  decideOne(*store, acceptance(1, 3, "bob"));
  expectRefused(store->undo("ann"), "cannot be undone, because 1 newer entry uses its class");
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox 3:owl");
  ASSERT_OK(store->undo("bob"));
  ASSERT_OK(store->undo("ann"));
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox");
  expectRefused(store->redo("bob"), "cannot be restored");
  ASSERT_OK(store->redo("ann"));
  ASSERT_OK(store->redo("bob"));
  EXPECT_EQ(labelsOf(*store), "1:3");
}

TEST_P(LabelStoreTest, MergesOfTwoPeopleFormNoCircle) {
  const auto store = newStore();
  ASSERT_OK(store->mergeClass(0, 1, "ann"));
  ASSERT_OK(store->undo("ann"));
  ASSERT_OK(store->mergeClass(1, 0, "bob"));
  expectRefused(store->redo("ann"), "cannot be restored");
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog>0 2:fox");
}

TEST_P(LabelStoreTest, JournalAndNewest) {
  const auto store = newStore();
  for (std::int64_t item = 1; item <= 6; ++item) {
    decideOne(*store, acceptance(item, 0, item % 2 == 0 ? "bob" : "ann"));
  }
  ASSERT_OK(store->undo("bob"));
  EXPECT_THAT(itemsOf(valueOrThrow(store->journal())), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(valueOrThrow(store->journal()).at(5).undone);
  EXPECT_THAT(itemsOf(valueOrThrow(store->journal(3 + 4))), ElementsAre(5, 6));
  EXPECT_THAT(itemsOf(valueOrThrow(store->newest("bob", 2))), ElementsAre(6, 4));
  EXPECT_THAT(itemsOf(valueOrThrow(store->newest("", 3))), ElementsAre(6, 5, 4));
  EXPECT_THAT(valueOrThrow(store->newest("eve", 3)), IsEmpty());
  EXPECT_EQ(valueOrThrow(store->newestSequence()), 3 + 6 + 1);
}

TEST_P(LabelStoreTest, TwoStoresSeeEachOther) {
  const auto one = newStore();
  const auto two = openStore(place());
  decideOne(*one, acceptance(1, 0, "ann"));
  const std::int64_t seen = valueOrThrow(two->newestSequence());
  EXPECT_EQ(labelsOf(*two), "1:0");
  decideOne(*two, acceptance(2, 1, "bob"));
  EXPECT_GT(valueOrThrow(one->newestSequence()), seen);
  EXPECT_THAT(itemsOf(valueOrThrow(one->journal(seen))), ElementsAre(2));
  ASSERT_OK(one->addClass("owl", "ann"));
  EXPECT_EQ(namesOf(*two), "0:cat 1:dog 2:fox 3:owl");
}

TEST_P(LabelStoreTest, ReservationsKeepItemsFromOthersUntilTheyEnd) {
  const auto ann = newStore();
  const auto bob = openStore(place());
  const std::vector<std::int64_t> items{5, 3, 9, 1};
  const auto reserve = [&](LabelStore& store, const char* holder, std::int64_t count,
                           milliseconds duration = milliseconds(60'000)) {
    return valueOrThrow(store.reserve(items, count, holder, duration));
  };
  EXPECT_THAT(reserve(*ann, "ann", 2), ElementsAre(5, 3));
  EXPECT_THAT(reserve(*bob, "bob", 10), ElementsAre(9, 1));
  EXPECT_THAT(reserve(*bob, "eve", 10), IsEmpty());
  EXPECT_THAT(reserve(*ann, "ann", 10), ElementsAre(5, 3));
  const auto reserved = valueOrThrow(ann->reserved());
  ASSERT_EQ(reserved.size(), 2U);
  EXPECT_EQ(reserved[0].holder, "ann");
  EXPECT_EQ(reserved[1].holder, "bob");
  EXPECT_EQ(reserved[0].items, 2);
  const std::chrono::milliseconds now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const std::int64_t left_ms = reserved[1].until_ms - now.count();
  EXPECT_GT(left_ms, 50'000);
  EXPECT_LE(left_ms, 60'000);
  // A decision ends the reservation of its item, whoever holds it.
  decideOne(*bob, acceptance(5, 0, "bob"));
  EXPECT_THAT(reserve(*bob, "eve", 10), ElementsAre(5));
  ASSERT_OK(ann->release("ann"));
  EXPECT_THAT(reserve(*bob, "eve", 10), ElementsAre(5, 3));
  ASSERT_OK(ann->release("eve"));
  ASSERT_OK(ann->release("bob"));
  EXPECT_THAT(reserve(*ann, "ann", 0), IsEmpty());
  // Reservations end by themselves; a renewal counts from now.
  EXPECT_THAT(reserve(*ann, "ann", 2, milliseconds(300)), ElementsAre(5, 3));
  EXPECT_THAT(reserve(*ann, "ann", 1), ElementsAre(5));
  std::this_thread::sleep_for(milliseconds(400));
  EXPECT_THAT(reserve(*bob, "bob", 10), ElementsAre(3, 9, 1));
}

TEST_P(LabelStoreTest, TheDatabaseItselfRefusesToChangeTheJournal) {
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0));
  const auto connection = valueOrThrow(openConnection(place(), StoreMode::kOpen));
  for (const char* statement :
       {"UPDATE journal SET class_id = 1 WHERE item = 1", "DELETE FROM journal WHERE item = 1",
        "UPDATE dataset SET name = 'x'", "DELETE FROM dataset",
        "INSERT INTO journal (sequence, step, kind, annotator, time_ms, item, action, origin) "
        "VALUES (99, 99, 'decision', 'a', 1, 1, 'guess', 'person')"}) {
    const Status done = connection->runScript(statement);
    ASSERT_FALSE(done) << statement;
    EXPECT_EQ(done.error().code, ErrorCode::kInternal) << statement;
  }
  EXPECT_EQ(labelsOf(*store), "1:0");
}

TEST_P(LabelStoreTest, ACopyHasEverythingAndGoesOn) {
  const auto store = newStore();
  Decision decision = acceptance(1, 0);
  decision.probs = {0.5F, 0.25F, 0.25F};
  decideOne(*store, decision);
  decideOne(*store, acceptance(2, 1));
  ASSERT_OK(store->undo("ann"));
  ASSERT_OK(store->addClass("owl", "bob"));
  const std::string path = folder_.file("copy.labels");
  ASSERT_OK(store->copyTo(path));
  const auto again = store->copyTo(path);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(again.error().message, path + ": already exists; choose another name");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}),
            GetParam() == Backend::kFile ? 4 : 1);  // no temporary files

  const auto copy = openStore(path);
  EXPECT_EQ(valueOrThrow(copy->dataset())->fingerprint, "1");
  EXPECT_EQ(namesOf(*copy), "0:cat 1:dog 2:fox 3:owl");
  EXPECT_EQ(labelsOf(*copy), "1:0");
  EXPECT_EQ(valueOrThrow(copy->newestSequence()), valueOrThrow(store->newestSequence()));
  EXPECT_EQ(valueOrThrow(copy->journal()).at(0).decision.probs, decision.probs);
  ASSERT_TRUE(valueOrThrow(copy->redo("ann")));
  EXPECT_EQ(labelsOf(*copy), "1:0 2:1");
  EXPECT_EQ(labelsOf(*store), "1:0");
}

/// "7 ann: blurred" of all remarks.
std::string remarksOf(LabelStore& store, std::int64_t after_number = 0) {
  std::string text;
  for (const Remark& one : valueOrThrow(store.remarks(after_number))) {
    text += (text.empty() ? "" : ", ") +
            std::string(one.subject == RemarkSubject::kClass ? "class " : "") +
            std::to_string(one.about) + ' ' + one.annotator + ": " + one.text;
  }
  return text;
}

void say(LabelStore& store, const Remark& remark) {
  ASSERT_OK(store.setRemarks(std::span(&remark, 1)));
}

TEST_P(LabelStoreTest, HasOneCommentOfEachPersonAndOneTextPerClass) {
  const auto store = newStore();
  const auto other = openStore(place());
  EXPECT_EQ(remarksOf(*store), "");
  say(*store, {.about = 7, .annotator = "ann", .text = "blurred"});
  say(*other, {.about = 7, .annotator = "bob", .text = "'); DROP TABLE remark; --"});
  say(*store, {.subject = RemarkSubject::kClass, .about = 1, .annotator = "ann", .text = "barks"});
  EXPECT_EQ(remarksOf(*other),
            "7 ann: blurred, 7 bob: '); DROP TABLE remark; --, class 1 ann: barks");
  const std::int64_t seen = valueOrThrow(other->remarks()).back().number;
  say(*store, {.about = 7, .annotator = "ann", .text = ""});
  say(*other, {.subject = RemarkSubject::kClass, .about = 1, .annotator = "bob", .text = "howls"});
  EXPECT_EQ(remarksOf(*store, seen), "7 ann: , class 1 bob: howls");
  EXPECT_EQ(valueOrThrow(store->remarks()).size(), 3U);
  EXPECT_GT(valueOrThrow(store->remarks()).back().time_ms, 1'700'000'000'000);
  // An item is an example of one class, whoever says so.
  say(*store, {.subject = RemarkSubject::kExample, .about = 7, .annotator = "ann", .text = "1"});
  say(*other, {.subject = RemarkSubject::kExample, .about = 7, .annotator = "bob", .text = "2"});
  ASSERT_EQ(valueOrThrow(store->remarks()).size(), 4U);
  EXPECT_EQ(valueOrThrow(store->remarks()).back().subject, RemarkSubject::kExample);
  EXPECT_EQ(valueOrThrow(store->remarks()).back().text, "2");
  // They are no decisions.
  EXPECT_EQ(valueOrThrow(store->newestSequence()), 3);
  const std::string path = folder_.file("copy.labels");
  ASSERT_OK(store->copyTo(path));
  EXPECT_EQ(remarksOf(*openStore(path)), remarksOf(*store));
}

TEST_P(LabelStoreTest, GetsTheTableOfRemarksWithTheFirstOne) {
  const auto store = newStore();
  // As earlier versions made it.
  ASSERT_OK(
      valueOrThrow(openConnection(place(), StoreMode::kOpen))->runScript("DROP TABLE remark"));
  EXPECT_EQ(remarksOf(*openStore(place(), StoreMode::kReadOnly)), "");
  const auto again = openStore(place());
  EXPECT_EQ(remarksOf(*again), "");
  say(*again, {.about = 7, .annotator = "ann", .text = "blurred"});
  EXPECT_EQ(remarksOf(*again), "7 ann: blurred");
  EXPECT_EQ(remarksOf(*openStore(place(), StoreMode::kReadOnly)), "7 ann: blurred");
}

TEST_P(LabelStoreTest, IsNotChangedWhenOpenedForReading) {
  (void)newStore();
  const auto store = openStore(place(), StoreMode::kReadOnly);
  const Decision decision = acceptance(1, 0);
  const auto refused = store->decide(std::span(&decision, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(refused.error().message, HasSubstr("read-only"));
  EXPECT_EQ(labelsOf(*store), "");
  EXPECT_EQ(namesOf(*store), "0:cat 1:dog 2:fox");
}

TEST_P(LabelStoreTest, RecordsAndReadsManyDecisionsInSeconds) {
  constexpr std::int64_t kItems = 100'000;
  std::vector<Decision> decisions;
  for (std::int64_t item = 0; item < kItems; ++item) {
    decisions.push_back(acceptance(item, item % 3));
    decisions.back().content_hash = std::to_string(item);
    decisions.back().item_name = "folder/" + std::to_string(item) + ".png";
    decisions.back().probs = std::vector<float>(10, 0.1F);
  }
  // Of this process alone, because the machine may be busy: a missing index costs a hundred times
  // as much. Of a server, this says little.
  const auto seconds = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  const double patience = test::kSanitized ? 10.0 : 1.0;
  const double at_first = seconds();
  ASSERT_OK(newStore()->decide(decisions));
  const double recorded = seconds();
  EXPECT_LT(recorded - at_first, 10.0 * patience);

  const auto store = openStore(place());
  const auto labels = valueOrThrow(store->labels());
  const double opened = seconds();
  EXPECT_LT(opened - recorded, patience);
  ASSERT_EQ(labels.size(), static_cast<std::size_t>(kItems));
  EXPECT_EQ(labels.back().item, kItems - 1);

  for (std::int64_t item = 0; item < 50; ++item) {
    EXPECT_EQ(valueOrThrow(store->label(item))->class_id, item % 3);
    decideOne(*store, acceptance(item, 0, "bob"));
    ASSERT_TRUE(valueOrThrow(store->undo("bob")));
  }
  EXPECT_LT(seconds() - opened, patience);
}

}  // namespace
}  // namespace dubito
