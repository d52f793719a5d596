// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_spec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/data/sources/array_dataset.h"
#include "core/data/sources/dataset_view.h"
#include "core/data/sources/hold_out.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

DatasetPtr sixItems(std::vector<std::string> class_names = {}) {
  DatasetInfo info;
  info.spec = "npz:six.npz";
  info.class_names = std::move(class_names);
  return std::make_shared<const ArrayDataset>(
      info, Array<float>::fromVector({6, 1}, {0, 10, 20, 30, 40, 50}),
      std::vector<std::int64_t>{0, 1, 2, 0, 1, 2});
}

std::vector<std::int64_t> idsOf(const Expected<DatasetPtr>& dataset) {
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message);
  return dataset ? std::vector<std::int64_t>((*dataset)->ids().begin(), (*dataset)->ids().end())
                 : std::vector<std::int64_t>{};
}

std::vector<std::int64_t> idsAfter(const std::string& options) {
  return idsOf(applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?" + options)));
}

TEST(DatasetSpec, TakesATextApart) {
  const auto spec =
      parseDatasetSpec("idx:a b/im=1?.gz,l.gz?items=-5:&classes=cat,3&role=ood&name=My set");
  ASSERT_OK(spec);
  EXPECT_EQ(spec->scheme, "idx");
  EXPECT_EQ(spec->location, "a b/im=1?.gz,l.gz");
  EXPECT_EQ(spec->items->begin, -5);
  EXPECT_FALSE(spec->items->end.has_value());
  EXPECT_EQ(spec->classes, (std::vector<std::string>{"cat", "3"}));
  EXPECT_EQ(spec->role, Role::kOod);
  EXPECT_EQ(spec->name, "My set");
}

TEST(DatasetSpec, RoundTrips) {
  for (const char* const text :
       {"idx:a,b", "folder:x y?labels=prefix:1&items=0:5", "npz:a?b.npz?classes=3,&role=train",
        "npz:a.npz?items=::-1", "npz:a.npz?items=5:&part=held-out:3&role=calibration",
        "npz:a.npz?part=rest:3",
        "synthetic:blobs?blobs=4&n=100&seed=3&items=:-1&classes=0,1&name=q"}) {
    const auto spec = parseDatasetSpec(text);
    ASSERT_OK(spec);
    EXPECT_EQ(toString(*spec), text);
  }
}

TEST(DatasetSpec, EscapesTheSpecificationInAnOption) {
  const std::string inner = "idx:100%25?,l?items=0:5&role=train";
  EXPECT_EQ(escapedSpec(inner), "idx:100%2525%3F,l%3Fitems=0:5%26role=train");
  EXPECT_EQ(unescapedSpec(escapedSpec(inner)), inner);
  EXPECT_EQ(unescapedSpec("a%3fb%zz%2"), "a?b%zz%2");

  const std::string text = "labels:a.labels?of=" + escapedSpec(inner) + "&items=1:";
  const auto spec = parseDatasetSpec(text);
  ASSERT_OK(spec);
  EXPECT_EQ(spec->location, "a.labels");
  EXPECT_EQ(spec->extra.at("of"), inner);
  EXPECT_EQ(spec->items->begin, 1);
  EXPECT_EQ(toString(*spec), text);
  const std::string twice = "labels:b.labels?of=" + escapedSpec(text);
  EXPECT_EQ(parseDatasetSpec(twice)->extra.at("of"), text);
  EXPECT_EQ(parseDatasetSpec("labels:a.labels?of=folder:x y")->extra.at("of"), "folder:x y");
}

TEST(DatasetSpec, AFinalQuestionMarkEndsAnAddressWithParametersOfItsOwn) {
  const std::string address = "postgresql://host/db?sslmode=require";
  for (const std::string options : {"?", "?undecided=drop"}) {
    const auto spec = parseDatasetSpec("labels:" + address + options);
    ASSERT_OK(spec);
    EXPECT_EQ(spec->location, address);
    EXPECT_EQ(toString(*spec), "labels:" + address + options);
  }
}

TEST(DatasetSpec, AQuestionMarkWithoutOptionsBelongsToThePath) {
  EXPECT_EQ(parseDatasetSpec("npz:what?.npz")->location, "what?.npz");
  EXPECT_EQ(parseDatasetSpec("npz:what?")->location, "what?");
  EXPECT_EQ(parseDatasetSpec("npz:a?role=x?name=y")->location, "a?role=x");
}

TEST(DatasetSpec, AFileOfThatVeryNameWins) {
  const test::TempDir dir;
  const std::string path = dir.file("idx:odd?name=x.npz");
  test::writeBytes(path, "PK\x03\x04");
  const auto spec = parseDatasetSpec(path);
  ASSERT_OK(spec);
  EXPECT_EQ(spec->location, path);
  EXPECT_EQ(resolveScheme(*spec)->scheme, "npz");
}

TEST(DatasetSpec, OneNumberAloneCountsBlobsAndAListFilters) {
  EXPECT_EQ(parseDatasetSpec("synthetic:blobs?classes=4")->extra.at("blobs"), "4");
  EXPECT_EQ(parseDatasetSpec("synthetic:blobs?classes=3,")->classes,
            (std::vector<std::string>{"3"}));
  EXPECT_EQ(parseDatasetSpec("synthetic:moons?classes=1")->classes,
            (std::vector<std::string>{"1"}));
}

TEST(DatasetSpec, MistakesAreNamed) {
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"npz:a.npz?itmes=0:5", "unknown option 'itmes'; use one of items, classes"},
           {"idx:a?n=5", "unknown option 'n'"},
           {"npz:a.npz?items=5", "'5' is not a range of items; write FIRST:END"},
           {"npz:a.npz?items=a:b", "'a:b' is not a range"},
           {"npz:a.npz?items=1:2:0", "'1:2:0' is not a range"},
           {"npz:a.npz?items=1:2:3:4", "'1:2:3:4' is not a range"},
           {"npz:a.npz?items=99999999999999999999:", "is not a range"},
           {"npz:a.npz?role=exam", "train, calibration, test, ood or unlabelled"},
           {"npz:a.npz?classes=,", "',' names no class"},
           {"npz:a.npz?part=3", "write held-out:N"},
           {"npz:a.npz?part=held-out:0", "write held-out:N"},
           {"npz:a.npz?part=rest:-1", "write held-out:N"},
           {"npz:a.npz?name=", "has no value"},
           {"parquet:a", "idx, cifar10, folder, npz, csv, labels, annotations, synthetic"},
           {"idx:", "names no dataset"},
           {"", "names no dataset"}}) {
    const auto spec = parseDatasetSpec(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(spec.error().message, HasSubstr(words));
  }
}

TEST(DatasetSpec, MistakesNameTheOptionToSet) {
  for (const auto& [text, option] : std::vector<std::pair<std::string, Setting>>{
           {"npz:a.npz?items=5", datasetSetting("items", "FIRST:END")},
           {"npz:a.npz?classes=,", datasetSetting("classes", "0,1,2")},
           {"npz:a.npz?corrupt=rain", datasetSetting("corrupt", "noise:3")},
           {"npz:a.npz?name=", datasetSetting("name", "VALUE")}}) {
    const auto spec = parseDatasetSpec(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_THAT(spec.error().remedy.settings, testing::ElementsAre(option));
  }
}

TEST(DatasetSpec, NumbersOfOptionsAreChecked) {
  const auto spec = parseDatasetSpec("synthetic:moons?n=12&noise=0.5&seed=x");
  EXPECT_EQ(*integerOption(*spec, "n", 5, 1, 100), 12);
  EXPECT_EQ(*integerOption(*spec, "blobs", 5, 1, 100), 5);
  EXPECT_FALSE(integerOption(*spec, "n", 5, 1, 11));
  EXPECT_FALSE(integerOption(*spec, "seed", 5, 1, 11));
  EXPECT_EQ(*realOption(*spec, "noise", 1.0, 0.0, 1.0), 0.5);
  EXPECT_FALSE(realOption(*spec, "noise", 1.0, 0.6, 1.0));
}

TEST(DatasetSpec, UnknownPlacesAndKindsOfFilesAreNamed) {
  const test::TempDir dir;
  test::writeBytes(dir.file("notes.txt"), "hello");
  const auto missing = parseDatasetSpec(dir.file("gone")).and_then(resolveScheme);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto text = parseDatasetSpec(dir.file("notes.txt")).and_then(resolveScheme);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(text.error().message, HasSubstr("notes.txt"));
  EXPECT_EQ(parseDatasetSpec(dir.path().string()).and_then(resolveScheme)->scheme, "folder");
}

TEST(DatasetSpec, TablesAreToldApart) {
  const test::TempDir dir;
  const auto scheme = [&dir](const std::string& table) {
    test::writeBytes(dir.file("t.csv"), table);
    const auto spec = parseDatasetSpec(dir.file("t.csv")).and_then(resolveScheme);
    return spec ? spec->scheme : spec.error().message;
  };
  EXPECT_EQ(scheme("path,label\na.png,cat\n"), "csv");
  EXPECT_EQ(scheme("File Name;class_name;class_id\na.png;cat;3\n"), "csv");
  EXPECT_EQ(scheme("path,weight\na.png,1.0\n"), "csv");
  for (const char* const predictions :
       {"path,label,prob_cat,prob_dog\na.png,cat,0.4,0.6\n", "label,p_0,p_1\n0,0.5,0.5\n",
        "path,true_label,pred_label,confidence\na.png,1,1,0.9\n",
        "image,label,cat,dog\na.png,cat,0.25,0.75\n"}) {
    EXPECT_THAT(scheme(predictions),
                HasSubstr("t.csv: this table lists no images, or it lists predictions"))
        << predictions;
  }
}

TEST(ItemRange, IsCutLikeInPython) {
  using Positions = std::vector<std::int64_t>;
  constexpr auto kMissing = std::nullopt;
  EXPECT_EQ((ItemRange{}.positions(3)), (Positions{0, 1, 2}));
  EXPECT_EQ((ItemRange{2, 4}.positions(6)), (Positions{2, 3}));
  EXPECT_EQ((ItemRange{-2, kMissing}.positions(6)), (Positions{4, 5}));
  EXPECT_EQ((ItemRange{kMissing, -4}.positions(6)), (Positions{0, 1}));
  EXPECT_EQ((ItemRange{4, 100}.positions(6)), (Positions{4, 5}));
  EXPECT_EQ((ItemRange{-100, 2}.positions(6)), (Positions{0, 1}));
  EXPECT_EQ((ItemRange{5, 2}.positions(6)), Positions{});
  EXPECT_EQ((ItemRange{9, 12}.positions(6)), Positions{});
  EXPECT_EQ((ItemRange{1, 6, 2}.positions(6)), (Positions{1, 3, 5}));
  EXPECT_EQ((ItemRange{kMissing, kMissing, -1}.positions(3)), (Positions{2, 1, 0}));
  EXPECT_EQ((ItemRange{100, 0, -2}.positions(6)), (Positions{5, 3, 1}));
  EXPECT_EQ((ItemRange{2, kMissing, -1}.positions(6)), (Positions{2, 1, 0}));
  EXPECT_EQ((ItemRange{kMissing, kMissing, -1}.positions(0)), Positions{});
}

TEST(DatasetView, IdsDoNotDependOnTheFilter) {
  EXPECT_EQ(idsAfter("items=2:5"), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(idsAfter("classes=2,0"), (std::vector<std::int64_t>{0, 2, 3, 5}));
  EXPECT_EQ(idsAfter("items=1:&classes=0,"), (std::vector<std::int64_t>{3}));
}

TEST(DatasetView, ReadsAndNamesTheRightItems) {
  const auto view = applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?items=4:6&name=two"));
  ASSERT_TRUE(view);
  EXPECT_EQ((*view)->size(), 2);
  EXPECT_EQ(std::get<Array<float>>(*(*view)->read(1)).values()[0], 50.0F);
  EXPECT_EQ((*view)->itemName(1), "#5");
  EXPECT_EQ((*view)->labels()[1], 2);
  EXPECT_EQ((*view)->info().name, "two");
  EXPECT_EQ((*view)->info().spec, "npz:six.npz?items=4:6&name=two");
}

TEST(DatasetView, ClassesGoByNameAndUnknownOnesAreErrors) {
  const DatasetPtr pets = sixItems({"cat", "dog", "0"});
  const auto ids = [&pets](const std::string& classes) {
    return applyFilters(pets, *parseDatasetSpec("npz:six.npz?classes=" + classes));
  };
  EXPECT_EQ(idsOf(ids("dog,")), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(idsOf(ids("1,")), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(idsOf(ids("0,")), (std::vector<std::int64_t>{2, 5})) << "names come before numbers";
  for (const char* const wrong : {"bird,", "3,", "-1,"}) {
    const auto refused = ids(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_THAT(refused.error().message, HasSubstr("'cat', 'dog', '0'"));
  }
  const auto unnamed = applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?classes=dog,"));
  ASSERT_FALSE(unnamed);
  EXPECT_THAT(unnamed.error().message, HasSubstr("the class 'dog' is not a number"));
  EXPECT_THAT(unnamed.error().remedy.settings,
              testing::ElementsAre(datasetSetting("classes", "0,1")));
}

TEST(DatasetView, APartAndTheRestHaveNoItemInCommon) {
  const std::vector<std::int64_t> held_out = idsAfter("part=held-out:2");
  std::vector<std::int64_t> all = idsAfter("part=rest:2");
  EXPECT_EQ(held_out.size(), 2U);
  EXPECT_EQ(all.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(all)) << "the items keep their order";
  all.insert(all.end(), held_out.begin(), held_out.end());
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  // Of what items and classes select, by id: the same items in another order.
  EXPECT_EQ(idsAfter("items=::-1&part=held-out:2"),
            (std::vector<std::int64_t>{held_out[1], held_out[0]}));
  EXPECT_EQ(idsAfter("classes=1,&part=held-out:1").size(), 1U);
  const auto too_many = applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?part=rest:6"));
  ASSERT_FALSE(too_many);
  EXPECT_THAT(too_many.error().message,
              HasSubstr("6 items cannot be held out of 6; hold out fewer"));
}

TEST(HoldOut, TheSpecificationsOfThePartsOpenTheSameItems) {
  const DatasetPtr whole = *applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?items=1:"));
  ASSERT_TRUE(canHoldOut(*whole));
  const auto split = holdOut(whole, 2);
  ASSERT_OK(split);
  EXPECT_EQ(split->whole, whole);
  EXPECT_EQ(split->calibration->info().role, Role::kCalibration);
  EXPECT_EQ(split->rest->info().role, whole->info().role);
  EXPECT_EQ(split->calibration->size(), 2);
  EXPECT_EQ(split->rest->size(), 3);
  for (const DatasetPtr& part : {split->calibration, split->rest}) {
    const auto again = applyFilters(sixItems(), *parseDatasetSpec(part->info().spec));
    EXPECT_EQ(idsOf(again), idsOf(part)) << part->info().spec;
    EXPECT_TRUE(std::ranges::equal((*again)->labels(), part->labels()));
    EXPECT_FALSE(canHoldOut(*part));
    EXPECT_FALSE(holdOut(part, 1));
  }
  EXPECT_FALSE(holdOut(whole, 0));
  EXPECT_FALSE(holdOut(whole, 5));
}

/// Items in the order of their classes, or in turn, must not leave a class out.
TEST(HoldOut, DrawsFromEveryClassWhateverTheirOrder) {
  constexpr std::int64_t kItems = 1000;
  constexpr std::int64_t kClasses = 10;
  for (const bool in_turn : {false, true}) {
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < kItems; ++i) {
      labels.push_back(in_turn ? i % kClasses : i * kClasses / kItems);
    }
    DatasetInfo info;
    info.spec = "npz:many.npz";
    const auto many =
        std::make_shared<const ArrayDataset>(info, Array<float>::zeros({kItems, 1}), labels);
    const auto split = holdOut(many, 100);
    ASSERT_OK(split);
    std::vector<int> counts(kClasses, 0);
    for (const std::int64_t label : split->calibration->labels()) {
      ++counts[static_cast<std::size_t>(label)];
    }
    EXPECT_GE(*std::ranges::min_element(counts), 3);
  }
}

TEST(DatasetView, NothingLeftIsAnError) {
  for (const char* const options : {"items=6:", "items=3:3", "classes=9,"}) {
    const auto empty =
        applyFilters(sixItems(), *parseDatasetSpec(std::string("npz:six.npz?") + options));
    ASSERT_FALSE(empty) << options;
    EXPECT_THAT(empty.error().message,
                HasSubstr("none of the 6 items is selected; choose more items or classes"));
    EXPECT_THAT(empty.error().remedy.settings,
                testing::ElementsAre(datasetSetting("items"), datasetSetting("classes")));
  }
}

TEST(DatasetView, ItemsOutOfDistributionHaveNoClassButCanBeChosenByIt) {
  const auto view = applyFilters(sixItems(), *parseDatasetSpec("npz:six.npz?classes=1,&role=ood"));
  EXPECT_EQ(idsOf(view), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ((*view)->labels()[0], -1);
  EXPECT_EQ((*view)->info().role, Role::kOod);
}

TEST(DatasetView, AnotherRoleHidesLabelsAndShowsThemAgain) {
  for (const char* const options : {"", "?items=1:5", "?items=::-1", "?classes=1,"}) {
    const DatasetPtr test =
        *applyFilters(sixItems(), *parseDatasetSpec(std::string("npz:six.npz") + options));
    const DatasetPtr ood = withRole(test, Role::kOod);
    EXPECT_EQ(ood->info().role, Role::kOod);
    EXPECT_EQ(parseDatasetSpec(ood->info().spec)->role, Role::kOod) << ood->info().spec;
    EXPECT_EQ(ood->info().class_names, test->info().class_names);
    EXPECT_TRUE(std::ranges::equal(ood->ids(), test->ids())) << options;
    EXPECT_EQ(ood->size(), test->size());
    EXPECT_TRUE(std::ranges::all_of(ood->labels(), [](std::int64_t label) { return label == -1; }))
        << options;
    const DatasetPtr again = withRole(ood, Role::kCalibration);
    EXPECT_TRUE(std::ranges::equal(again->labels(), test->labels())) << options;
    EXPECT_EQ(again->info().role, Role::kCalibration);
    EXPECT_EQ(withRole(ood, Role::kOod), ood);
  }
  // Of a dataset that is no view.
  const DatasetPtr hidden = withRole(sixItems(), Role::kUnlabelled);
  EXPECT_EQ(hidden->size(), 6);
  EXPECT_EQ(hidden->labels()[1], -1);
  EXPECT_TRUE(std::ranges::equal(hidden->ids(), sixItems()->ids()));
}

}  // namespace
}  // namespace dubito
