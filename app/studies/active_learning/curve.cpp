// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/curve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_text.h"
#include "core/base/regular_file.h"
#include "core/io/atomic_file.h"

namespace dubito::study {
namespace {

constexpr int kCurveVersion = 1;

nlohmann::json toJson(const Curve& curve, const nlohmann::json& conditions) {
  nlohmann::json points = nlohmann::json::array();
  for (const CurvePoint& point : curve.points) {
    points.push_back(
        {{"labels", point.labels}, {"accuracy", point.accuracy}, {"acquired", point.acquired}});
  }
  return {{"version", kCurveVersion}, {"conditions", conditions}, {"by", curve.by},
          {"seed", curve.seed},       {"initial", curve.initial}, {"points", points}};
}

/// Throws nlohmann's exceptions for another structure.
Curve curveFromJson(const nlohmann::json& json) {
  Curve curve{json.at("by"), json.at("seed"), json.at("initial"), {}};
  for (const nlohmann::json& point : json.at("points")) {
    curve.points.push_back({point.at("labels"), point.at("accuracy"), point.at("acquired")});
  }
  return curve;
}

/// "pool 10000 instead of 2000", for every condition that differs.
std::vector<std::string> differences(const nlohmann::json& was, const nlohmann::json& wanted) {
  std::vector<std::string> found;
  for (const auto& [name, value] : wanted.items()) {
    if (const nlohmann::json before = was.value(name, nlohmann::json()); before != value) {
      found.push_back(
          fmt::format("{} {} instead of {}", name, jsonText(before, -1), jsonText(value, -1)));
    }
  }
  return found;
}

}  // namespace

Status writeCurve(const std::string& path, const Curve& curve, const nlohmann::json& conditions) {
  return writeFileAtomically(path, jsonText(toJson(curve, conditions), 1) + "\n");
}

Expected<Curve> readCurve(const std::string& path, const nlohmann::json& conditions) {
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  try {
    std::ifstream file(path);
    const nlohmann::json json = nlohmann::json::parse(file);
    if (json.at("version") != kCurveVersion) {
      throw std::runtime_error("another version");
    }
    if (const auto other = differences(json.at("conditions"), conditions); !other.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: was made with {}; use the same options, or another folder", path,
                              fmt::join(other, ", ")));
    }
    return curveFromJson(json);
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: is not a learning curve; delete it to compute it again", path),
                exception.what());
  }
}

}  // namespace dubito::study
