// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/checked_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

json someResult() {
  return {{"accuracy", 0.987654321},
          {"items", 1000},
          {"nll", std::numeric_limits<double>::infinity()},
          {"name",
           "grö\xDF"
           "er"},
          {"small", 1e-300},
          {"list", {1.0, 2.5, -0.0}}};
}

TEST(CheckedJson, ReadsWhatItWrote) {
  const test::TempDir folder;
  const std::string path = folder.file("result.json");
  ASSERT_TRUE(writeCheckedJson(path, someResult()));
  const auto read = readCheckedJson(path);
  ASSERT_OK(read);
  EXPECT_FALSE(read->contains("checksum"));
  EXPECT_EQ((*read)["accuracy"], 0.987654321);
  EXPECT_TRUE((*read)["nll"].is_null()) << "as JSON has infinity";
  const json list = {{{"rule", "a"}}, {{"rule", "b"}}};
  ASSERT_TRUE(writeCheckedJson(path, list));
  const auto again = readCheckedJson(path);
  ASSERT_OK(again);
  EXPECT_EQ(*again, list);
}

TEST(CheckedJson, FindsAnyFlippedByteThatChangesTheResult) {
  const test::TempDir folder;
  const std::string path = folder.file("result.json");
  ASSERT_TRUE(writeCheckedJson(path, someResult()));
  const std::string bytes = test::readBytes(path);
  const json right = *readCheckedJson(path);
  std::int64_t found = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {1, 2, 4, 16, 32}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      test::writeBytes(path, damaged);
      if (const auto read = readCheckedJson(path)) {
        // Harmless: white space, or the name of the checksum.
        for (const auto& [key, value] : right.items()) {
          EXPECT_EQ(read->value(key, json()), value) << at << ' ' << mask;
        }
      } else {
        ++found;
        EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
      }
    }
  }
  EXPECT_GT(found, 300);
}

TEST(CheckedJson, ReadsFilesOfEarlierVersions) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "object.json", R"({"accuracy": 0.5})");
  test::writeBytes(folder.path() / "list.json", R"([{"rule": "a"}])");
  EXPECT_EQ(*readCheckedJson(folder.file("object.json")), json({{"accuracy", 0.5}}));
  EXPECT_EQ(*readCheckedJson(folder.file("list.json")), json::parse(R"([{"rule": "a"}])"));
}

}  // namespace
}  // namespace dubito
