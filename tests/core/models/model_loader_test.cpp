// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_loader.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

TEST(ModelLoader, EveryFileFindsALoaderAndFormatsAreNamedOnce) {
  const auto loaders = modelLoaders();
  ASSERT_FALSE(loaders.empty());
  EXPECT_TRUE(loaders.back()->recognises("anything at all"));
  std::set<std::string> names;
  for (const ModelLoader* const loader : loaders) {
    EXPECT_TRUE(names.insert(loader->formatName()).second) << loader->formatName();
  }
}

TEST(ModelLoader, LoadModelGivesWhatTheLoaderGives) {
  const std::string path = (test::sourceDir() / "datasets/samples/lenet-mnist.pt").string();
  RunContext context;
  const auto direct = torchScriptLoader().load(path, {}, context);
  const auto found = loadModel(path, {}, context);
  ASSERT_TRUE(direct && found);
  EXPECT_EQ((*direct)->audit().parameter_count, (*found)->audit().parameter_count);
  EXPECT_EQ((*found)->audit().dropout_sites.size(), 2U);
  EXPECT_EQ((*found)->path(), path);
}

}  // namespace
}  // namespace dubito
