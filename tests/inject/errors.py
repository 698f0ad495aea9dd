"""The possible failures of each kind of call: the errors that it may give, and whether it may do only
a part."""

ERRORS = {
    "access": "EACCES EIO ENOENT",
    "close": "EIO ENOSPC EDQUOT EINTR",
    "dlopen": "ENOENT",
    "dup2": "EBADF EINTR EMFILE",
    "execve": "ENOENT EACCES ENOMEM E2BIG ETXTBSY EAGAIN",
    "fchmod": "EPERM EIO EROFS",
    "fchown": "EPERM EIO EROFS",
    "fcntl": "EINVAL EMFILE",
    "fflush": "ENOSPC EIO EPIPE",
    "fopen": "ENOENT EACCES EMFILE ENFILE EIO EINTR ENOMEM",
    "fork": "EAGAIN ENOMEM",
    "fsync": "EIO ENOSPC EDQUOT EINVAL",
    "ftruncate": "EIO EINTR EFBIG EPERM",
    "fwrite": "ENOSPC EIO EPIPE",
    "getdents": "EACCES EIO EMFILE ENOMEM",
    "getrandom": "EINTR ENOSYS",
    "link": "EEXIST ENOENT EPERM ENOSPC EDQUOT EIO EMLINK EXDEV",
    "lseek": "ESPIPE EINVAL",
    "memfd_create": "EMFILE ENFILE ENOMEM ENOSYS",
    "mkdir": "EACCES ENOSPC EDQUOT EROFS EIO EEXIST ENOENT",
    "mmap": "ENOMEM EAGAIN",
    "open": "EACCES EMFILE ENFILE EIO EINTR ENOMEM ENOSPC EROFS EOPNOTSUPP ENOENT ELOOP",
    "pipe": "EMFILE ENFILE",
    "poll": "EINTR ENOMEM",
    "pread": "EIO EINTR",
    "pthread_create": "EAGAIN",
    "pwrite": "EIO ENOSPC EINTR",
    "read": "EIO EINTR EAGAIN EISDIR",
    "readlink": "EACCES EIO ENOENT EINVAL",
    "rename": "EACCES ENOSPC EIO EROFS EXDEV ENOENT",
    "stat": "EACCES EIO ENOENT ENOMEM",
    "unlink": "EACCES EBUSY EIO EROFS ENOENT",
    "utimens": "EPERM EROFS EIO",
    "waitpid": "EINTR ECHILD",
    "write": "EIO ENOSPC EDQUOT EINTR EAGAIN EPIPE EFBIG",
}
PARTLY = {"read", "write", "pread", "pwrite", "getrandom"}
KILLS = ("kill-before", "kill-after")


def waysOf(kind):
    """Returns (suffix of the number, how) for each failure of a call of this kind."""
    if kind == "alloc":
        return [("", "ENOMEM"), ("+", "ENOMEM"), ("~", "ENOMEM")]
    ways = [("", error) for error in ERRORS[kind].split()]
    if kind in PARTLY:
        ways.append(("", "short"))
    return ways + [("", kill) for kill in KILLS]
