// The counters file, position-independent: 2 MiB segments of 512 pages of 4 KiB. Page 0 of every
// segment holds one word about each of its pages; page 1 of the first is the header. All other
// pages are handed out whole (pages.h) and keep their type until nobody else has the file open:
// a process that was stopped in the middle of a decision may still raise a stamp on a page that
// was freed under it, and a stamp must land where the next owner has a stamp too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::counters {

inline constexpr std::uint64_t kLayoutVersion = 1;
// "weirCNT" and a byte that a foreign byte order puts elsewhere.
inline constexpr std::uint64_t kMagic = 0x54'4e'43'72'69'65'77'01;

inline constexpr std::size_t kWordBytes = 8;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kPageWords = kPageBytes / kWordBytes;
inline constexpr std::size_t kSegmentPages = kPageWords;
inline constexpr std::size_t kSegmentBytes = kSegmentPages * kPageBytes;
// The last page of a segment is not used: older versions of weir wrote its last byte to make the
// file longer where the file system can't allocate.
inline constexpr std::size_t kLastUsablePage = kSegmentPages - 2;
inline constexpr std::size_t kHeaderPage = 1;

// What a page is used for; its stride and where its stamps are follow from it.
enum class PageType : std::uint64_t {
  kUntouched = 0,
  kEntries64 = 1,
  kEntries128 = 2,
  kEntries256 = 3,
  kEntries512 = 4,
  kRecords = 5,
  kDirectory = 6,
};
inline constexpr unsigned kPageTypes = 7;

// A table's pages are found through a block of references to them (tiers.h).
inline constexpr unsigned kMiddlePages = 16;
inline constexpr unsigned kTopPages = 8;
inline constexpr unsigned kReferences = 1 + kMiddlePages + kTopPages;

// Words of the header page. Those up to kSeedHigh never change and are under kChecksum.
enum HeaderWord : std::size_t {
  kMagicWord = 0,
  kLayoutWord,
  kSeedLow,
  kSeedHigh,
  kChecksum,
  kBootLow,  // the boot that kEpoch belongs to
  kBootHigh,
  kEpoch,                // ms to add to the boot clock: makes the time that stamps are in
  kLatest,               // the newest time that is known to have been, ms; raised now and then
  kSegments,             // in use; the file has at least as many
  kEvicted,              // keys forgotten before they expired, since the file was made
  kFull,                 // newcomers turned away since all of their cells were limited
  kSegmentsMax,          // everybody who has the file open has mapped so many
  kUntouchedHint,        // no untouched page before this one
  kFreedHint = 16,       // by page type: no freed page before this one (pages.h)
  kRootReferences = 64,  // the table of limiters
};

// Words of a limiter's record, after key and head (record.h). All else about it is in the identity
// that its key is the hash of.
inline constexpr std::size_t kRecordWords = 32;
enum RecordWord : std::size_t {
  kLive = 3,  // keys that it keeps
  kRecordReferences = 4,
  // Requests by how they were decided. Earlier versions of weir leave both at 0.
  kAdmitted = kRecordReferences + kReferences,
  kRejected,
  kRecordEnd,
};
static_assert(kRecordEnd <= kRecordWords);

// A bucket's entry: key, head, stamps.
struct EntryClass {
  PageType type;
  std::uint32_t words;
  constexpr std::uint32_t ring() const noexcept { return words - 2; }
};

inline constexpr EntryClass kEntryClasses[] = {
    {PageType::kEntries64, 8},
    {PageType::kEntries128, 16},
    {PageType::kEntries256, 32},
    {PageType::kEntries512, 64},
};

// The smallest entry that is exact for this capacity; the largest where none is.
constexpr const EntryClass& entry_class_for(std::uint64_t capacity) noexcept {
  for (const EntryClass& entry : kEntryClasses) {
    if (capacity <= entry.ring() - 1) return entry;
  }
  return kEntryClasses[3];
}

// Words of a cell on a page of this type; 0 where there are none.
constexpr std::size_t cell_words(PageType type) noexcept {
  for (const EntryClass& entry : kEntryClasses) {
    if (entry.type == type) return entry.words;
  }
  return type == PageType::kRecords ? kRecordWords : 0;
}

}  // namespace weir::counters
