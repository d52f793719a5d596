// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/sql/network_file_system.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>

namespace dubito {
namespace {

struct NetworkFileSystem {
  std::uint32_t type;
  const char* name;
};

/// Type numbers of statfs(2) and of the kernel modules' sources.
constexpr std::array kNetworkFileSystems{
    NetworkFileSystem{0x6969, "NFS"},         NetworkFileSystem{0x517B, "SMB"},
    NetworkFileSystem{0xFF534D42, "CIFS"},    NetworkFileSystem{0xFE534D42, "SMB"},
    NetworkFileSystem{0x65735546, "FUSE"},    NetworkFileSystem{0x01021997, "9P"},
    NetworkFileSystem{0x00C36400, "Ceph"},    NetworkFileSystem{0x0BD00BD0, "Lustre"},
    NetworkFileSystem{0x5346414F, "AFS"},     NetworkFileSystem{0x6B414653, "AFS"},
    NetworkFileSystem{0x73757245, "Coda"},    NetworkFileSystem{0x47504653, "GPFS"},
    NetworkFileSystem{0x19830326, "BeeGFS"},  NetworkFileSystem{0x786F4256, "VirtualBox"},
    NetworkFileSystem{0x01161970, "GFS2"},    NetworkFileSystem{0x7461636F, "OCFS2"},
    NetworkFileSystem{0xAAD7AAEA, "Panasas"},
};

}  // namespace

std::optional<std::string> networkFileSystemOfType(long type) {
  const auto found = std::ranges::find(kNetworkFileSystems, static_cast<std::uint32_t>(type),
                                       &NetworkFileSystem::type);
  return found == kNetworkFileSystems.end() ? std::nullopt
                                            : std::optional<std::string>(found->name);
}

std::optional<std::string> networkFileSystemAt(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  struct statfs info {};
  if (::statfs(folder.empty() ? "." : folder.c_str(), &info) != 0) {
    return std::nullopt;
  }
  return networkFileSystemOfType(static_cast<long>(info.f_type));
}

}  // namespace dubito
