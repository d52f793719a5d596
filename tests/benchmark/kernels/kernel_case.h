// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/run_context.h"

namespace dubito::benchmarks {

/// A kernel at work on one shape, next to its CPU counterpart. Everything on the device is
/// made by prepare() and lives until the case is destroyed.
class KernelCase {
 public:
  virtual ~KernelCase() = default;

  [[nodiscard]] virtual std::string name() const = 0;   ///< "dropout"
  [[nodiscard]] virtual std::string shape() const = 0;  ///< "16384 x 4096"
  /// Fewest bytes that the kernel must move: each input read once, each output written once.
  [[nodiscard]] virtual double bytes() const = 0;
  /// What bounds the kernel: "bytes", or the arithmetic that it needs.
  [[nodiscard]] virtual std::string bound() const { return "bytes"; }

  /// Makes the inputs on the device.
  virtual void prepare() = 0;
  /// Poisons the outputs, so that those that are not written are noticed.
  virtual void poison() = 0;
  /// Enqueues one launch on the default stream.
  virtual void launch() = 0;
  /// A hash of the outputs, after all launches.
  [[nodiscard]] virtual std::uint64_t outputHash() = 0;

  /// Makes the inputs in host memory, the same as on the device.
  virtual void prepareHost(const RunContext& context) = 0;
  /// The twin on the processor.
  virtual void runHost(const RunContext& context) = 0;
  /// Largest difference between what the device and the processor computed, as a share of what is
  /// allowed: at most 1 is right. Requires a launch and a run of the twin.
  [[nodiscard]] virtual double differenceToHost() = 0;
};

/// Which shapes are made.
enum class Sizes {
  kSmall,    ///< odd, small shapes, for compute-sanitizer
  kModest,   ///< for the twins on a small processor
  kLarge,    ///< many times the device's cache
  kExtreme,  ///< large, and 1e8 items
};

using KernelCases = std::vector<std::unique_ptr<KernelCase>>;

void addDropoutCases(Sizes sizes, KernelCases& cases);
void addSummaryCases(Sizes sizes, KernelCases& cases);
void addBridgeCases(Sizes sizes, KernelCases& cases);
void addLogitNormalCases(Sizes sizes, KernelCases& cases);

}  // namespace dubito::benchmarks
