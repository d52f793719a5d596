// SPDX-License-Identifier: GPL-3.0-or-later
// Times the CUDA kernels by events next to their CPU counterparts, and checks what they
// compute. Starts without torch, so that it can run under compute-sanitizer.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/stopwatch.h"
#include "core/base/thread_count.h"
#include "tests/benchmark/kernels/card.h"
#include "tests/benchmark/kernels/event_timer.h"
#include "tests/benchmark/kernels/kernel_case.h"

namespace dubito::benchmarks {
namespace {

struct Arguments {
  std::string device = "cuda";
  Sizes sizes = Sizes::kModest;
  std::string output;
  std::string only;
  int threads = 0;
  bool without_host = false;
};

/// What is known after the runs on the device.
nlohmann::json timeOnDevice(KernelCase& kernel) {
  kernel.poison();
  kernel.launch();
  const std::uint64_t first = kernel.outputHash();
  kernel.poison();
  kernel.launch();
  const bool repeats = kernel.outputHash() == first;
  const double milliseconds = medianMilliseconds([&] { kernel.launch(); });
  return {{"ms", milliseconds},
          {"gb_per_s", kernel.bytes() / (milliseconds * 1e6)},
          {"repeats", repeats}};
}

/// Milliseconds of the twin: the best of up to three runs, fewer if they take long.
double timeOnHost(KernelCase& kernel, const RunContext& context) {
  constexpr double kMaxSeconds = 1.5;
  double best = std::numeric_limits<double>::infinity();
  double total = 0.0;
  for (int round = 0; round < 3 && total < kMaxSeconds; ++round) {
    Stopwatch watch;
    kernel.runHost(context);
    const double seconds = watch.lap();
    best = std::min(best, seconds);
    total += seconds;
  }
  return 1e3 * best;
}

nlohmann::json measure(KernelCase& kernel, const Arguments& arguments, const RunContext& context) {
  nlohmann::json row{{"kernel", kernel.name()},
                     {"shape", kernel.shape()},
                     {"bytes", kernel.bytes()},
                     {"bound", kernel.bound()}};
  const bool on_device = arguments.device != "cpu";
  if (on_device) {
    kernel.prepare();
    row.update(timeOnDevice(kernel));
  }
  if (!arguments.without_host) {
    kernel.prepareHost(context);
    row["host_ms"] = timeOnHost(kernel, context);
    if (on_device) {
      // JSON has no infinity.
      row["difference"] = std::min(kernel.differenceToHost(), 1e300);
    }
  }
  return row;
}

bool isRight(const nlohmann::json& row) {
  return !row.contains("error") && row.value("repeats", true) &&
         row.value("difference", 0.0) <= 1.0;
}

nlohmann::json measureOrExplain(KernelCase& kernel, const Arguments& arguments,
                                const RunContext& context) {
  try {
    return measure(kernel, arguments, context);
  } catch (const std::exception& exception) {
    return {{"kernel", kernel.name()}, {"shape", kernel.shape()}, {"error", exception.what()}};
  }
}

int run(const Arguments& arguments) {
  RunContext context;
  context.threads = threadCount(arguments.threads);
  nlohmann::json report{{"device", arguments.device}, {"threads", context.threads}};
  if (arguments.device != "cpu" && arguments.sizes != Sizes::kSmall) {
    report["card"] = describeCard();
  }
  KernelCases cases;
  for (const auto add : {addDropoutCases, addSummaryCases, addBridgeCases, addLogitNormalCases}) {
    add(arguments.sizes, cases);
  }
  bool all_right = true;
  report["kernels"] = nlohmann::json::array();
  for (std::unique_ptr<KernelCase>& kernel : cases) {
    if (kernel->name().find(arguments.only) == std::string::npos) {
      continue;
    }
    const nlohmann::json row = measureOrExplain(*kernel, arguments, context);
    kernel.reset();  // its memory is needed by the next one
    fmt::print("{}{}\n", isRight(row) ? "" : "WRONG: ", row.dump());
    std::fflush(stdout);
    all_right = all_right && isRight(row);
    report["kernels"].push_back(row);
  }
  if (!arguments.output.empty()) {
    std::ofstream file(arguments.output);
    file << report.dump(1) << '\n';
    if (!file) {
      fmt::print(stderr, "{}: cannot be written\n", arguments.output);
      return 1;
    }
  }
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace dubito::benchmarks

int main(int argc, char** argv) {
  using dubito::benchmarks::Sizes;
  CLI::App app("Times the CUDA kernels next to their CPU counterparts and compares the results");
  dubito::benchmarks::Arguments arguments;
  app.add_option("--device", arguments.device, "cuda, or cpu for the twins alone")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->capture_default_str();
  const std::map<std::string, Sizes> sizes{{"small", Sizes::kSmall},
                                           {"modest", Sizes::kModest},
                                           {"large", Sizes::kLarge},
                                           {"extreme", Sizes::kExtreme}};
  app.add_option("--sizes", arguments.sizes, "small | modest | large | extreme")
      ->transform(CLI::CheckedTransformer(sizes));
  app.add_option("--only", arguments.only, "cases whose name contains this");
  app.add_option("--threads", arguments.threads, "threads of the twins; 0: all cores");
  app.add_flag("--without-host", arguments.without_host, "no twins, no comparison");
  app.add_option("-o,--output", arguments.output, "JSON file to write");
  CLI11_PARSE(app, argc, argv);
  try {
    return dubito::benchmarks::run(arguments);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "{}\n", exception.what());
    return 1;
  }
}
