// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confined_calls.h"

#include <asm/termbits.h>
#include <fmt/format.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <asm/ioctls.h>
#include <cerrno>
#include <cstring>
#include <memory>

namespace dubito {
namespace {

/// By purpose. A filter of what is allowed would be shorter to reason about, but the driver of a
/// GPU and each new libc call what no list of ours has; files are confined by the kernel's other
/// means.
constexpr int kRefused[] = {
    // the network, and sockets of other programs
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
    SCMP_SYS(accept4),
    // other programs and processes
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(msgget),
    SCMP_SYS(semget), SCMP_SYS(mq_open),
    // rights, owners and times of files, which Landlock does not cover
    SCMP_SYS(chmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown),
    SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(utimensat), SCMP_SYS(futimesat),
    SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(open_by_handle_at),
    // the machine
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(setns),
    SCMP_SYS(unshare), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(keyctl),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(acct),
    SCMP_SYS(quotactl), SCMP_SYS(personality)};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

/// Returns 0, or an error of libseccomp (a negative errno).
int addRules(scmp_filter_ctx filter) {
  const std::uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  int result = 0;
  const auto keep = [&result](int status) { result = result == 0 ? status : result; };
  for (const int call : kRefused) {
    keep(seccomp_rule_add(filter, refuse, call, 0));
  }
  // Threads may start, processes may not. The flags of clone3 are in memory, where no filter sees
  // them; libc uses clone if there is no clone3.
  keep(seccomp_rule_add(filter, refuse, SCMP_SYS(clone), 1,
                        SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)));
  keep(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  // Signals only to itself, as abort() sends them.
  const auto self = static_cast<scmp_datum_t>(getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    keep(seccomp_rule_add(filter, refuse, call, 1, SCMP_A0(SCMP_CMP_NE, self)));
  }
  keep(seccomp_rule_add(filter, refuse, SCMP_SYS(tkill), 0));
  // Typing into the terminal that the program was started from.
  for (const scmp_datum_t request : {TIOCSTI, TIOCLINUX}) {
    keep(seccomp_rule_add(filter, refuse, SCMP_SYS(ioctl), 1,
                          SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFU, request)));
  }
  return result;
}

}  // namespace

bool canConfineCalls() {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

Status confineCalls() {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  int result = filter == nullptr ? -ENOMEM : addRules(filter.get());
  result = result == 0 ? seccomp_load(filter.get()) : result;
  if (result != 0) {
    return fail(ErrorCode::kInternal,
                fmt::format("the kernel refuses to confine system calls ({}); run without "
                            "confinement",
                            std::strerror(-result)));
  }
  return {};
}

}  // namespace dubito
