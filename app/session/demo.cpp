// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/demo.h"

#include <QCoreApplication>
#include <QDir>
#include <QString>
#include <cstdlib>
#include <system_error>

namespace dubito {

std::optional<std::filesystem::path> findSamples() {
  std::vector<std::filesystem::path> places;
  if (const char* const named = std::getenv("DUBITO_SAMPLES"); named != nullptr) {
    places.emplace_back(named);
  }
  // Installed, the programs are in lib/dubito.
  const QDir program(QCoreApplication::applicationDirPath());
  const auto fromProgram = [&program](const char* path) {
    return QDir::cleanPath(program.absoluteFilePath(QLatin1String(path))).toStdString();
  };
  places.emplace_back(fromProgram("../../share/dubito/samples"));
  places.emplace_back(DUBITO_SOURCE_SAMPLES);
  places.emplace_back(fromProgram("../../../datasets/samples"));
  for (const std::filesystem::path& place : places) {
    std::error_code ignored;
    if (std::filesystem::exists(place / "lenet-mnist.pt", ignored)) {
      return place;
    }
  }
  return std::nullopt;
}

std::vector<OpenRequest> demoRequests(const std::filesystem::path& samples) {
  const auto idx = [&samples](const std::string& name) {
    return "idx:" + (samples / (name + "-images-idx3-ubyte.gz")).string() + "," +
           (samples / (name + "-labels-idx1-ubyte.gz")).string();
  };
  return {
      {(samples / "lenet-mnist.pt").string(), FileKind::kModel, false, "LeNet, MNIST", true},
      {idx("mnist-2000"), FileKind::kDataset, false, "MNIST test", true},
      {idx("fashion-mnist-1000"), FileKind::kDataset, true, "Fashion-MNIST", true},
      {idx("kmnist-1000"), FileKind::kDataset, true, "KMNIST", true},
  };
}

}  // namespace dubito
