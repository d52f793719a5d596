// SPDX-License-Identifier: GPL-3.0-or-later
// Annotators and servers that are killed while they work.
#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "core/labels/sql/open_connection.h"
#include "tests/core/labels/store_fixture.h"

namespace dubito {
namespace {

class LabelCrashTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, LabelCrashTest, testing::Values(Backend::kFile, Backend::kServer),
                         nameOf);

/// A scripted annotator (scripted_annotator.cpp) in its own process.
class Annotator {
 public:
  explicit Annotator(std::vector<std::string> arguments) {
    int ends[2];
    if (pipe(ends) != 0) {
      throw std::runtime_error("pipe failed");
    }
    arguments.insert(arguments.begin(), DUBITO_SCRIPTED_ANNOTATOR);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
  }
  Annotator(Annotator&& other) noexcept
      : process_(std::exchange(other.process_, -1)), output_(std::exchange(other.output_, -1)) {}
  Annotator& operator=(Annotator&&) = delete;
  ~Annotator() {
    kill();
    (void)finish();
    if (output_ >= 0) {
      close(output_);
    }
  }

  /// Waits until it has printed something.
  void waitForDecision() {
    char bytes[4096];
    const ssize_t count = read(output_, bytes, sizeof(bytes));
    printed_.append(bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  void kill() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
    }
  }
  /// Waits for its end. True if it ended well.
  bool finish() {
    int status = -1;
    if (process_ > 0) {
      readAll();
      waitpid(std::exchange(process_, -1), &status, 0);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  /// The items of all complete lines.
  [[nodiscard]] std::vector<std::int64_t> items() const {
    std::vector<std::int64_t> items;
    std::istringstream lines(printed_.substr(0, printed_.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);) {
      items.push_back(std::stoll(line));
    }
    return items;
  }

 private:
  void readAll() {
    char bytes[4096];
    for (ssize_t count = 0; (count = read(output_, bytes, sizeof(bytes))) > 0;) {
      printed_.append(bytes, static_cast<std::size_t>(count));
    }
  }

  pid_t process_ = -1;
  int output_ = -1;
  std::string printed_;
};

constexpr std::int64_t kImported = 100;

std::map<std::int64_t, int> decisionsByItem(LabelStore& store) {
  std::map<std::int64_t, int> counts;
  for (const RecordedDecision& recorded : valueOrThrow(store.journal())) {
    ++counts[recorded.decision.item];
  }
  return counts;
}

int killCount() {
  const char* const text = std::getenv("DUBITO_KILLS");
  return text == nullptr ? 30 : std::atoi(text);
}

/// Labels of another program and a comment, as an import leaves them; far from the items that
/// annotators decide about.
std::vector<Decision> importedLabels() {
  std::vector<Decision> imported;
  for (std::int64_t item = 1'000'000; item < 1'000'000 + kImported; ++item) {
    imported.push_back(acceptance(item, item % 3, "another program"));
    imported.back().origin = LabelOrigin::kModel;
  }
  return imported;
}

TEST_P(LabelCrashTest, NothingThatWasReportedIsLostWhenTheProgramIsKilled) {
  const std::vector<Decision> imported = importedLabels();
  const Remark comment{.about = imported.front().item, .annotator = "ann", .text = "blurred"};
  {
    const auto store = newStore();
    (void)valueOrThrow(store->decide(imported));
    ASSERT_OK(store->setRemarks(std::span(&comment, 1)));
  }
  std::mt19937_64 random(20240229);
  std::uniform_int_distribution<int> microseconds(0, 20'000);
  std::set<std::int64_t> promised;
  for (int round = 0; round < killCount(); ++round) {
    Annotator annotator({"decide", place(), "ann"});
    annotator.waitForDecision();
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    annotator.kill();
    (void)annotator.finish();
    const auto items = annotator.items();
    ASSERT_FALSE(items.empty()) << "round " << round;
    promised.insert(items.begin(), items.end());
    if (GetParam() == Backend::kFile && round % 10 == 0) {
      SQLite::Database database(place(), SQLite::OPEN_READWRITE);
      ASSERT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
    }
  }
  const auto store = openStore(place());
  const auto recorded = decisionsByItem(*store);
  for (const std::int64_t item : promised) {
    EXPECT_TRUE(recorded.contains(item)) << "item " << item;
  }
  // At most the one decision of each round that was not reported any more.
  EXPECT_LE(recorded.size(),
            promised.size() + static_cast<std::size_t>(killCount()) + imported.size());
  for (const Decision& label : imported) {
    const auto present = valueOrThrow(store->label(label.item));
    ASSERT_TRUE(present) << "item " << label.item;
    EXPECT_EQ(present->class_id, label.class_id);
    EXPECT_EQ(present->origin, LabelOrigin::kModel);
  }
  EXPECT_EQ(valueOrThrow(store->remarks()).at(0).text, "blurred");
  const auto journal = valueOrThrow(store->journal());
  for (std::size_t i = 0; i < journal.size(); ++i) {
    ASSERT_EQ(journal[i].sequence, static_cast<std::int64_t>(i) + 4) << "a gap in the journal";
  }
  if (GetParam() == Backend::kFile) {
    SQLite::Database database(place(), SQLite::OPEN_READWRITE);
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
  }
  RecordProperty("promised", static_cast<int>(promised.size()));
}

TEST_P(LabelCrashTest, TenAnnotatorsShareTheItemsAlsoIfOneIsKilled) {
  constexpr std::int64_t kItems = 200;
  const auto store = newStore();
  std::vector<Annotator> annotators;
  for (int i = 0; i < 10; ++i) {
    annotators.emplace_back(std::vector<std::string>{
        "share", place(), "annotator" + std::to_string(i), std::to_string(kItems)});
  }
  annotators[0].waitForDecision();
  annotators[0].kill();
  (void)annotators[0].finish();
  std::multiset<std::int64_t> reported;
  for (std::size_t i = 0; i < annotators.size(); ++i) {
    EXPECT_TRUE(annotators[i].finish() || i == 0);
    const auto items = annotators[i].items();
    reported.insert(items.begin(), items.end());
  }
  const auto recorded = decisionsByItem(*store);
  EXPECT_EQ(recorded.size(), static_cast<std::size_t>(kItems));
  for (const auto& [item, count] : recorded) {
    EXPECT_EQ(count, 1) << "item " << item << " was served twice";
  }
  for (const std::int64_t item : reported) {
    EXPECT_TRUE(recorded.contains(item)) << "item " << item;
  }
  EXPECT_GE(reported.size() + 1, static_cast<std::size_t>(kItems));
}

class LabelServerTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Servers, LabelServerTest, testing::Values(Backend::kServer), nameOf);

TEST_P(LabelServerTest, NothingIsLostWhenTheServerStopsAndTheNextCallReconnects) {
  test::PostgresServer& server = test::PostgresServer::shared();
  const auto store = newStore();
  for (std::int64_t item = 0; item < 20; ++item) {
    decideOne(*store, acceptance(item, 0));
  }
  server.crash();
  const Decision decision = acceptance(20, 1);
  for (int i = 0; i < 2; ++i) {
    const auto refused = store->decide(std::span(&decision, 1));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kWriteFailed);
    EXPECT_THAT(refused.error().message, HasSubstr(place() + ": has no connection to the server"));
    const auto unread = store->labels();
    ASSERT_FALSE(unread);
    EXPECT_EQ(unread.error().code, ErrorCode::kReadFailed);
  }
  const auto absent = LabelStore::open(place(), StoreMode::kOpen);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("has no connection to the server"));
  server.start();
  EXPECT_EQ(valueOrThrow(store->labels()).size(), 20U);
  decideOne(*store, decision);
  // A restart between two calls is not noticed.
  server.crash();
  server.start();
  decideOne(*store, acceptance(21, 1));
  server.crash();
  server.start();
  EXPECT_EQ(valueOrThrow(store->labels()).size(), 22U);
  EXPECT_EQ(valueOrThrow(openStore(place())->newestSequence()), 3 + 22);
}

TEST_P(LabelServerTest, NothingThatWasReportedIsLostWhenTheServerIsKilled) {
  test::PostgresServer& server = test::PostgresServer::shared();
  (void)newStore();
  std::set<std::int64_t> promised;
  for (int round = 0; round < 3; ++round) {
    Annotator annotator({"decide", place(), "ann"});
    annotator.waitForDecision();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.crash();
    EXPECT_FALSE(annotator.finish());
    const auto items = annotator.items();
    promised.insert(items.begin(), items.end());
    server.start();
  }
  const auto recorded = decisionsByItem(*openStore(place()));
  ASSERT_GE(promised.size(), 3U);
  for (const std::int64_t item : promised) {
    EXPECT_TRUE(recorded.contains(item)) << "item " << item;
  }
}

TEST_P(LabelServerTest, RefusesNewerVersionsAndOtherSchemas) {
  (void)newStore();
  const auto connection = valueOrThrow(openConnection(place(), StoreMode::kOpen));
  ASSERT_OK(connection->runScript("INSERT INTO store_version VALUES (2)"));
  const auto newer = LabelStore::open(place(), StoreMode::kOpen);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kUnsupported);
  ASSERT_OK(connection->runScript("DROP TABLE store_version"));
  const auto other = LabelStore::open(place(), StoreMode::kOpenOrCreate);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kMalformed) << other.error().message;
  EXPECT_THAT(other.error().message, HasSubstr("is no label store"));
}

TEST_P(LabelServerTest, AnnotatorsNeedNoRightToChangeTheJournal) {
  (void)newStore();
  const auto owner = valueOrThrow(openConnection(place(), StoreMode::kOpen));
  ASSERT_OK(
      owner->runScript("CREATE ROLE eve LOGIN; GRANT USAGE ON SCHEMA dubito_labels TO eve;"
                       "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA dubito_labels TO eve;"
                       "GRANT UPDATE, DELETE ON lease TO eve; GRANT UPDATE ON remark TO eve"));
  std::string address = place();
  address.replace(address.find("dubito@"), 7, "eve@");
  const auto store = openStore(address);
  const std::vector<std::int64_t> items{1, 2};
  EXPECT_EQ(valueOrThrow(store->reserve(items, 2, "eve", std::chrono::minutes(1))), items);
  std::vector<Decision> many;
  for (std::int64_t item = 0; item < 2000; ++item) {
    many.push_back(acceptance(item, 1, "eve"));
  }
  EXPECT_OK(store->decide(many));
  EXPECT_TRUE(valueOrThrow(store->undo("eve")));
  ASSERT_OK(owner->runScript("REVOKE INSERT ON journal FROM eve"));
  const auto refused = store->redo("eve");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(refused.error().message, HasSubstr("refuses access (permission denied"));
}

TEST_P(LabelServerTest, ReportsADatabaseThatDoesNotExist) {
  const auto absent = LabelStore::open(test::PostgresServer::shared().addressOf("nothing"),
                                       StoreMode::kOpenOrCreate);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("\"nothing\" does not exist"));
}

}  // namespace
}  // namespace dubito
