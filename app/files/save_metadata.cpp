// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/save_metadata.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>

#include "core/io/atomic_file.h"
#include "core/models/model_metadata.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// `write` returns the path of the file written.
Expected<ModelPtr> writeAndLoad(const std::string& model_path,
                                const std::function<Expected<std::string>()>& write,
                                RunContext& context, bool shares_torch) {
  std::map<std::string, std::string> before;
  for (const std::string& path : metadataPathsFor(model_path)) {
    std::error_code ignored;
    if (path != model_path && fs::is_regular_file(path, ignored)) {
      before.emplace(path, contentOf(path));
    }
  }
  const auto written = write();
  if (!written) {
    return failWith(written);
  }
  LoadModelOptions loading;
  loading.shares_torch = shares_torch;
  auto model = loadModel(model_path, loading, context);
  if (!model) {
    std::error_code ignored;
    if (const auto old = before.find(*written); old == before.end()) {
      fs::remove(*written, ignored);
    } else if (const Status back = writeFileAtomically(*written, std::string_view(old->second));
               !back) {
      return failWith(back);
    }
  }
  return model;
}

}  // namespace

Expected<ModelPtr> saveMetadata(const std::string& model_path, const ModelMetadata& metadata,
                                RunContext& context, bool shares_torch) {
  return writeAndLoad(
      model_path, [&] { return writeModelMetadata(model_path, metadata); }, context, shares_torch);
}

Expected<ModelPtr> saveOutputKey(const std::string& model_path, const std::string& key,
                                 RunContext& context, bool shares_torch) {
  return writeAndLoad(
      model_path, [&] { return writeOutputKey(model_path, key); }, context, shares_torch);
}

}  // namespace dubito
