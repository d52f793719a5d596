// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_places.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/data/sources/dataset_spec.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

DatasetPtr open(const std::string& specification) {
  RunContext context;
  const auto dataset = openDataset(specification, context);
  if (!dataset) {
    throw std::runtime_error(dataset.error().message);
  }
  return *dataset;
}

class LabelPlacesTest : public testing::Test {
 protected:
  test::TempDir dir_;
  QSettings settings_{QString::fromStdString(dir_.file("settings.ini")), QSettings::IniFormat};
  LabelPlaces places_{settings_};
  DatasetPtr dataset_ = open("synthetic:blobs?n=12&seed=1");
  DatasetPtr other_ = open("synthetic:blobs?n=12&seed=2");

  void SetUp() override {
    settings_.setValue(QStringLiteral("review/folder"), QStringLiteral("/of/reviews"));
  }
};

TEST_F(LabelPlacesTest, DatasetsOfTheSameNameHaveFilesOfTheirOwn) {
  ASSERT_EQ(dataset_->info().name, other_->info().name);
  const QString place = places_.of(*dataset_);
  EXPECT_TRUE(place.startsWith(QStringLiteral("/of/reviews/"))) << qPrintable(place);
  EXPECT_TRUE(place.endsWith(QStringLiteral(".labels"))) << qPrintable(place);
  EXPECT_NE(place, places_.of(*other_));
  EXPECT_EQ(place, places_.of(*open("synthetic:blobs?n=12&seed=1")));
  EXPECT_FALSE(places_.isStore(dataset_));
}

TEST_F(LabelPlacesTest, AStoreThatWasOpenedHoldsForItsDatasetUntilItIsForgotten) {
  const QString usual = places_.of(*dataset_);
  places_.choose(dataset_, QStringLiteral("/elsewhere/team.labels"));
  EXPECT_EQ(places_.of(*dataset_), QStringLiteral("/elsewhere/team.labels"));
  EXPECT_TRUE(places_.isStore(dataset_));
  EXPECT_FALSE(places_.isStore(other_));
  EXPECT_TRUE(places_.of(*other_).startsWith(QStringLiteral("/of/reviews/")));
  places_.forget(dataset_);
  EXPECT_EQ(places_.of(*dataset_), usual);
  EXPECT_FALSE(places_.isStore(dataset_));
}

}  // namespace
}  // namespace dubito
