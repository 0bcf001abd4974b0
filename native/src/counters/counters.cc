#include "counters.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "../boot_clock.h"

namespace weir::counters {

namespace {

// Limiters in one file. A record is 256 bytes on a page made when it is needed.
constexpr std::uint64_t kLimitersMax = 262'144;

// No clock shows this, 8000 years from now; with it no sum of times can overflow.
constexpr std::uint64_t kTimeMaxMs = std::uint64_t{1} << 48;

const Shape& root_shape() noexcept {
  static const Shape shape = Shape::make(PageType::kRecords, kRecordWords, kLimitersMax);
  return shape;
}

std::uint64_t checksum(std::uint64_t magic, std::uint64_t layout, const HashSeed& seed) noexcept {
  unsigned char bytes[32];
  store_little_endian(magic, bytes);
  store_little_endian(layout, bytes + 8);
  store_little_endian(seed.low, bytes + 16);
  store_little_endian(seed.high, bytes + 24);
  return key_hash({}, bytes, sizeof bytes).low;
}

// The table of limiters, seen by one who wants this one's record. None is ever pushed out.
struct RootSpace {
  Tiers<AtomicWord, Mapping>& root;
  const Hash128& identity;

  void neighbours(Neighbourhood<AtomicWord>& out) { root.neighbours(identity, out); }
  bool grow() { return root.grow(identity); }
  Judgement judge(const Sight<AtomicWord>&) const { return {Judgement::kLimited, 1}; }
  void forgot(bool) {}
};

}  // namespace

Counters::Counters(const CountersOptions& options)
    : pages_(mapping_), manual_(options.manual_clock), manual_ms_(options.boot_ms) {}

Counters::~Counters() {
  // Of a file that was cut short there may be no header any more.
  if (root_ != nullptr && mapping_.holds(kSegmentBytes)) raise(header(kLatest), now());
}

AtomicWord& Counters::header(std::size_t word) const noexcept { return pages_.header(word); }

std::uint64_t Counters::index_of(const AtomicWord* word) const noexcept {
  return static_cast<std::uint64_t>(word - &mapping_.word(0));
}

std::uint64_t Counters::now() const noexcept {
  return (manual_ ? manual_ms_ : boot_clock_ms()) + epoch_;
}

std::unique_ptr<Counters> Counters::open(const CountersOptions& options, CountersError& error) {
  std::unique_ptr<Counters> counters(new Counters(options));
  error = counters->begin(options);
  if (error.kind != CountersError::kNone) return nullptr;
  return counters;
}

CountersError Counters::begin(const CountersOptions& given) {
  CountersOptions options = given;
  if (!options.manual_clock) {
    options.boot = boot_id();
    options.boot_ms = boot_clock_ms();
    options.wall_ms = wall_clock_ms();
  }
  const bool in_memory = options.path.empty();
  const int failed = in_memory ? mapping_.open_memory(options.bytes_max)
                               : mapping_.open_file(options.path, options.owner, options.bytes_max);
  if (failed != 0) return {CountersError::kSystem, failed};
  const bool alone = in_memory || (options.owner && mapping_.lock_alone());
  if (!alone) {
    const int busy = mapping_.lock_shared();
    if (busy != 0) return {CountersError::kSystem, busy};
  }
  if (alone && (in_memory || mapping_.file_bytes() == 0) && !create(options)) {
    const int reason = mapping_.commit_error();
    mapping_.truncate(0);
    return {CountersError::kSystem, reason == 0 ? EIO : reason};
  }
  if (!in_memory) {
    const CountersError wrong = validate();
    if (wrong.kind != CountersError::kNone) return wrong;
  }
  seed_ = {header(kSeedLow).load(), header(kSeedHigh).load()};
  if (alone) {
    header(kSegmentsMax).store(mapping_.bytes_max() / kSegmentBytes);
    set_epoch(options);
  }
  if (!adopt_header()) return {CountersError::kSystem, ENOMEM};
  root_ = std::make_unique<Tiers<AtomicWord, Mapping>>(
      mapping_, Pages<AtomicWord, Mapping>::first_word(kHeaderPage) + kRootReferences,
      root_shape());
  if (alone && !in_memory) {
    put_in_order();
    // Between the two locks another owner may have been alone.
    const int busy = mapping_.lock_shared();
    if (busy != 0) return {CountersError::kSystem, busy};
    if (!adopt_header()) return {CountersError::kSystem, ENOMEM};
  }
  return {};
}

// Goes by the time and the largest size that whoever was alone last has set. False if that is more
// than this process could map.
bool Counters::adopt_header() {
  epoch_ = header(kEpoch).load();
  const std::uint64_t segments_max = header(kSegmentsMax).load();
  if (std::max(segments_max, pages_.segments()) > mapping_.bytes_max() / kSegmentBytes) {
    return false;
  }
  mapping_.limit_segments(segments_max);
  return true;
}

bool Counters::create(const CountersOptions& options) {
  unsigned char secret[16];
  if (!random_bytes(secret) || !mapping_.commit(0)) return false;
  const HashSeed seed = load_seed(secret);
  header(kLayoutWord).store(kLayoutVersion);
  header(kSeedLow).store(seed.low);
  header(kSeedHigh).store(seed.high);
  header(kChecksum).store(checksum(kMagic, kLayoutVersion, seed));
  header(kSegments).store(1);
  set_epoch(options);
  header(kMagicWord).store(kMagic);
  return true;
}

CountersError Counters::validate() const {
  const std::size_t bytes = mapping_.file_bytes();
  // Where the header is there it tells what this is the rest of.
  if (bytes < (kHeaderPage + 1) * kPageBytes) return {CountersError::kForeign, 0};
  if (header(kMagicWord).load() != kMagic) return {CountersError::kForeign, 0};
  if (header(kLayoutWord).load() != kLayoutVersion) return {CountersError::kLayout, 0};
  const HashSeed seed{header(kSeedLow).load(), header(kSeedHigh).load()};
  const bool intact = header(kChecksum).load() == checksum(kMagic, kLayoutVersion, seed);
  const std::uint64_t segments = header(kSegments).load();
  const bool in_time = std::max(header(kEpoch).load(), header(kLatest).load()) <= kTimeMaxMs;
  if (!intact || !in_time || segments == 0 || segments > bytes / kSegmentBytes) {
    return {CountersError::kDamaged, 0};
  }
  return {};
}

// The time of stamps is the wall clock's at first and goes on with the boot clock. On another boot
// it takes the wall clock up again, but never goes back behind what it is known to have been.
void Counters::set_epoch(const CountersOptions& options) {
  const BootId last{header(kBootLow).load(), header(kBootHigh).load()};
  const bool same_boot = last == options.boot && last != BootId{};
  if (same_boot) return;
  const std::uint64_t time = std::max(options.wall_ms, header(kLatest).load());
  header(kEpoch).store(time > options.boot_ms ? time - options.boot_ms : 0);
  header(kLatest).store(time);
  header(kBootLow).store(options.boot.low);
  header(kBootHigh).store(options.boot.high);
}

LimiterDefinition Counters::definition_of(std::string_view identity, std::uint64_t capacity,
                                          std::uint64_t window_ms, std::uint64_t keys_max,
                                          std::uint64_t cost_max) const {
  std::string text(identity);
  const auto append = [&](std::uint64_t number) {
    unsigned char bytes[8];
    store_little_endian(number, bytes);
    text.append(reinterpret_cast<const char*>(bytes), sizeof bytes);
  };
  for (const std::uint64_t number : {capacity, window_ms, keys_max}) append(number);
  // Where every request is worth 1 it has the hash that it had before there was anything else.
  if (cost_max > 1) append(cost_max);
  const Hash128 hash =
      key_hash(seed_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return {hash, capacity, window_ms, keys_max, cost_max};
}

std::unique_ptr<Counters::OpenLimiter> Counters::bind(const LimiterDefinition& definition,
                                                      bool make) {
  const std::uint64_t time = now();
  std::uint64_t head = 0;
  AtomicWord* const record = find_record(definition, time, head, make);
  if (record == nullptr) return nullptr;
  auto limiter = std::make_unique<OpenLimiter>(mapping_, definition, index_of(record));
  limiter->bind(head, time);
  if (make && !limiter->has_room(definition.identity)) return nullptr;
  return limiter;
}

std::unique_ptr<Counters::OpenLimiter> Counters::open_limiter(std::string_view identity,
                                                              std::uint64_t capacity,
                                                              std::uint64_t window_ms,
                                                              std::uint64_t keys_max,
                                                              std::uint64_t cost_max) {
  return bind(definition_of(identity, capacity, window_ms, keys_max, cost_max), true);
}

std::unique_ptr<Counters::OpenLimiter> Counters::find_limiter(std::string_view identity,
                                                              std::uint64_t capacity,
                                                              std::uint64_t window_ms,
                                                              std::uint64_t keys_max,
                                                              std::uint64_t cost_max) {
  return bind(definition_of(identity, capacity, window_ms, keys_max, cost_max), false);
}

bool Counters::forget(OpenLimiter& limiter, const Hash128& key) {
  const std::uint64_t time = now();
  if (!limiter.is_leased(time) && !renew(limiter, time)) return false;
  return limiter.forget(key);
}

// The open record of this limiter, touched at this time, and its head. nullptr if there is none and
// it is not to be made, or there is no room for it.
AtomicWord* Counters::find_record(const LimiterDefinition& definition, std::uint64_t now,
                                  std::uint64_t& head, bool make) {
  const std::uint64_t fingerprint = fingerprint_from(definition.identity.high);
  RootSpace space{*root_, definition.identity};
  for (;;) {
    Neighbourhood<AtomicWord> around;
    space.neighbours(around);
    AtomicWord* record = nullptr;
    around.any([&](AtomicWord* cell) {
      const Sight<AtomicWord> sight = look(cell);
      if (fingerprint_of(sight.key) != fingerprint || sight.state() != State::kOpen) return false;
      record = cell;
      head = sight.head;
      return true;
    });
    if (record != nullptr && touch_record(record, head, now)) return record;
    if (record != nullptr) continue;
    if (!make) return nullptr;
    const std::uint64_t count = record::make_count(now, definition.window_ms);
    const Placed placed = place<AtomicWord>(space, fingerprint, count);
    if (placed.kind == Placed::kFull) return nullptr;
  }
}

// The lease has run out: the process was stopped, or nobody touches for it. Its record may have
// been collected, then it gets another one; where there is no room for one, false.
bool Counters::renew(OpenLimiter& limiter, std::uint64_t now) {
  if (limiter.touch(now)) return true;
  std::uint64_t head = 0;
  AtomicWord* const record = find_record(limiter.definition(), now, head, true);
  if (record == nullptr) return false;
  limiter = OpenLimiter(mapping_, limiter.definition(), index_of(record));
  limiter.bind(head, now);
  return true;
}

void Counters::touch(OpenLimiter& limiter) noexcept {
  const std::uint64_t time = now();
  raise(header(kLatest), time);
  limiter.touch(time);
}

bool Counters::collect(std::uint64_t budget) {
  raise(header(kLatest), now());
  if (!mapping_.lock_collector()) return true;
  if (to_collect_.empty()) {
    root_->all_pages([&](std::uint64_t page) { to_collect_.push_back(page); },
                     [](std::uint64_t) {});
  }
  // A page of records is begun anew where it was not finished: too little would never finish it.
  budget = std::max<std::uint64_t>(budget, kPageWords);
  while (!to_collect_.empty()) {
    AtomicWord* const page = &mapping_.word(pages_.first_word(to_collect_.back()));
    for (std::size_t i = 0; i < kPageWords && budget > 0; i += kRecordWords) {
      collect_record(page + i, budget);
    }
    if (budget == 0) return false;
    to_collect_.pop_back();
  }
  return true;
}

void Counters::collect_record(AtomicWord* record, std::uint64_t& budget) {
  --budget;
  Sight<AtomicWord> sight = look(record);
  if (sight.state() == State::kOpen) {
    if (!record::may_be_retired(count_of(sight.head), now())) return;
    std::uint64_t head = sight.head;
    if (!record[kHeadWord].compare_exchange_strong(head, retired(head))) return;
    sight = look(record);
  }
  if (sight.state() != State::kRetired) return;
  const auto spend = [&](std::uint64_t cells) { budget -= std::min(budget, cells); };
  Tiers<AtomicWord, Mapping> table(mapping_, index_of(record) + kRecordReferences, root_shape());
  table.all_pages(
      [&](std::uint64_t number) {
        if (budget == 0) return;
        const PageType type = page_word::type(pages_.own_word(number).load());
        AtomicWord* const page = &mapping_.word(pages_.first_word(number));
        const std::size_t stride = cell_words(type);
        for (std::size_t i = 0; stride > 0 && i < kPageWords; i += stride) {
          const Sight<AtomicWord> cell = look(page + i);
          if (cell.state() != State::kFree) free_cell(cell);
        }
        pages_.release(number);
        spend(stride == 0 ? 1 : kPageWords / stride);
      },
      [&](std::uint64_t directory) {
        if (budget > 0) pages_.release(directory);
      });
  if (budget == 0) return;
  for (const std::size_t word : {kLive, kAdmitted, kRejected}) record[word].store(0);
  free_cell(sight);
}

Statistics Counters::statistics() const {
  Statistics result;
  root_->all_pages(
      [&](std::uint64_t number) {
        AtomicWord* const page = &mapping_.word(pages_.first_word(number));
        for (std::size_t i = 0; i < kPageWords; i += kRecordWords) {
          if (look(page + i).state() != State::kOpen) continue;
          ++result.limiters;
          // A process that died between opening a cell and counting it leaves this one off.
          const auto live = static_cast<std::int64_t>(page[i + kLive].load());
          result.live += static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0));
        }
      },
      [](std::uint64_t) {});
  result.evicted = header(kEvicted).load();
  result.full = header(kFull).load();
  result.bytes = pages_.segments() * kSegmentBytes;
  return result;
}

// Nobody else has the file open: what a page was used for does not bind its next owner.
void Counters::put_in_order() {
  while (!collect(kPageWords * kPageWords)) {
  }
  const std::uint64_t segments = pages_.segments();
  std::vector<bool> is_used(segments * kSegmentPages, false);
  const auto mark = [&](std::uint64_t page) { is_used[page] = true; };
  root_->all_pages(
      [&](std::uint64_t number) {
        AtomicWord* const page = &mapping_.word(pages_.first_word(number));
        bool has_limiters = false;
        for (std::size_t i = 0; i < kPageWords; i += kRecordWords) {
          const Sight<AtomicWord> sight = look(page + i);
          if (sight.state() == State::kTentative) free_cell(sight);
          if (sight.state() != State::kOpen) continue;
          has_limiters = true;
          Tiers<AtomicWord, Mapping>(mapping_, index_of(page + i) + kRecordReferences, root_shape())
              .all_pages(mark, mark);
        }
        if (has_limiters) {
          mark(number);
        } else {
          pages_.release(number);
        }
      },
      mark);
  std::uint64_t last = kHeaderPage;
  for (std::uint64_t number = 0; number < is_used.size(); ++number) {
    if (is_used[number]) last = number;
    if (is_used[number] || !pages_.is_handed_out(number) || pages_.own_word(number).load() == 0) {
      continue;
    }
    AtomicWord* const page = &mapping_.word(pages_.first_word(number));
    for (std::size_t i = 0; i < kPageWords; ++i) page[i].store(0);
    pages_.own_word(number).store(0);
  }
  header(kUntouchedHint).store(0);
  for (unsigned type = 0; type < kPageTypes; ++type) header(kFreedHint + type).store(0);
  header(kSegments).store(last / kSegmentPages + 1);
  mapping_.truncate(pages_.segments() * kSegmentBytes);
}

}  // namespace weir::counters
