// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_transfer.h"

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

TEST(CalibrationTransfer, ComparesMethodOptionsAndNetwork) {
  const RunMeta run = metaOf("mc-dropout", R"({"draws":20})", "net", "a1");
  EXPECT_TRUE(calibrationTransfers(run, run));
  EXPECT_FALSE(calibrationTransfers(run, metaOf("map", R"({"draws":20})", "net", "a1")));
  EXPECT_FALSE(calibrationTransfers(run, metaOf("mc-dropout", R"({"draws":50})", "net", "a1")));
  EXPECT_FALSE(calibrationTransfers(run, metaOf("mc-dropout", R"({"draws":20})", "net", "b2")));
  EXPECT_TRUE(calibrationTransfers(run, metaOf("mc-dropout", R"({"draws":20})", "renamed", "a1")));
}

TEST(CalibrationTransfer, ComparesNamesOfNetworksWithoutHash) {
  const RunMeta run = metaOf("map", "{}", "net", "a1");
  EXPECT_TRUE(sameNetwork(run, metaOf("map", "{}", "net", "")));
  EXPECT_FALSE(sameNetwork(run, metaOf("map", "{}", "other", "")));
}

TEST(CalibrationTransfer, IgnoresTheFilesOfAnEnsemble) {
  EXPECT_TRUE(calibrationTransfers(metaOf("ensemble", R"({"members":["a.npz"]})", "net", "a1"),
                                   metaOf("ensemble", R"({"members":["b.npz"]})", "net", "a1")));
}

}  // namespace
}  // namespace dubito
