// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/workspace_files.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/io/npz_writer.h"
#include "tests/support/shared_data.h"

namespace dubito::test {
namespace {

namespace fs = std::filesystem;

template <class T>
T taken(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return *std::move(result);
}

std::string copiedIdx(const std::string& sample, const fs::path& folder, const std::string& name) {
  std::string specification = "idx:";
  for (const char* const ending : {"-images-idx3-ubyte.gz", "-labels-idx1-ubyte.gz"}) {
    const fs::path copy = folder / (name + ending);
    fs::copy_file(sourceDir() / "datasets/samples" / (sample + ending), copy);
    specification += (specification.size() > 4 ? "," : "") + copy.string();
  }
  return specification;
}

}  // namespace

std::string tooBrightImages(const std::string& path) {
  Array<float> images = Array<float>::zeros({4, 28, 28});
  std::fill_n(images.mutableData(), images.size(), 3e38F);
  NpzWriter writer = taken(NpzWriter::create(path));
  if (!writer.add("images", images) || !writer.commit()) {
    throw std::runtime_error(path + ": cannot be written");
  }
  return "npz:" + path;
}

WorkspaceFiles::WorkspaceFiles(const std::string& below) : folder(below) {
  fs::create_directories(fs::path(folder) / "model");
  fs::create_directories(fs::path(folder) / "data");
  model = (fs::path(folder) / "model/net.pt").string();
  fs::copy_file(sourceDir() / "tests/data/models/scripted.pt", model);
  digits = copiedIdx("mnist-2000", fs::path(folder) / "data", "digits") + "?items=0:30";
  signs = copiedIdx("kmnist-1000", fs::path(folder) / "data", "signs") + "?items=0:20";
}

ComputeRequest WorkspaceFiles::request() const {
  RunContext context;
  ComputeRequest request;
  request.model = taken(loadModel(model, {}, context));
  request.in = {"digits", taken(openDataset(digits, context))};
  request.ood = {{"signs", taken(openDataset(signs, context))}};
  request.method = MapOptions{};
  return request;
}

void WorkspaceFiles::fill(Session& session) const {
  RunContext context;
  ComputeRequest request = this->request();
  session.addModel("net", request.model);
  session.addDataset("digits", request.in.dataset, false);
  session.addDataset("signs", request.ood.front().dataset, true);
  request.ood.front().dataset = session.oodDatasets().front().dataset;
  session.addAnalysis(taken(computeAnalysis(request, context)));
}

}  // namespace dubito::test
