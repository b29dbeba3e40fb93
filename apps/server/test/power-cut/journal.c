/*
 * Writes down, in order, what a process does to the files of one directory, so that a test can rebuild the directory
 * as a power cut could have left it. Loaded with LD_PRELOAD; CUT_DIRECTORY and CUT_JOURNAL say which and where.
 * A record: kind, file, offset, length, then the bytes of a write. Integers are little-endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 4096
enum { NAMED = 1, WRITTEN = 2, TRUNCATED = 3, SYNCED = 4, UNLINKED = 5 };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static const char *directory;
static size_t directory_length;
static int journal = -1;
static uint32_t files; /* numbers given so far; each opening of a file gets one */
static uint32_t file_of[FILES];

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_ftruncate)(int, off64_t);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  directory = getenv("CUT_DIRECTORY");
  const char *path = getenv("CUT_JOURNAL");
  if (!directory || !path) return;
  directory_length = strlen(directory);
  journal = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t done = real_write(journal, at, length);
    if (done <= 0) abort();
    at += done;
    length -= (size_t)done;
  }
}

static void record(uint32_t kind, uint32_t file, uint64_t offset, const void *bytes, uint64_t length) {
  struct { uint32_t kind, file; uint64_t offset, length; } head = {kind, file, offset, length};
  put(&head, sizeof head);
  if (bytes) put(bytes, length);
}

/* The name inside the directory, "." for itself, or null: its own sync is what makes names and unlinkings last. */
static const char *name_of(const char *path) {
  if (journal < 0 || !path || strncmp(path, directory, directory_length) != 0) return NULL;
  if (path[directory_length] == 0) return ".";
  return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

static uint32_t file(int fd) { return journal >= 0 && fd >= 0 && fd < FILES ? file_of[fd] : 0; }

static int opened(int fd, const char *path, int flags) {
  const char *name = name_of(path);
  if (fd < 0 || fd >= FILES || !name) return fd;
  pthread_mutex_lock(&order);
  file_of[fd] = ++files;
  record(NAMED, files, 0, name, strlen(name));
  if (flags & O_TRUNC) record(TRUNCATED, files, 0, NULL, 0);
  pthread_mutex_unlock(&order);
  return fd;
}

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    int mode = va_arg(rest, int);                         \
    va_end(rest);                                         \
    return opened(real_open(path, flags, mode), path, flags); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  if (file(fd)) file_of[fd] = 0;
  return real_close(fd);
}

static ssize_t written(int fd, const void *bytes, size_t length, off64_t offset, int placed) {
  pthread_mutex_lock(&order);
  if (!placed) offset = lseek64(fd, 0, SEEK_CUR);
  ssize_t done = placed ? real_pwrite(fd, bytes, length, offset) : real_write(fd, bytes, length);
  if (done > 0) record(WRITTEN, file_of[fd], (uint64_t)offset, bytes, (uint64_t)done);
  pthread_mutex_unlock(&order);
  return done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  return file(fd) ? written(fd, bytes, length, 0, 0) : real_write(fd, bytes, length);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return file(fd) ? written(fd, bytes, length, offset, 1) : real_pwrite(fd, bytes, length, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

static int noted(uint32_t kind, int fd, uint64_t length) {
  pthread_mutex_lock(&order);
  record(kind, file_of[fd], length, NULL, 0);
  pthread_mutex_unlock(&order);
  return 0;
}

int ftruncate64(int fd, off64_t length) {
  if (file(fd)) noted(TRUNCATED, fd, (uint64_t)length);
  return real_ftruncate(fd, length);
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* The disk of the rebuilt directory is the journal; the real one need not be waited for. */
int fsync(int fd) { return file(fd) ? noted(SYNCED, fd, 0) : ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { return file(fd) ? noted(SYNCED, fd, 0) : ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }

int unlink(const char *path) {
  const char *name = name_of(path);
  if (name) {
    pthread_mutex_lock(&order);
    record(UNLINKED, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&order);
  }
  return real_unlink(path);
}
