// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/same_method.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

RunMeta metaOf(const std::string& method, const std::string& options, const std::string& model,
               const std::string& hash) {
  RunMeta meta;
  meta.method = method;
  meta.method_options = options;
  meta.model_name = model;
  meta.network_hash = hash;
  return meta;
}

TEST(SameMethod, ComparesMethodOptionsAndNetwork) {
  const RunMeta run = metaOf("mc-dropout", R"({"draws":20})", "net", "a1");
  EXPECT_TRUE(sameMethod(run, run));
  EXPECT_FALSE(sameMethod(run, metaOf("map", R"({"draws":20})", "net", "a1")));
  EXPECT_FALSE(sameMethod(run, metaOf("mc-dropout", R"({"draws":50})", "net", "a1")));
  EXPECT_FALSE(sameMethod(run, metaOf("mc-dropout", R"({"draws":20})", "net", "b2")));
  EXPECT_TRUE(sameMethod(run, metaOf("mc-dropout", R"({"draws":20})", "renamed", "a1")));
}

TEST(SameMethod, ComparesNamesOfNetworksWithoutHash) {
  const RunMeta run = metaOf("map", "{}", "net", "a1");
  EXPECT_TRUE(sameNetwork(run, metaOf("map", "{}", "net", "")));
  EXPECT_FALSE(sameNetwork(run, metaOf("map", "{}", "other", "")));
}

TEST(SameMethod, IgnoresTheFilesOfAnEnsemble) {
  EXPECT_TRUE(sameMethod(metaOf("ensemble", R"({"members":["a.npz"]})", "net", "a1"),
                         metaOf("ensemble", R"({"members":["b.npz"]})", "net", "a1")));
}

}  // namespace
}  // namespace dubito
