// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/file_fingerprint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

FileFingerprint of(const std::string& path, const FileFingerprint& known = {}) {
  RunContext context;
  const auto fingerprint = fingerprintOf(path, known, context);
  EXPECT_TRUE(fingerprint) << (fingerprint ? "" : fingerprint.error().message);
  return fingerprint.value_or(FileFingerprint{});
}

TEST(FileFingerprint, IsThatOfTheContentAlone) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a"), std::string(3'000'001, 'x'));
  test::writeBytes(dir.file("b"), std::string(3'000'001, 'x'));
  EXPECT_EQ(of(dir.file("a")).bytes, 3'000'001U);
  EXPECT_EQ(of(dir.file("a")).hash.size(), 16U);
  EXPECT_TRUE(of(dir.file("a")).sameContent(of(dir.file("b"))));
}

TEST(FileFingerprint, EveryByteAndEveryEndCounts) {
  const test::TempDir dir;
  std::set<std::string> hashes;
  const std::string text(40, '\0');
  for (std::size_t length = 0; length <= text.size(); ++length) {
    test::writeBytes(dir.file("a"), text.substr(0, length));
    hashes.insert(of(dir.file("a")).hash);
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = '\1';
    test::writeBytes(dir.file("a"), changed);
    hashes.insert(of(dir.file("a")).hash);
  }
  EXPECT_EQ(hashes.size(), 2 * text.size() + 1);
}

TEST(FileFingerprint, AFileOfTheKnownSizeAndTimeIsNotRead) {
  const test::TempDir dir;
  test::writeBytes(dir.file("a"), "abc");
  FileFingerprint known = of(dir.file("a"));
  known.hash = "as it was";
  EXPECT_EQ(of(dir.file("a"), known).hash, "as it was");
  known.modified_ns += 1;
  EXPECT_NE(of(dir.file("a"), known).hash, "as it was");
}

TEST(FileFingerprint, OfAFolderTheNamesAndSizesCount) {
  const test::TempDir dir;
  const auto make = [&dir](const std::string& folder, const std::string& name,
                           const std::string& bytes) {
    std::filesystem::create_directories(dir.path() / folder / "class");
    test::writeBytes(dir.path() / folder / "class" / name, bytes);
    return of(dir.file(folder));
  };
  const FileFingerprint first = make("a", "1.png", "12345");
  EXPECT_EQ(first.bytes, 5U);
  EXPECT_TRUE(first.sameContent(make("b", "1.png", "54321")));
  EXPECT_FALSE(first.sameContent(make("c", "2.png", "12345")));
  EXPECT_FALSE(first.sameContent(make("a", "1.png", "123456")));
}

TEST(FileFingerprint, WhatCannotBeReadSaysSo) {
  const test::TempDir dir;
  RunContext context;
  const auto missing = fingerprintOf(dir.file("a"), context);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  // A pipe that nobody writes into would be waited for without end.
  ASSERT_EQ(mkfifo(dir.file("pipe").c_str(), 0600), 0);
  const auto pipe = fingerprintOf(dir.file("pipe"), context);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().code, ErrorCode::kInvalidArgument);
  context.control()->requestCancel();
  test::writeBytes(dir.file("b"), "abc");
  const auto stopped = fingerprintOf(dir.file("b"), context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
