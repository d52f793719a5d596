// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/labels/failing_vfs.h"

#include <sqlite3.h>

#include <atomic>

namespace dubito::test {
namespace {

std::atomic<FailingVfs::Failure> present_failure{FailingVfs::Failure::kNone};

bool fails(FailingVfs::Failure failure) {
  return present_failure == failure;
}

/// A file of the wrapped VFS follows in memory.
struct WrappedFile {
  sqlite3_file base;
  [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* realOf(sqlite3_file* file) {
  return reinterpret_cast<WrappedFile*>(file)->real();
}
const sqlite3_io_methods& methodsOf(sqlite3_file* file) {
  return *realOf(file)->pMethods;
}

int closeFile(sqlite3_file* f) {
  return methodsOf(f).xClose(realOf(f));
}
int readFile(sqlite3_file* f, void* bytes, int count, sqlite3_int64 offset) {
  return fails(FailingVfs::Failure::kRemovedDrive)
             ? SQLITE_IOERR_READ
             : methodsOf(f).xRead(realOf(f), bytes, count, offset);
}
int writeFile(sqlite3_file* f, const void* bytes, int count, sqlite3_int64 offset) {
  if (fails(FailingVfs::Failure::kFullDisk)) {
    return SQLITE_FULL;
  }
  return fails(FailingVfs::Failure::kRemovedDrive)
             ? SQLITE_IOERR_WRITE
             : methodsOf(f).xWrite(realOf(f), bytes, count, offset);
}
int truncateFile(sqlite3_file* f, sqlite3_int64 size) {
  return methodsOf(f).xTruncate(realOf(f), size);
}
int syncFile(sqlite3_file* f, int flags) {
  return fails(FailingVfs::Failure::kRemovedDrive) ? SQLITE_IOERR_FSYNC
                                                   : methodsOf(f).xSync(realOf(f), flags);
}
int sizeOfFile(sqlite3_file* f, sqlite3_int64* size) {
  return methodsOf(f).xFileSize(realOf(f), size);
}
int lockFile(sqlite3_file* f, int level) {
  return methodsOf(f).xLock(realOf(f), level);
}
int unlockFile(sqlite3_file* f, int level) {
  return methodsOf(f).xUnlock(realOf(f), level);
}
int checkReserved(sqlite3_file* f, int* result) {
  return methodsOf(f).xCheckReservedLock(realOf(f), result);
}
int controlFile(sqlite3_file* f, int op, void* argument) {
  return methodsOf(f).xFileControl(realOf(f), op, argument);
}
int sectorSize(sqlite3_file* f) {
  return methodsOf(f).xSectorSize(realOf(f));
}
int deviceCharacteristics(sqlite3_file* f) {
  return methodsOf(f).xDeviceCharacteristics(realOf(f));
}
int mapShared(sqlite3_file* f, int page, int bytes, int extend, void volatile** memory) {
  return methodsOf(f).xShmMap(realOf(f), page, bytes, extend, memory);
}
int lockShared(sqlite3_file* f, int offset, int count, int flags) {
  return methodsOf(f).xShmLock(realOf(f), offset, count, flags);
}
void barrierShared(sqlite3_file* f) {
  methodsOf(f).xShmBarrier(realOf(f));
}
int unmapShared(sqlite3_file* f, int remove) {
  return methodsOf(f).xShmUnmap(realOf(f), remove);
}

/// Version 1 has no shared memory, version 2 has.
constexpr sqlite3_io_methods methodsOfVersion(int version) {
  sqlite3_io_methods methods{};
  methods.iVersion = version;
  methods.xClose = closeFile;
  methods.xRead = readFile;
  methods.xWrite = writeFile;
  methods.xTruncate = truncateFile;
  methods.xSync = syncFile;
  methods.xFileSize = sizeOfFile;
  methods.xLock = lockFile;
  methods.xUnlock = unlockFile;
  methods.xCheckReservedLock = checkReserved;
  methods.xFileControl = controlFile;
  methods.xSectorSize = sectorSize;
  methods.xDeviceCharacteristics = deviceCharacteristics;
  if (version >= 2) {
    methods.xShmMap = mapShared;
    methods.xShmLock = lockShared;
    methods.xShmBarrier = barrierShared;
    methods.xShmUnmap = unmapShared;
  }
  return methods;
}
constexpr sqlite3_io_methods kMethods = methodsOfVersion(2);
constexpr sqlite3_io_methods kMethodsWithoutSharedMemory = methodsOfVersion(1);

sqlite3_vfs* wrappedVfs() {
  static sqlite3_vfs* const unix_vfs = sqlite3_vfs_find("unix");
  return unix_vfs;
}

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  auto* const wrapped = reinterpret_cast<WrappedFile*>(file);
  const int result = wrappedVfs()->xOpen(wrappedVfs(), name, wrapped->real(), flags, flags_out);
  wrapped->base.pMethods = nullptr;
  if (wrapped->real()->pMethods != nullptr) {
    wrapped->base.pMethods =
        fails(FailingVfs::Failure::kNoSharedMemory) ? &kMethodsWithoutSharedMemory : &kMethods;
  }
  return result;
}

}  // namespace

FailingVfs::FailingVfs(Failure failure) {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *wrappedVfs();
    copy.zName = "dubito-failing";
    copy.szOsFile += static_cast<int>(sizeof(WrappedFile));
    copy.pNext = nullptr;
    copy.xOpen = openFile;
    return copy;
  }();
  sqlite3_vfs_register(&vfs, 1);
  set(failure);
}

FailingVfs::~FailingVfs() {
  set(Failure::kNone);
  sqlite3_vfs_register(wrappedVfs(), 1);
}

void FailingVfs::set(Failure failure) {
  present_failure = failure;
}

}  // namespace dubito::test
