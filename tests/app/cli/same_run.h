// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/io/run_file.h"
#include "tests/support/matchers.h"

namespace dubito::test {

inline Run readWholeRun(const std::string& path) {
  RunContext context;
  auto run = readRun(path, context);
  EXPECT_OK(run);
  return *std::move(run);
}

template <class T>
bool same(const Array<T>& a, const Array<T>& b) {
  return a.shape() == b.shape() && std::ranges::equal(a.values(), b.values());
}

inline std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> masksOf(const Run& run) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> masks;
  for (const MaskHash& mask : run.meta.mask_hashes) {
    masks[{mask.site, mask.draw}] = mask.hash;
  }
  return masks;
}

/// Two runs with draws: the same items and masks, and the same numbers bit for bit.
inline void expectSameRun(const Run& run, const Run& expected) {
  EXPECT_TRUE(same(run.ids, expected.ids));
  EXPECT_TRUE(same(run.labels, expected.labels));
  EXPECT_TRUE(same(std::get<Array<float>>(*run.probs), std::get<Array<float>>(*expected.probs)));
  EXPECT_TRUE(same(*run.samples, *expected.samples));
  EXPECT_TRUE(same(*run.mutual_information, *expected.mutual_information));
  EXPECT_EQ(run.meta.dataset_hash, expected.meta.dataset_hash);
  EXPECT_EQ(masksOf(run), masksOf(expected));
}

}  // namespace dubito::test
