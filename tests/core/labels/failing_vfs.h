// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito::test {

/// Lets the files of SQLite fail as on a bad disk. From the first one on, all new connections of
/// this process go through it; without a failure, it passes everything on.
class FailingVfs {
 public:
  enum class Failure {
    kNone,
    kFullDisk,       ///< writing fails
    kRemovedDrive,   ///< reading, writing and syncing fail
    kNoSharedMemory  ///< files that are opened now allow no write-ahead log
  };
  explicit FailingVfs(Failure failure = Failure::kNone);
  ~FailingVfs();
  FailingVfs(const FailingVfs&) = delete;
  FailingVfs& operator=(const FailingVfs&) = delete;

  void set(Failure failure);
};

}  // namespace dubito::test
