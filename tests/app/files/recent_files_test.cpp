// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recent_files.h"

#include <gtest/gtest.h>

#include <QSettings>

#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(RecentFilesTest, KeepsTheNewestFirstWithoutDoubles) {
  const test::TempDir dir;
  QSettings settings(QString::fromStdString((dir.path() / "settings.ini").string()),
                     QSettings::IniFormat);
  RecentFiles recent(settings);
  for (int i = 0; i < 14; ++i) {
    recent.add(QString::number(i));
  }
  recent.add("9");
  EXPECT_EQ(recent.list().size(), RecentFiles::kMaximum);
  EXPECT_EQ(recent.list().first(), "9");
  EXPECT_EQ(recent.list().count("9"), 1);
  recent.remove("9");
  EXPECT_EQ(recent.list().first(), "13");
}

}  // namespace
}  // namespace dubito
