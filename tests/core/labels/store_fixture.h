// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "core/labels/label_store.h"
#include "tests/core/labels/postgres_server.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {

enum class Backend { kFile, kServer };

inline std::string nameOf(const testing::TestParamInfo<Backend>& info) {
  return info.param == Backend::kFile ? "File" : "Server";
}

/// Opens a store; throws with its message if that fails.
inline std::unique_ptr<LabelStore> openStore(const std::string& place,
                                             StoreMode mode = StoreMode::kOpen) {
  auto store = LabelStore::open(place, mode);
  if (!store) {
    throw std::runtime_error(store.error().message);
  }
  return std::move(*store);
}

/// The value of a result; throws with its message if there is none.
template <class T>
T valueOrThrow(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

/// A decision that accepts class `class_id`.
inline Decision acceptance(std::int64_t item, std::int64_t class_id,
                           const std::string& annotator = "ann") {
  return {
      .item = item, .action = LabelAction::kAccept, .class_id = class_id, .annotator = annotator};
}

inline std::int64_t decideOne(LabelStore& store, const Decision& decision) {
  return valueOrThrow(store.decide(std::span(&decision, 1)));
}

/// A test of a file and of a server, each with an empty place.
class StoreTest : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::kFile) {
      place_ = folder_.file("items.labels");
      return;
    }
    test::PostgresServer& server = test::PostgresServer::shared();
    if (!server.missingReason().empty()) {
      GTEST_SKIP() << server.missingReason();
    }
    place_ = server.newDatabase();
  }

  [[nodiscard]] const std::string& place() const { return place_; }
  /// A store with the classes cat, dog and fox.
  [[nodiscard]] std::unique_ptr<LabelStore> newStore() const {
    auto store = openStore(place_, StoreMode::kOpenOrCreate);
    const std::vector<std::string> names{"cat", "dog", "fox"};
    if (Status belongs =
            store->belongTo({.name = "animals", .spec = "folder:a", .fingerprint = "1"}, names);
        !belongs) {
      throw std::runtime_error(belongs.error().message);
    }
    return store;
  }

  test::TempDir folder_;

 private:
  std::string place_;
};

}  // namespace dubito
