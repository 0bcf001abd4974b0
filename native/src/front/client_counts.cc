#include "front/client_counts.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "counters/mapping.h"
#include "disk_space.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace weir::front {

namespace {

// Another layout needs another name of the file, for old workers have it mapped beside new ones.
constexpr std::uint64_t kMagic = 0x7765'6972'636f'6e01;
// Words of the file's head: this, the two halves of the secret that keys are made with, and how
// many parts were ever used.
constexpr std::size_t kMagicWord = 0;
constexpr std::size_t kSeedWords = 1;
constexpr std::size_t kPartsWord = 3;
// Of a part: whose it is (a number of chance; 0: nobody's), and its open connections.
constexpr std::size_t kOwnerWord = 0;
constexpr std::size_t kOpenWord = 1;
constexpr std::size_t kHeadWords = 512;

// Old and new workers of a reload, and some; more count for themselves.
constexpr std::size_t kParts = 544;
// An address is in one of the cells of one bucket: its key's upper 48 bits, then how many are open.
// With a bucket of 16 some 25,000 addresses have room for certain enough.
constexpr std::size_t kBucketCells = 16;
constexpr std::size_t kBuckets = 4096;
constexpr std::size_t kPartWords = kHeadWords + kBuckets * kBucketCells;
constexpr std::uint64_t kCountMask = 0xffff;

constexpr std::size_t kPartBytes = kPartWords * 8;
constexpr std::size_t kHeadBytes = kHeadWords * 8;
constexpr std::size_t kFileBytes = kHeadBytes + kParts * kPartBytes;

// Locked: the first byte by who looks after the head, one for each part by whose it is.
constexpr off_t kHeadLock = 0;
constexpr off_t kPartLocks = 1;

#if defined(F_OFD_SETLK)
constexpr int kSetLock = F_OFD_SETLK;
constexpr int kWaitLock = F_OFD_SETLKW;
constexpr int kAskLock = F_OFD_GETLK;
#else
constexpr int kSetLock = F_SETLK;  // per process there, which opens the file once
constexpr int kWaitLock = F_SETLKW;
constexpr int kAskLock = F_GETLK;
#endif

struct flock lock_of_byte(off_t at, int type) {
  struct flock range {};
  range.l_type = static_cast<decltype(range.l_type)>(type);
  range.l_whence = SEEK_SET;
  range.l_start = at;
  range.l_len = 1;
  return range;
}

bool lock(int file, int how, off_t at, int type = F_WRLCK) {
  struct flock range = lock_of_byte(at, type);
  int result = -1;
  do {
    result = fcntl(file, how, &range);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// Where the file system can't take space, zeros do; a part is nobody's while they are written.
int take_space(int file, std::size_t offset, std::size_t bytes) {
  const int error = allocate_space(file, offset, bytes, FileLength::kExtended);
  if (error != EOPNOTSUPP) return error;
  const auto zeros = std::make_unique<char[]>(bytes);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written =
        pwrite(file, zeros.get() + done, bytes - done, static_cast<off_t>(offset + done));
    if (written < 0 && errno != EINTR) return errno;
    if (written == 0) return ENOSPC;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return 0;
}

std::uint64_t number_of_chance() {
  unsigned char bytes[16];
  if (!counters::random_bytes(bytes)) return 0;
  return load_little_endian(bytes) | 1;
}

}  // namespace

ClientCounts::~ClientCounts() {
  if (words_ != nullptr) {
    head(own_, kOwnerWord).store(0);
    munmap(static_cast<void*>(words_), bytes_);
  }
  if (file_ >= 0) close(file_);
}

int ClientCounts::map(std::size_t bytes, int flags) {
  void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file_, 0);
  if (address == MAP_FAILED) return errno;
  words_ = static_cast<Word*>(address);
  bytes_ = bytes;
  return 0;
}

int ClientCounts::open_memory() {
  const int error = map(kHeadBytes + kPartBytes, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE);
  if (error != 0) return error;
  seed_ = {number_of_chance(), number_of_chance()};
  words_[kPartsWord].store(1);
  head(0, kOwnerWord).store(1);
  return 0;
}

int ClientCounts::open_file(const std::string& path) {
  do {
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  } while (file_ < 0 && errno == EINTR);
  if (file_ < 0) return errno;
  int error = lock(file_, kWaitLock, kHeadLock) ? begin(kFileBytes) : errno;
  if (error == 0) error = claim();
  lock(file_, kSetLock, kHeadLock, F_UNLCK);
  if (error == 0) return 0;
  if (words_ != nullptr) munmap(static_cast<void*>(words_), bytes_);
  words_ = nullptr;
  close(file_);
  file_ = -1;
  return error;
}

// The file as it should be, mapped; for whoever has locked the head.
int ClientCounts::begin(std::size_t bytes) {
  struct stat status {};
  if (fstat(file_, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  if (status.st_size == 0) {
    write_in_place(file_);
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) return errno;
  } else if (static_cast<std::size_t>(status.st_size) != bytes) {
    // Never cut: others may have it mapped.
    return EINVAL;
  }
  int error = take_space(file_, 0, kHeadBytes);
  if (error == 0) error = map(bytes, MAP_SHARED | MAP_NORESERVE);
  if (error != 0) return error;
  const std::uint64_t magic = words_[kMagicWord].load();
  if (magic != kMagic) {
    if (magic != 0) return EINVAL;
    words_[kPartsWord].store(0);
    words_[kSeedWords].store(number_of_chance());
    words_[kSeedWords + 1].store(number_of_chance());
    words_[kMagicWord].store(kMagic);
  }
  seed_ = {words_[kSeedWords].load(), words_[kSeedWords + 1].load()};
  return 0;
}

int ClientCounts::claim() {
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!lock(file_, kSetLock, kPartLocks + static_cast<off_t>(part))) continue;
    const int error = take_space(file_, kHeadBytes + part * kPartBytes, kPartBytes);
    if (error != 0) return error;
    own_ = part;
    reset(part);
    head(part, kOwnerWord).store(number_of_chance());
    if (parts() <= part) words_[kPartsWord].store(part + 1);
    return 0;
  }
  return EUSERS;
}

void ClientCounts::reset(std::size_t part) {
  head(part, kOwnerWord).store(0);
  head(part, kOpenWord).store(0);
  Word* const cells = &head(part, 0) + kHeadWords;
  for (std::size_t cell = 0; cell < kBuckets * kBucketCells; ++cell) {
    if (cells[cell].load(std::memory_order_relaxed) != 0) cells[cell].store(0);
  }
}

std::size_t ClientCounts::parts() const {
  return static_cast<std::size_t>(words_[kPartsWord].load());
}

ClientCounts::Word& ClientCounts::head(std::size_t part, std::size_t word) const {
  return words_[kHeadWords + part * kPartWords + word];
}

ClientCounts::Word* ClientCounts::bucket(std::size_t part, std::uint64_t key) const {
  return &head(part, kHeadWords) + (key & kCountMask) % kBuckets * kBucketCells;
}

bool ClientCounts::is_held(std::size_t part) const {
  struct flock range = lock_of_byte(kPartLocks + static_cast<off_t>(part), F_WRLCK);
  return fcntl(file_, kAskLock, &range) != 0 || range.l_type != F_UNLCK;
}

bool ClientCounts::drop_ended() {
  if (file_ < 0) return false;
  bool any = false;
  for (std::size_t part = 0; part < parts(); ++part) {
    std::uint64_t owner = head(part, kOwnerWord).load();
    if (part == own_ || owner == 0 || is_held(part)) continue;
    // Not where another has taken it meanwhile.
    any |= head(part, kOwnerWord).compare_exchange_strong(owner, 0);
  }
  return any;
}

std::uint64_t ClientCounts::open_in_all() const {
  std::uint64_t open = 0;
  for (std::size_t part = 0; part < parts(); ++part) {
    if (head(part, kOwnerWord).load() != 0) open += head(part, kOpenWord).load();
  }
  return open;
}

std::uint64_t ClientCounts::open_of(std::uint64_t key) const {
  std::uint64_t open = 0;
  for (std::size_t part = 0; part < parts(); ++part) {
    if (head(part, kOwnerWord).load() == 0) continue;
    const Word* const cells = bucket(part, key);
    for (std::size_t cell = 0; cell < kBucketCells; ++cell) {
      const std::uint64_t value = cells[cell].load();
      if ((value ^ key) <= kCountMask) open += value & kCountMask;
    }
  }
  return open;
}

// Counted first and then compared, so that of two who come at once at least one sees the other.
bool ClientCounts::enter(std::uint64_t most) {
  head(own_, kOpenWord).fetch_add(1);
  if (open_in_all() <= most || (drop_ended() && open_in_all() <= most)) return true;
  leave();
  return false;
}

void ClientCounts::leave() { head(own_, kOpenWord).fetch_sub(1); }

ClientCounts::Entry ClientCounts::enter_address(std::uint64_t key, std::uint64_t most) {
  Word* const cells = bucket(own_, key);
  Word* mine = nullptr;
  for (std::size_t cell = 0; cell < kBucketCells; ++cell) {
    const std::uint64_t value = cells[cell].load(std::memory_order_relaxed);
    if ((value & kCountMask) == 0) {
      if (mine == nullptr) mine = &cells[cell];
    } else if ((value ^ key) <= kCountMask) {
      if ((value & kCountMask) == kCountMask) return Entry::kTooMany;
      mine = &cells[cell];
      break;
    }
  }
  if (mine == nullptr) return Entry::kFull;
  const std::uint64_t before = mine->load(std::memory_order_relaxed) & kCountMask;
  mine->store((key & ~kCountMask) | (before + 1));
  if (open_of(key) <= most || (drop_ended() && open_of(key) <= most)) return Entry::kCounted;
  leave_address(key);
  return Entry::kTooMany;
}

void ClientCounts::leave_address(std::uint64_t key) {
  Word* const cells = bucket(own_, key);
  for (std::size_t cell = 0; cell < kBucketCells; ++cell) {
    const std::uint64_t value = cells[cell].load(std::memory_order_relaxed);
    if ((value & kCountMask) == 0 || (value ^ key) > kCountMask) continue;
    cells[cell].store(value - 1);
    return;
  }
}

std::uint64_t ClientCounts::key_of(std::string_view address) const {
  return key_hash(seed_, reinterpret_cast<const unsigned char*>(address.data()), address.size())
      .low;
}

}  // namespace weir::front
