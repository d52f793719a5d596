// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/store_labels.h"

#include <gtest/gtest.h>

#include "core/labels/label_store.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RecordedDecision recorded(std::int64_t sequence, std::int64_t item, LabelAction action,
                          std::optional<std::int64_t> class_id) {
  RecordedDecision decision;
  decision.sequence = sequence;
  decision.step = sequence;
  decision.decision.item = item;
  decision.decision.item_name = "item " + std::to_string(item);
  decision.decision.action = action;
  decision.decision.class_id = class_id;
  decision.decision.annotator = "ann";
  decision.decision.time_ms = 1000 * sequence;
  decision.decision.probs = {0.25F, 0.75F};
  return decision;
}

TEST(StoreLabels, BecomeATableWithThePresentLabelsMarked) {
  const std::vector<LabelClass> classes{{.id = 0, .name = "cat"},
                                        {.id = 1, .name = "dog", .merged_into = 0}};
  std::vector<RecordedDecision> journal{recorded(1, 7, LabelAction::kAccept, 0),
                                        recorded(2, 8, LabelAction::kCorrect, 1),
                                        recorded(3, 7, LabelAction::kCorrect, 1)};
  journal[2].undone = true;
  const std::vector<PresentLabel> labels{
      {.item = 7, .action = LabelAction::kAccept, .class_id = 0, .sequence = 1},
      {.item = 8, .action = LabelAction::kCorrect, .class_id = 0, .sequence = 2},
      {.item = 9,
       .action = LabelAction::kAccept,
       .class_id = 0,
       .annotator = "bob",
       .sequence = 99}};
  const LabelTable table = labelTable(classes, labels, journal);
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_THAT(test::pathsAndClasses(table), ElementsAre("item 7 cat", "item 8 cat", " cat"));
  EXPECT_FALSE(table.rows[2].present);
  EXPECT_TRUE(table.rows[2].undone);
  EXPECT_EQ(table.rows[0].probs, (std::vector<float>{0.25F, 0.75F}));
  EXPECT_EQ(table.rows[0].prediction_shown, true);
  EXPECT_EQ(table.rows[1].class_id, 1) << "as recorded";
  EXPECT_EQ(table.rows[3].annotator, "bob");
}

TEST(StoreLabels, ComeBackAsTheSameDecisions) {
  const std::vector<LabelClass> classes{{.id = 0, .name = "cat"}, {.id = 1, .name = "dog"}};
  std::vector<RecordedDecision> journal{recorded(1, 7, LabelAction::kAccept, 0),
                                        recorded(2, 8, LabelAction::kSkip, std::nullopt)};
  journal[0].decision.previous_class = 1;
  journal[0].decision.previous_origin = LabelOrigin::kDataset;
  journal[0].decision.content_hash = "ff";
  journal[0].decision.spent_ms = 5;
  journal[0].decision.prediction_shown = false;
  journal[0].decision.queue = "entropy";
  journal[0].decision.run = "run";
  const std::vector<PresentLabel> labels{{.item = 7, .class_id = 0, .sequence = 1},
                                         {.item = 8, .action = LabelAction::kSkip, .sequence = 2}};
  const LabelTable table = labelTable(classes, labels, journal);
  const std::vector<std::optional<std::int64_t>> items{7, 8};
  const ImportedDecisions imported = decisionsOf(table, items, classes, {}, {});
  EXPECT_THAT(imported.notes, IsEmpty());
  ASSERT_EQ(imported.decisions.size(), 2U);
  const Decision& first = imported.decisions[0];
  const Decision& original = journal[0].decision;
  EXPECT_EQ(first.item, 7);
  EXPECT_EQ(first.content_hash, "ff");
  EXPECT_EQ(first.item_name, original.item_name);
  EXPECT_EQ(first.action, LabelAction::kAccept);
  EXPECT_EQ(first.class_id, 0);
  EXPECT_EQ(first.origin, LabelOrigin::kPerson);
  EXPECT_EQ(first.previous_class, 1);
  EXPECT_EQ(first.previous_origin, LabelOrigin::kDataset);
  EXPECT_EQ(first.annotator, "ann");
  EXPECT_EQ(first.time_ms, 1000);
  EXPECT_EQ(first.spent_ms, 5);
  EXPECT_FALSE(first.prediction_shown);
  EXPECT_EQ(first.queue, "entropy");
  EXPECT_EQ(first.run, "run");
  EXPECT_EQ(first.probs, original.probs);
  EXPECT_EQ(imported.decisions[1].action, LabelAction::kSkip);
  EXPECT_EQ(imported.decisions[1].class_id, std::nullopt);
}

TEST(StoreLabels, ALabelOfAModelHasNoAnnotator) {
  std::vector<RecordedDecision> journal(2);
  journal[0].decision = {
      .item = 7, .class_id = 0, .origin = LabelOrigin::kModel, .annotator = "ann"};
  journal[1].decision = {.item = 8, .class_id = 0, .annotator = "ann"};
  const std::vector<PresentLabel> labels{
      {.item = 7, .class_id = 0, .origin = LabelOrigin::kModel, .annotator = "ann", .sequence = 1},
      {.item = 8, .class_id = 0, .annotator = "ann", .sequence = 2}};
  const std::vector<LabelClass> classes{{.id = 0, .name = "cat"}};
  for (const LabelRow& row : labelTable(classes, labels, journal).rows) {
    EXPECT_EQ(row.annotator, row.origin == LabelOrigin::kModel ? "" : "ann");
  }
}

/// Keys, colours, renames and merges come back, also into a store that only knows the network.
TEST(StoreLabels, ClassesComeBackWithTheirDetails) {
  const test::TempDir dir;
  const auto open = [&dir](const char* name) {
    return LabelStore::open(dir.file(name), StoreMode::kOpenOrCreate);
  };
  const auto before = open("before.labels");
  ASSERT_OK(before);
  const std::vector<std::string> network{"cat", "dog", "puppy"};
  ASSERT_OK((*before)->belongTo({.name = "x", .spec = "", .fingerprint = ""}, network));
  ASSERT_OK(
      (*before)->changeClass({.id = 0, .name = "tabby", .colour = "#112233", .key = "t"}, "ann"));
  ASSERT_OK((*before)->addClass("bird", "ann"));
  ASSERT_OK((*before)->changeClass({.id = 3, .name = "bird", .key = "b"}, "ann"));
  ASSERT_OK((*before)->mergeClass(2, 1, "ann"));
  const auto table = labelTable(**before);
  ASSERT_OK(table);
  EXPECT_EQ(table->network_classes, network);
  (void)test::writeLabels("jsonl", *table, dir.file("a.jsonl"));
  const LabelTable read = test::readLabels("jsonl", dir.file("a.jsonl")).table;
  EXPECT_EQ(read.network_classes, network);

  const auto linesOf = [](LabelStore& store) {
    std::vector<std::string> lines;
    const std::vector<LabelClass> classes = store.classes().value();
    for (const LabelClass& each : classes) {
      lines.push_back(each.name + ' ' + each.key + ' ' + each.colour + ' ' +
                      std::to_string(each.merged_into.value_or(-1)));
    }
    return lines;
  };
  const auto after = open("after.labels");
  ASSERT_OK(after);
  ASSERT_OK((*after)->belongTo({.name = "x", .spec = "", .fingerprint = ""}, network));
  ASSERT_OK((*after)->addClass("bird", "ben"));
  const auto notes = adoptClassDetails(**after, read, "ben");
  ASSERT_OK(notes);
  EXPECT_THAT(test::texts(*notes), IsEmpty());
  EXPECT_EQ(linesOf(**after), linesOf(**before));
  EXPECT_THAT(linesOf(**after),
              ElementsAre("tabby t #112233 -1", "dog   -1", "puppy   1", "bird b  -1"));

  // What was changed there meanwhile stays.
  const auto other = open("other.labels");
  ASSERT_OK(other);
  ASSERT_OK((*other)->belongTo({.name = "x", .spec = "", .fingerprint = ""}, network));
  ASSERT_OK((*other)->changeClass({.id = 0, .name = "lion", .key = "l"}, "ben"));
  ASSERT_OK((*other)->changeClass({.id = 1, .name = "dog", .key = "t"}, "ben"));
  const auto refused = adoptClassDetails(**other, read, "ben");
  ASSERT_OK(refused);
  EXPECT_THAT(test::texts(*refused),
              ElementsAre(HasSubstr("left out: 2 ('lion: tabby', 'tabby: key t')")));
  EXPECT_THAT(linesOf(**other), ElementsAre("lion l #112233 -1", "dog t  -1", "puppy   1"));
}

class ImportOfLabels : public testing::Test {
 protected:
  void SetUp() override {
    table_.classes = {{.id = 0, .name = "dog"}, {.id = 1, .name = "cat"}, {.id = 2, .name = "fox"}};
    for (const std::int64_t id : {0, 1, 2}) {
      LabelRow row;
      row.path = "item " + std::to_string(id);
      row.class_id = id;
      table_.rows.push_back(row);
    }
  }

  LabelTable table_;
  std::vector<LabelClass> classes_{{.id = 4, .name = "cat"},
                                   {.id = 5, .name = "dog"},
                                   {.id = 6, .name = "hound", .merged_into = 5}};
  std::vector<std::optional<std::int64_t>> items_{10, 11, 12};
};

TEST_F(ImportOfLabels, FindsClassesByNameAndActionsByThePresentLabel) {
  const std::vector<PresentLabel> labels{
      {.item = 10, .class_id = 5, .origin = LabelOrigin::kModel},
      {.item = 11, .class_id = 5, .origin = LabelOrigin::kDataset}};
  const ImportedDecisions imported =
      decisionsOf(table_, items_, classes_, labels, {.annotator = "import", .time_ms = 77});
  ASSERT_EQ(imported.decisions.size(), 2U);
  EXPECT_EQ(imported.decisions[0].class_id, 5);
  EXPECT_EQ(imported.decisions[0].action, LabelAction::kAccept);
  EXPECT_EQ(imported.decisions[0].previous_origin, LabelOrigin::kModel);
  EXPECT_EQ(imported.decisions[0].annotator, "import");
  EXPECT_EQ(imported.decisions[0].time_ms, 77);
  EXPECT_EQ(imported.decisions[1].class_id, 4);
  EXPECT_EQ(imported.decisions[1].action, LabelAction::kCorrect);
  EXPECT_EQ(imported.decisions[1].previous_class, 5);
  EXPECT_THAT(test::texts(imported.notes),
              ElementsAre("labels with a class that is missing, left out: 1 ('item 2: fox')"));
  EXPECT_THAT(missingClasses(table_, classes_), ElementsAre("fox"));
}

TEST_F(ImportOfLabels, ClassesThatAreNumbersAreCountedAsANetworkDoes) {
  table_.classes = {{.id = 0, .name = "5"}, {.id = 1, .name = "0"}, {.id = 2, .name = "2"}};
  EXPECT_THAT(missingClasses(table_, {}), ElementsAre("0", "1", "2", "3", "4", "5"));
  EXPECT_THAT(missingClasses(table_, {}, 8), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(missingClasses(table_, classes_, 8), ElementsAre("5", "0", "2"));
  for (const char* const name : {"fox", "02", "-1", "1000000", "2.5"}) {
    table_.classes[2].name = name;
    EXPECT_THAT(missingClasses(table_, {}, 8), ElementsAre("5", "0", name));
  }
  table_.rows.clear();
  EXPECT_THAT(missingClasses(table_, {}, 8), IsEmpty());
}

TEST_F(ImportOfLabels, CountsMergedClassesAsTheirReplacement) {
  table_.classes[2].name = "hound";
  const ImportedDecisions imported = decisionsOf(table_, items_, classes_, {}, {});
  ASSERT_EQ(imported.decisions.size(), 3U);
  EXPECT_EQ(imported.decisions[2].class_id, 5);
  EXPECT_THAT(missingClasses(table_, classes_), IsEmpty());
}

TEST_F(ImportOfLabels, LeavesOutWhatMakesNoDecision) {
  items_[0].reset();
  table_.rows[1].action = LabelAction::kSkip;
  table_.rows[2].class_id.reset();
  const ImportedDecisions imported = decisionsOf(table_, items_, classes_, {}, {});
  EXPECT_THAT(imported.decisions, IsEmpty());
  EXPECT_THAT(test::texts(imported.notes),
              ElementsAre("labels whose action does not fit the class, left out: 2 ('item 1', "
                          "'item 2')"));
  EXPECT_THROW((void)decisionsOf(table_, {}, classes_, {}, {}), std::invalid_argument);
}

TEST_F(ImportOfLabels, TakesHistoryOnRequest) {
  table_.rows[0].present = false;
  table_.rows[0].class_id = 1;
  items_ = {10, 10, 10};
  table_.rows[2].undone = true;
  EXPECT_EQ(decisionsOf(table_, items_, classes_, {}, {}).decisions.size(), 1U);
  const ImportedDecisions all = decisionsOf(table_, items_, classes_, {}, {.with_history = true});
  ASSERT_EQ(all.decisions.size(), 2U);
  EXPECT_EQ(all.decisions[0].action, LabelAction::kCorrect);
  EXPECT_EQ(all.decisions[1].action, LabelAction::kAccept);
  EXPECT_EQ(all.decisions[1].previous_class, 4);
}

TEST(StoreLabels, BringTheirRemarksAlong) {
  const test::TempDir dir;
  const auto open = [&dir](const char* name) {
    return LabelStore::open(dir.file(name), StoreMode::kOpenOrCreate).value();
  };
  const auto store = open("a.labels");
  const std::vector<std::string> names{"dog", "cat"};
  ASSERT_OK(store->belongTo({.name = "a", .spec = "folder:a", .fingerprint = "1"}, names));
  // In the table, the image has another id and "cat" another number.
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat"}, {.id = 1, .name = "yak"}};
  table.rows.resize(1);
  table.rows[0].item = 7;
  table.remarks = {
      {.about = 7, .time_ms = 5, .text = "blurred"},
      {.subject = RemarkSubject::kClass, .about = 0, .annotator = "bob", .text = "purrs"},
      {.subject = RemarkSubject::kClass, .about = 1, .annotator = "bob", .text = "hairy"},
      {.subject = RemarkSubject::kExample, .about = 7, .text = exampleText(0)},
      {.subject = RemarkSubject::kExample, .about = 8, .text = exampleText(1)}};
  const std::vector<std::optional<std::int64_t>> items{700};
  EXPECT_EQ(recordRemarks(*store, table, items, "ann").value(), 3);  // nobody knows yaks here
  const auto read = labelTable(*store).value();
  ASSERT_EQ(read.remarks.size(), 3U);
  EXPECT_EQ(read.remarks[0],
            (Remark{.about = 700, .annotator = "ann", .time_ms = 5, .text = "blurred"}));
  EXPECT_EQ(read.remarks[1].about, 1);
  EXPECT_EQ(read.remarks[2].about, 700);
  EXPECT_EQ(classOfExample(read.remarks[2].text), 1);
  const auto losses = lossesOf(*findLabelFormat("csv"), read);
  EXPECT_THAT(test::texts(losses),
              testing::Contains(HasSubstr("comments on images and texts about classes")));
}

}  // namespace
}  // namespace dubito
