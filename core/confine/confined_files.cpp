// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confined_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>

namespace dubito {
namespace {

constexpr std::uint64_t kReadFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kRead = kReadFiles | LANDLOCK_ACCESS_FS_READ_DIR;
/// Of the first version of Landlock.
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
// Of later versions; headers of Debian 12 know some of them only.
constexpr std::uint64_t kMoveBetweenFolders = 1ULL << 13U;  // version 2
constexpr std::uint64_t kTruncate = 1ULL << 14U;            // version 3

/// Version of Landlock in the kernel; 0 without it.
int landlockVersion() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::uint64_t writeRights(int version) {
  return kWrite | (version >= 2 ? kMoveBetweenFolders : 0) | (version >= 3 ? kTruncate : 0);
}

/// Rights that make sense for a file that is no folder.
std::uint64_t ofFile(std::uint64_t rights) {
  return rights & (kReadFiles | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate);
}

tl::unexpected<Error> notConfined(const std::string& path, int reason) {
  return fail(ErrorCode::kInternal,
              fmt::format("{}: cannot be made available to a confined process ({}); check its "
                          "permissions, or run without confinement",
                          path, std::strerror(reason)));
}

/// The rules that are being made for this thread.
class Rules {
 public:
  explicit Rules(int version) : write_(writeRights(version)) {
    landlock_ruleset_attr handled{};
    handled.handled_access_fs = kRead | write_;
    fd_ = static_cast<int>(
        syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled.handled_access_fs), 0));
  }
  ~Rules() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  [[nodiscard]] bool areMade() const { return fd_ >= 0; }
  Status allowReading(const std::string& path) const { return allow(path, kRead); }
  Status allowWriting(const std::string& path) const { return allow(path, kRead | write_); }

  [[nodiscard]] bool enforce() const {
    // Without this, only a privileged process may confine itself.
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, fd_, 0) == 0;
  }

 private:
  /// What does not exist needs no rule.
  [[nodiscard]] Status allow(const std::string& path, std::uint64_t rights) const {
    const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) {
      return errno == ENOENT || errno == ENOTDIR ? Status() : notConfined(path, errno);
    }
    struct stat status {};
    const bool is_folder = fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = is_folder ? rights : ofFile(rights);
    rule.parent_fd = place;
    const bool added =
        syscall(SYS_landlock_add_rule, fd_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    const int reason = errno;
    close(place);
    return added ? Status() : notConfined(path, reason);
  }

  std::uint64_t write_;
  int fd_ = -1;
};

/// Folders of the libraries in this process: others are loaded from there later.
std::set<std::string> libraryFolders() {
  std::set<std::string> folders = {"/usr", "/lib", "/lib64"};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        const std::filesystem::path path(library->dlpi_name);
        if (path.is_absolute()) {
          static_cast<std::set<std::string>*>(found)->insert(path.parent_path().string());
        }
        return 0;
      },
      &folders);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.insert(program.parent_path().string());
  }
  return folders;
}

/// What libraries read about the machine and this process. /proc of other processes is not in it.
constexpr const char* kMachine[] = {
    "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd",    "/proc/self",
    "/proc/cpuinfo",    "/proc/meminfo",  "/proc/stat",         "/proc/loadavg",  "/proc/devices",
    "/proc/modules",    "/proc/driver",   "/proc/sys/kernel",   "/proc/sys/vm",   "/sys/devices",
    "/sys/bus",         "/sys/class",     "/sys/fs/cgroup",     "/sys/kernel/mm", "/dev/urandom",
    "/dev/random"};

/// Devices that are opened for writing too.
std::vector<std::string> devices() {
  std::vector<std::string> found = {"/dev/null", "/dev/zero"};
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with("nvidia")) {
      found.push_back(entry->path().string());
    }
  }
  return found;
}

}  // namespace

bool canConfineFiles() {
  return landlockVersion() > 0;
}

Status confineFiles(const Confinement& confinement) {
  const Rules rules(landlockVersion());
  if (!rules.areMade()) {
    return notConfined("Landlock", errno);
  }
  Status allowed;
  const auto read = [&](const std::string& path) {
    allowed = allowed ? rules.allowReading(path) : allowed;
  };
  const auto write = [&](const std::string& path) {
    allowed = allowed ? rules.allowWriting(path) : allowed;
  };
  for (const std::string& folder : libraryFolders()) {
    read(folder);
  }
  for (const char* const path : kMachine) {
    read(path);
  }
  for (const std::string& path : confinement.readable) {
    read(path);
  }
  for (const std::string& path : devices()) {
    write(path);
  }
  for (const std::string& path : confinement.writable) {
    write(path);
  }
  if (!allowed) {
    return allowed;
  }
  return rules.enforce() ? Status() : notConfined("Landlock", errno);
}

}  // namespace dubito
