// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/network_format.h"

#include <gtest/gtest.h>

#include <set>

#include "core/models/model.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

TEST(NetworkFormats, EveryFileFindsAFormatAndNamesAndEndingsAreUnique) {
  const auto formats = networkFormats();
  ASSERT_FALSE(formats.empty());
  EXPECT_TRUE(formats.back().recognises("anything at all"));
  std::set<std::string_view> names;
  for (const NetworkFormat& format : formats) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
  }
  std::set<std::string_view> endings;
  for (const std::string_view ending : networkEndings()) {
    EXPECT_TRUE(ending.starts_with('.')) << ending;
    EXPECT_TRUE(endings.insert(ending).second) << ending;
  }
}

TEST(NetworkFormats, ANetworkFileIsOpenedByItsFormat) {
  const std::string path = (test::sourceDir() / "datasets/samples/lenet-mnist.pt").string();
  EXPECT_EQ(formatOf(path).name, "TorchScript");
  RunContext context;
  const auto model = loadModel(path, {}, context);
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->audit().format, "TorchScript");
  EXPECT_EQ((*model)->audit().dropout_sites.size(), 2U);
  EXPECT_EQ((*model)->path(), path);
}

}  // namespace
}  // namespace dubito
