// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/about_text.h"

#include <QtGlobal>

#include "app/shell/text_window.h"
#include "core/base/device_text.h"
#include "core/data/pixels/image_file.h"
#include "core/models/torch_version.h"
#include "widgets/plot_library.h"
#include "widgets/tr.h"

namespace dubito {

std::vector<LinkedLibrary> linkedLibraries() {
  // Versions without an accessor function come from CMake.
  std::vector<LinkedLibrary> libraries = {
      {"Qt", QString::fromLatin1(qVersion()), "LGPL-3.0-only", "Qt6"},
      {"QCustomPlot", plotLibraryVersion(), "GPL-3.0-or-later", "QCustomPlotQt6"},
      {"LibTorch", QString::fromStdString(torchVersion()), "BSD-3-Clause", {}},
      {"Boost", DUBITO_BOOST_VERSION, "BSL-1.0", "Boost"},
      {"Eigen", DUBITO_EIGEN_VERSION, "MPL-2.0", "Eigen3"},
      {"SQLite", DUBITO_SQLITE_VERSION, "blessing", "SQLite3"},
      {"SQLiteCpp", DUBITO_SQLITECPP_VERSION, "MIT", "SQLiteCpp"},
      {"pugixml", DUBITO_PUGIXML_VERSION, "MIT", "pugixml"},
      {"libzip", DUBITO_LIBZIP_VERSION, "BSD-3-Clause", "libzip"},
      {"zlib", DUBITO_ZLIB_VERSION, "Zlib", "ZLIB"},
      {"fmt", DUBITO_FMT_VERSION, "MIT", "fmt"},
      {"nlohmann-json", DUBITO_JSON_VERSION, "MIT", "nlohmann_json"},
      {"CLI11", DUBITO_CLI11_VERSION, "BSD-3-Clause", "CLI11"},
      {"tl::expected", DUBITO_EXPECTED_VERSION, "CC0-1.0", "tl-expected"}};
  if (const std::string opencv = opencvVersion(); !opencv.empty()) {
    libraries.insert(libraries.begin() + 3,
                     {"OpenCV", QString::fromStdString(opencv), "Apache-2.0", {}});
  }
#ifdef DUBITO_HIGHWAY_VERSION
  libraries.push_back({"Highway", DUBITO_HIGHWAY_VERSION, "Apache-2.0", "hwy"});
#endif
#ifdef DUBITO_POSTGRES_VERSION
  libraries.push_back({"libpq", DUBITO_POSTGRES_VERSION, "PostgreSQL", "PostgreSQL"});
#endif
#ifdef DUBITO_HAS_MPI
  libraries.push_back({"Open MPI", {}, "BSD-3-Clause", "MPI"});
#endif
#ifdef DUBITO_CUDA_VERSION
  libraries.push_back({"CUDA", DUBITO_CUDA_VERSION, "NVIDIA CUDA EULA", {}});
#endif
  return libraries;
}

QString aboutHtml(const DeviceReport& devices) {
  std::vector<TextRow> machine;
  for (const DeviceLine& line : deviceLines(devices)) {
    machine.push_back({QString::fromStdString(line.name), {QString::fromStdString(line.text)}});
  }
  std::vector<TextRow> libraries;
  for (const LinkedLibrary& library : linkedLibraries()) {
    libraries.push_back({library.name, {library.version, library.licence}});
  }
  const std::vector<TextRow> images = {
      {"MNIST", {tr("LeCun, Cortes, Burges"), "CC-BY-SA-3.0"}},
      {"Fashion-MNIST", {tr("Zalando SE"), "MIT"}},
      {"KMNIST", {tr("CODH, from the Kuzushiji dataset by NIJL and others"), "CC-BY-SA-4.0"}}};
  return headingHtml(QStringLiteral("Dubito " DUBITO_VERSION)) +
         paragraphHtml(tr("See what a trained model does not know.")) +
         paragraphHtml(tr("Free software under the GNU General Public License, version 3 or later "
                          "(GPL-3.0-or-later): you may use, study, modify and redistribute it. It "
                          "comes without any warranty.")) +
         headingHtml(tr("This machine")) + tableHtml(machine) + headingHtml(tr("Built with")) +
         tableHtml(libraries) + headingHtml(tr("Demo images")) + tableHtml(images);
}

}  // namespace dubito
