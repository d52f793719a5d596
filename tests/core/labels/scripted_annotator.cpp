// SPDX-License-Identifier: GPL-3.0-or-later
// An annotator for tests, to be killed at any time:
//   scripted_annotator decide PLACE NAME         decides one item after the other, for ever
//   scripted_annotator share PLACE NAME ITEMS    reserves and decides items 0 .. ITEMS-1 with
//   others
// Prints "ITEM\n" for each decision once it is durable.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/labels/label_store.h"

namespace dubito {
namespace {

constexpr std::chrono::milliseconds kReservedFor{5000};

template <class T>
T orExit(Expected<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  return std::move(*result);
}

void decide(LabelStore& store, const std::string& annotator, std::int64_t item) {
  const Decision decision{.item = item,
                          .action = LabelAction::kAccept,
                          .class_id = item % 2,
                          .annotator = annotator,
                          .probs = {0.5F, 0.5F}};
  (void)orExit(store.decide(std::span(&decision, 1)));
  const std::string line = std::to_string(item) + "\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    std::exit(1);
  }
}

void decideForEver(LabelStore& store, const std::string& annotator) {
  for (std::int64_t item = orExit(store.newestSequence());; ++item) {
    decide(store, annotator, item);
  }
}

void share(LabelStore& store, const std::string& annotator, std::int64_t item_count) {
  while (true) {
    std::set<std::int64_t> open;
    for (std::int64_t item = 0; item < item_count; ++item) {
      open.insert(item);
    }
    for (const PresentLabel& label : orExit(store.labels())) {
      open.erase(label.item);
    }
    if (open.empty()) {
      return;
    }
    const std::vector<std::int64_t> items(open.begin(), open.end());
    const auto granted = orExit(store.reserve(items, 3, annotator, kReservedFor));
    if (granted.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    for (const std::int64_t item : granted) {
      if (!orExit(store.label(item))) {
        decide(store, annotator, item);
      }
    }
  }
}

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  if (argc < 4) {
    return 2;
  }
  const auto store = dubito::orExit(dubito::LabelStore::open(argv[2], dubito::StoreMode::kOpen));
  if (std::strcmp(argv[1], "share") == 0 && argc == 5) {
    dubito::share(*store, argv[3], std::atoll(argv[4]));
  } else {
    dubito::decideForEver(*store, argv[3]);
  }
  return 0;
}
