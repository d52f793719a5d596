// SPDX-License-Identifier: GPL-3.0-or-later
// Label stores in files: disks, permissions and damage.
#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/labels/sql/sqlite_connection.h"
#include "tests/core/labels/failing_vfs.h"
#include "tests/core/labels/store_fixture.h"

namespace dubito {
namespace {

using test::FailingVfs;
using testing::ElementsAre;
using testing::IsEmpty;

class LabelFileTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Files, LabelFileTest, testing::Values(Backend::kFile), nameOf);

std::string pragma(const std::string& path, const std::string& name) {
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  return database.execAndGet("PRAGMA " + name).getString();
}

std::size_t labelCount(LabelStore& store) {
  return valueOrThrow(store.labels()).size();
}

void expectError(const Error& error, ErrorCode code, const std::string& reason) {
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_THAT(error.message, HasSubstr(reason));
  EXPECT_THAT(error.message, HasSubstr("; ")) << "no remedy";
}

Error decisionError(LabelStore& store, std::int64_t item) {
  const Decision decision = acceptance(item, 0);
  const auto result = store.decide(std::span(&decision, 1));
  return result ? Error{ErrorCode::kInternal, "it was recorded"} : result.error();
}

/// Acts as an ordinary user while it exists, if the tests run as root.
class OrdinaryUser {
 public:
  OrdinaryUser() {
    if (geteuid() == 0 && seteuid(65534) != 0) {
      throw std::runtime_error("seteuid failed");
    }
  }
  ~OrdinaryUser() {
    if (getuid() == 0) {
      (void)!seteuid(0);
    }
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
};

TEST_P(LabelFileTest, IsMarkedAndUsesAWriteAheadLog) {
  const auto store = newStore();
  EXPECT_EQ(pragma(place(), "application_id"), std::to_string(kSqliteApplicationId));
  EXPECT_EQ(pragma(place(), "user_version"), "1");
  EXPECT_EQ(pragma(place(), "journal_mode"), "wal");
  EXPECT_THAT(store->notes(), IsEmpty());
}

TEST_P(LabelFileTest, UsesNoWriteAheadLogOnNetworkFileSystems) {
  (void)newStore();
  ASSERT_EQ(pragma(place(), "journal_mode"), "wal");
  auto connection = SqliteConnection::open(place(), StoreMode::kOpen, "NFS");
  ASSERT_OK(connection);
  const auto store = valueOrThrow(LabelStore::open(std::move(*connection), StoreMode::kOpen));
  EXPECT_EQ(pragma(place(), "journal_mode"), "delete");
  ASSERT_EQ(store->notes().size(), 1U);
  EXPECT_THAT(store->notes()[0], HasSubstr("network file system (NFS)"));
  decideOne(*store, acceptance(1, 0));
  EXPECT_EQ(labelCount(*openStore(place(), StoreMode::kReadOnly)), 1U);
}

TEST_P(LabelFileTest, DoesWithoutAWriteAheadLogIfSqliteRefusesIt) {
  const FailingVfs vfs(FailingVfs::Failure::kNoSharedMemory);
  const auto store = newStore();
  ASSERT_EQ(store->notes().size(), 1U);
  EXPECT_THAT(store->notes()[0], HasSubstr("allows no write-ahead log"));
  decideOne(*store, acceptance(1, 0));
  EXPECT_EQ(labelCount(*store), 1U);
}

TEST_P(LabelFileTest, ReportsAFullDiskAndStaysUsable) {
  FailingVfs vfs;
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0));
  vfs.set(FailingVfs::Failure::kFullDisk);
  expectError(decisionError(*store, 2), ErrorCode::kWriteFailed, "the disk is full");
  const auto undone = store->undo("ann");
  ASSERT_FALSE(undone);
  expectError(undone.error(), ErrorCode::kWriteFailed, place() + ": cannot be written");
  EXPECT_EQ(labelCount(*store), 1U);
  vfs.set(FailingVfs::Failure::kNone);
  decideOne(*store, acceptance(2, 0));
  EXPECT_EQ(labelCount(*store), 2U);
  EXPECT_EQ(pragma(place(), "integrity_check"), "ok");
}

TEST_P(LabelFileTest, ReportsARemovedDriveAndContinuesWhenItIsBack) {
  FailingVfs vfs;
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0));
  vfs.set(FailingVfs::Failure::kRemovedDrive);
  expectError(decisionError(*store, 2), ErrorCode::kWriteFailed, "check that the drive");
  const auto unread = store->labels();
  ASSERT_FALSE(unread);
  expectError(unread.error(), ErrorCode::kReadFailed, place() + ": cannot be read");
  vfs.set(FailingVfs::Failure::kNone);
  EXPECT_EQ(labelCount(*store), 1U);
  decideOne(*store, acceptance(2, 0));
  EXPECT_EQ(labelCount(*store), 2U);
  EXPECT_EQ(pragma(place(), "integrity_check"), "ok");
}

TEST_P(LabelFileTest, NeverContinuesInAFileThatIsGone) {
  const auto store = newStore();
  decideOne(*store, acceptance(1, 0));
  const std::string away = folder_.file("away.labels");
  {
    // Writes the log back.
    const auto other = openStore(place());
    ASSERT_OK(other->copyTo(away));
  }
  std::filesystem::remove(place());
  std::filesystem::remove(place() + "-wal");
  std::filesystem::remove(place() + "-shm");
  expectError(decisionError(*store, 2), ErrorCode::kWriteFailed, place() + ": is gone");
  EXPECT_FALSE(store->labels());
  EXPECT_FALSE(std::filesystem::exists(place()));
  std::filesystem::rename(away, place());
  decideOne(*store, acceptance(2, 0));
  EXPECT_EQ(labelCount(*store), 2U);
  EXPECT_EQ(labelCount(*openStore(place())), 2U);
}

TEST_P(LabelFileTest, FitsOnASmallDiskUntilThatIsReallyFull) {
  const std::string mounted = folder_.file("disk");
  std::filesystem::create_directory(mounted);
  if (geteuid() != 0 || mount("tmpfs", mounted.c_str(), "tmpfs", 0, "size=2m") != 0) {
    GTEST_SKIP() << "mounting a small disk needs root";
  }
  {
    const std::string path = mounted + "/items.labels";
    const auto store = openStore(path, StoreMode::kOpenOrCreate);
    const std::vector<std::string> names{"cat"};
    ASSERT_OK(store->belongTo({.name = "a", .spec = "", .fingerprint = ""}, names));
    Decision decision = acceptance(0, 0);
    decision.probs = std::vector<float>(1000, 0.001F);
    Error error;
    std::int64_t recorded = 0;
    for (; recorded < 10'000 && error.message.empty(); ++recorded) {
      decision.item = recorded;
      if (const auto result = store->decide(std::span(&decision, 1)); !result) {
        error = result.error();
        --recorded;
      }
    }
    expectError(error, ErrorCode::kWriteFailed, path + ": cannot be written (the disk is full)");
    EXPECT_GT(recorded, 50);
    EXPECT_EQ(labelCount(*store), static_cast<std::size_t>(recorded));
    const auto copied = store->copyTo(mounted + "/copy.labels");
    ASSERT_FALSE(copied);
    expectError(copied.error(), ErrorCode::kWriteFailed, mounted + "/copy.labels: ");
    ASSERT_EQ(mount("tmpfs", mounted.c_str(), "tmpfs", MS_REMOUNT, "size=8m"), 0);
    decideOne(*store, decision);
    EXPECT_EQ(labelCount(*store), static_cast<std::size_t>(recorded + 1));
    EXPECT_EQ(pragma(path, "integrity_check"), "ok");
  }
  EXPECT_EQ(umount(mounted.c_str()), 0);
}

TEST_P(LabelFileTest, ReadsAReadOnlyFileInAReadOnlyFolder) {
  const std::string folder = folder_.file("archive");
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/items#1?.labels";
  {
    const auto store = newStore();
    decideOne(*store, acceptance(1, 0));
    ASSERT_OK(store->copyTo(path));
  }
  { (void)openStore(path); }  // switches to the write-ahead log
  ASSERT_EQ(pragma(path, "journal_mode"), "wal");
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  {
    const OrdinaryUser user;
    const auto store = openStore(path, StoreMode::kReadOnly);
    EXPECT_EQ(labelCount(*store), 1U);
    expectError(decisionError(*store, 2), ErrorCode::kWriteFailed, "read-only");
    EXPECT_EQ(labelCount(*store), 1U);
    ASSERT_OK(store->copyTo(std::filesystem::temp_directory_path() /
                            (folder_.path().filename().string() + ".labels")));
  }
  const std::filesystem::path copy =
      std::filesystem::temp_directory_path() / (folder_.path().filename().string() + ".labels");
  EXPECT_EQ(labelCount(*openStore(copy, StoreMode::kReadOnly)), 1U);
  std::filesystem::remove(copy);
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
}

TEST_P(LabelFileTest, ReportsAFileThatCannotBeWritten) {
  {
    const auto store = newStore();
    decideOne(*store, acceptance(1, 0));
  }
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(place(), std::filesystem::perms(0444));
  if (geteuid() != 0) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  }
  {
    const OrdinaryUser user;
    const auto store = LabelStore::open(place(), StoreMode::kOpen);
    if (store) {
      expectError(decisionError(**store, 2), ErrorCode::kWriteFailed, "read-only");
    } else {
      EXPECT_THAT(store.error().message, HasSubstr(place()));
    }
    const auto created = LabelStore::open(folder_.file("new.labels"), StoreMode::kOpenOrCreate);
    ASSERT_FALSE(created);
    EXPECT_EQ(created.error().code, ErrorCode::kWriteFailed) << created.error().message;
  }
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  EXPECT_EQ(labelCount(*openStore(place(), StoreMode::kReadOnly)), 1U);
}

TEST_P(LabelFileTest, RefusesOtherFilesAndLeavesThemUnchanged) {
  const std::string text = folder_.file("notes.txt");
  test::writeBytes(text, std::string(5000, 'x'));
  for (const StoreMode mode : {StoreMode::kOpen, StoreMode::kOpenOrCreate, StoreMode::kReadOnly}) {
    const auto opened = LabelStore::open(text, mode);
    ASSERT_FALSE(opened);
    expectError(opened.error(), ErrorCode::kMalformed, "notes.txt: is not a label store");
  }
  EXPECT_EQ(test::readBytes(text), std::string(5000, 'x'));

  const std::string other = folder_.file("other.sqlite");
  {
    SQLite::Database database(other, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE t (x)");
  }
  const std::string before = test::readBytes(other);
  for (const StoreMode mode : {StoreMode::kOpen, StoreMode::kOpenOrCreate, StoreMode::kReadOnly}) {
    const auto opened = LabelStore::open(other, mode);
    ASSERT_FALSE(opened);
    expectError(opened.error(), ErrorCode::kMalformed, "an SQLite file of another program");
  }
  EXPECT_EQ(test::readBytes(other), before);

  const auto folder = LabelStore::open(folder_.path(), StoreMode::kOpenOrCreate);
  ASSERT_FALSE(folder);
  expectError(folder.error(), ErrorCode::kInvalidArgument, "is a folder");
  // Opening a pipe would wait for a writer.
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const StoreMode mode : {StoreMode::kOpen, StoreMode::kOpenOrCreate, StoreMode::kReadOnly}) {
    const auto opened = LabelStore::open(pipe, mode);
    ASSERT_FALSE(opened);
    expectError(opened.error(), ErrorCode::kInvalidArgument, "pipe: is a named pipe");
  }
  const auto nowhere = LabelStore::open("/no/such/folder/a.labels", StoreMode::kOpenOrCreate);
  ASSERT_FALSE(nowhere);
  expectError(nowhere.error(), ErrorCode::kWriteFailed, "/no/such/folder/a.labels: ");
}

TEST_P(LabelFileTest, CreatesAStoreInAnEmptyFileOnlyOnRequest) {
  test::writeBytes(place(), "");
  const auto opened = LabelStore::open(place(), StoreMode::kOpen);
  ASSERT_FALSE(opened);
  expectError(opened.error(), ErrorCode::kNotFound, "contains no label store");
  EXPECT_OK(LabelStore::open(place(), StoreMode::kOpenOrCreate));
}

TEST_P(LabelFileTest, NoNameMeansAnythingButAFile) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (const char* const name : {":memory:", "file:a?mode=memory"}) {
    const auto store = openStore(name, StoreMode::kOpenOrCreate);
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
  }
  std::filesystem::current_path(before);
  const auto unnamed = LabelStore::open("", StoreMode::kOpenOrCreate);
  ASSERT_FALSE(unnamed);
  expectError(unnamed.error(), ErrorCode::kNotFound, "no label store is given");
}

TEST_P(LabelFileTest, RefusesNewerVersions) {
  (void)newStore();
  {
    SQLite::Database database(place(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA user_version = 2");
  }
  for (const StoreMode mode : {StoreMode::kOpen, StoreMode::kOpenOrCreate, StoreMode::kReadOnly}) {
    const auto opened = LabelStore::open(place(), mode);
    ASSERT_FALSE(opened);
    expectError(opened.error(), ErrorCode::kUnsupported, "written by a newer version");
  }
}

TEST_P(LabelFileTest, ReportsTruncatedAndDamagedFiles) {
  {
    const auto store = newStore();
    std::vector<Decision> many;
    for (std::int64_t item = 0; item < 3000; ++item) {
      many.push_back(acceptance(item, 0));
    }
    ASSERT_OK(store->decide(many));
  }
  const std::string whole = test::readBytes(place());
  ASSERT_GT(whole.size(), 100'000U);
  const auto readError = [&]() -> Error {
    const auto store = LabelStore::open(place(), StoreMode::kReadOnly);
    if (!store) {
      return store.error();
    }
    const auto labels = (*store)->labels();
    if (!labels) {
      return labels.error();
    }
    const auto journal = (*store)->journal();
    return journal ? Error{ErrorCode::kInternal, "everything was read"} : journal.error();
  };
  for (const std::size_t size : {std::size_t{300}, std::size_t{4096}, whole.size() / 2}) {
    test::writeBytes(place(), whole.substr(0, size));
    expectError(readError(), ErrorCode::kMalformed, place() + ": ");
  }
  std::string damaged = whole;
  for (std::size_t page = 1; page < damaged.size() / 4096; ++page) {
    damaged.replace(page * 4096, 64, 64, '\x5A');
  }
  test::writeBytes(place(), damaged);
  expectError(readError(), ErrorCode::kMalformed, "use a backup, or recover what is left with");
  test::writeBytes(place(), whole);
  EXPECT_EQ(readError().message, "everything was read");
}

}  // namespace
}  // namespace dubito
