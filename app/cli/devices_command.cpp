// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/base/device_text.h"
#include "core/base/json_text.h"
#include "core/confine/confine.h"

namespace dubito::cli {
namespace {

nlohmann::json toJson(const DeviceReport& report) {
  nlohmann::json object{{"cpu", {{"name", report.cpu_name}, {"threads", report.cpu_threads}}},
                        {"memory_bytes", report.memory_bytes},
                        {"cuda", nlohmann::json::array()}};
  for (const CudaDeviceInfo& device : report.cuda_devices) {
    object["cuda"].push_back(
        {{"index", device.index},
         {"name", device.name},
         {"memory_bytes", device.memory_bytes},
         {"compute_capability", fmt::format("{}.{}", device.compute_major, device.compute_minor)}});
  }
  if (!report.cuda_unavailable_reason.empty()) {
    object["cuda_unavailable_reason"] = report.cuda_unavailable_reason;
  }
  const ConfinementState confinement = availableConfinement();
  object["confinement"] = {{"files", confinement.files},
                           {"system_calls", confinement.system_calls}};
  return object;
}

void print(const DeviceReport& report) {
  for (const DeviceLine& line : deviceLines(report)) {
    fmt::print("{:<10}  {}\n", line.name, line.text);
  }
  const std::string missing = availableConfinement().missing();
  fmt::print("{:<10}  {}\n", "--confined",
             missing.empty() ? "enforced: files (Landlock) and system calls (seccomp)" : missing);
}

}  // namespace

Command devicesCommand(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "print JSON");
  return {[as_json](RunContext&) -> Status {
    const DeviceReport report = queryDevices();
    if (*as_json) {
      fmt::print("{}\n", jsonText(toJson(report), 2));
    } else {
      print(report);
    }
    return {};
  }};
}

}  // namespace dubito::cli
