// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/drop_rate_course.h"

#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace dubito {
namespace {

constexpr const char* kMetadataRecord = "extra/metadata.json";
constexpr const char* kKey = "drop_rates";

/// metadata.json of the archive; empty if absent. Throws for a file that is no archive.
std::string metadataOf(const std::string& path) {
  caffe2::serialize::PyTorchStreamReader reader(path);
  if (!reader.hasRecord(kMetadataRecord)) {
    return {};
  }
  const auto [data, size] = reader.getRecord(kMetadataRecord);
  return {static_cast<const char*>(data.get()), size};
}

bool haveSameShape(const std::vector<LayerDropRates>& a, const std::vector<LayerDropRates>& b) {
  return std::ranges::equal(a, b, [](const LayerDropRates& x, const LayerDropRates& y) {
    return x.layer == y.layer && x.units.size() == y.units.size();
  });
}

/// Throws if the metadata or the course in it has another structure.
DropRateCourse courseIn(const std::string& metadata) {
  DropRateCourse course;
  const nlohmann::json whole = nlohmann::json::parse(metadata);
  const auto training = whole.find("training");
  if (training == whole.end() || !training->contains(kKey)) {
    return course;
  }
  for (const nlohmann::json& epoch : training->at(kKey)) {
    course.push_back(dropRatesFromJson(epoch));
    if (!haveSameShape(course.front(), course.back())) {
      throw std::runtime_error(
          fmt::format("epoch {} has other layers than the first one", course.size()));
    }
  }
  return course;
}

}  // namespace

void addDropRateCourse(const DropRateCourse& course, nlohmann::json& training) {
  for (const std::vector<LayerDropRates>& epoch : course) {
    training[kKey].push_back(toJson(epoch));
  }
}

Expected<DropRateCourse> readDropRateCourse(const std::string& model_path) {
  if (std::error_code unknown; !std::filesystem::exists(model_path, unknown)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file; check the path", model_path));
  }
  try {
    const std::string metadata = metadataOf(model_path);
    return metadata.empty() ? DropRateCourse() : courseIn(metadata);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the course of the drop rates in its metadata cannot be read; "
                            "train the network again to see it",
                            model_path),
                exception.what());
  }
}

}  // namespace dubito
