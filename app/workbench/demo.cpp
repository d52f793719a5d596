// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/demo.h"

#include <string>

#include "core/base/sample_files.h"

namespace dubito {

std::optional<std::filesystem::path> findSamples() {
  return findSampleFolder("lenet-mnist.pt");
}

std::vector<OpenRequest> demoRequests(const std::filesystem::path& samples) {
  const auto idx = [&samples](const std::string& name) {
    return "idx:" + (samples / (name + "-images-idx3-ubyte.gz")).string() + "," +
           (samples / (name + "-labels-idx1-ubyte.gz")).string();
  };
  return {
      {(samples / "lenet-mnist.pt").string(), FileKind::kModel, false, "LeNet, MNIST", true},
      {idx("mnist-2000") + "?items=0:1300", FileKind::kDataset, false, "MNIST test", true},
      {idx("fashion-mnist-1000"), FileKind::kDataset, true, "Fashion-MNIST", true},
      {idx("kmnist-1000"), FileKind::kDataset, true, "KMNIST", true},
      {idx("mnist-2000") + "?items=1300:1700&role=train", FileKind::kDataset, false,
       "MNIST for fits", true},
      {idx("mnist-2000") + "?items=1700:2000&role=calibration", FileKind::kDataset, false,
       "MNIST for calibration", true},
  };
}

}  // namespace dubito
