// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hostile/effort.h"

#include <ctime>
#include <fstream>
#include <string>

namespace dubito::test {
namespace {

double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A line of /proc/self/status such as "VmHWM:  1234 kB", in bytes.
std::int64_t statusBytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string name;
  std::int64_t kilobytes = 0;
  for (std::string rest; status >> name; std::getline(status, rest)) {
    if (name == key + ":" && status >> kilobytes) {
      return kilobytes * 1024;
    }
  }
  return 0;
}

}  // namespace

Effort::Effort() : started_seconds_(processorTime()) {
  // 5 sets the high-water mark back to what is in use now.
  std::ofstream("/proc/self/clear_refs") << "5";
  resident_bytes_ = statusBytes("VmRSS");
}

double Effort::processorSeconds() const {
  return processorTime() - started_seconds_;
}

std::int64_t Effort::peakBytes() const {
  return statusBytes("VmHWM") - resident_bytes_;
}

}  // namespace dubito::test
