// The mutants that scripts/native-mutants.mjs applies to native/src/counters, one at a time: the file, the
// text (which is there exactly once), what is put in its place, and which explore_*_test is to kill
// it, in the order in which they are tried.
//
// Left out, since they change nothing that can be seen:
//   now - stamp < length → <=             the wait is then 0, which means that there is none
//   now < stamp → <=                      the wait is the whole window either way
//   seen < ms → <= in raise               writes what is there already
//   cell < mine → > in settle             of two tentative cells the other one wins, always
//   claim() acq_rel, not seq_cst          settle() begins with a look at the own key, which is seq_cst
//                                         and puts the claim in the one order
//   attach() proposes acq_rel             it looks at the reference again, seq_cst, before it takes the
//                                         page, which puts the proposal in the one order
//   free_cell(own) dropped in settle      place() does it in its next round
//   relaxed stamps made stronger, acq_rel made seq_cst: orders that are stronger than needed
const relaxed = "std::memory_order_relaxed";

/** @type {readonly {file: string, what: string, text: string, replacement: string, tests: string[]}[]} */
export const MUTANTS = [
	{
		file: "window.h",
		what: "a stamp is put down too: no maximum",
		text: `  while (seen < ms && !stamp`,
		replacement: `  while (seen != ms && !stamp`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "a ring of R - 1 slots",
		text: `return block_of(number) % ring;`,
		replacement: `return block_of(number) % (ring - 1);`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "blocks of C/m rounded down",
		text: `block((capacity_ + cost_max_ + ring_ - 3) / (ring_ - 1))`,
		replacement: `block((capacity_ + cost_max_ - 1) / (ring_ - 1))`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "a ring without room for what a request of several raises",
		text: `block((capacity_ + cost_max_ + ring_ - 3) / (ring_ - 1))`,
		replacement: `block((capacity_ + ring_ - 2) / (ring_ - 1))`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the first of several is asked for, not the last",
		text: `wait_for(entry, window, number + ask.cost - 1, now)`,
		replacement: `wait_for(entry, window, number, now)`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "of several only the last one's stamp is raised",
		text: `i + 1 < cost; i += window.block`,
		replacement: `i + cost < cost; i += window.block`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "of several the last one's stamp is not raised",
		text: `  raise(stamp_of(entry, window.slot(number + cost - 1)), ms);`,
		replacement: `  if (cost == 1) raise(stamp_of(entry, window.slot(number)), ms);`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "several are counted as one",
		text: `window.after(number, ask.cost)`,
		replacement: `window.after(number, 1)`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "several are counted one after the other",
		text: `opened(head, window.after(number, ask.cost));`,
		replacement: `opened(head, window.after(number, 1));
    for (std::uint64_t i = 1; i < ask.cost; ++i) {
      Room unused{};
      const Ask other{1, true, false, &unused};
      const Verdict verdict = admit_to(entry, key, window, now, other);
      if (verdict.kind != Verdict::kAdmitted) return verdict;
      head = entry[kHeadWord].load(std::memory_order_acquire);
    }`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "who only asks is counted",
		text: `(wait > 0 && !ask.is_forced) || !ask.is_counted`,
		replacement: `wait > 0 && !ask.is_forced`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the room is that of before the admission",
		text: `room_of(entry, window, count_of(next), now)`,
		replacement: `room_of(entry, window, number, now)`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the room is what the oldest block alone says",
		text: `    if (now < stamp) return {unused + (first - low), window.length_ms};
    if (now - stamp < window.length_ms) {`,
		replacement: `    if (now < stamp) return {unused + (first - low), window.length_ms};
    if (first == low && now - stamp < window.length_ms) {`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the head is loaded relaxed",
		text: `std::uint64_t head = entry[kHeadWord].load(std::memory_order_acquire);`,
		replacement: `std::uint64_t head = entry[kHeadWord].load(${relaxed});`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the head is relaxed where the exchange failed",
		text: `std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {`,
		replacement: `std::memory_order_acq_rel, ${relaxed})) {`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the head is not released",
		text: `std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {`,
		replacement: `std::memory_order_acquire, std::memory_order_acquire)) {`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the stamp is raised after the count",
		text: `    raise_blocks(entry, window, number, ask.cost, time);
    const std::uint64_t next = opened(head, window.after(number, ask.cost));
    if (entry[kHeadWord].compare_exchange_weak(head, next, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {`,
		replacement: `    const std::uint64_t next = opened(head, window.after(number, ask.cost));
    if (entry[kHeadWord].compare_exchange_weak(head, next, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
      raise_blocks(entry, window, number, ask.cost, time);`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "a rejection does not look again whether the head has gone on",
		text: `if (again == head) return {wait > 0 ? Verdict::kRejected : Verdict::kAdmitted, wait};`,
		replacement: `return {wait > 0 ? Verdict::kRejected : Verdict::kAdmitted, wait};`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "a raised stamp does not bring along the head it was raised at",
		text: `stamp.compare_exchange_weak(seen, ms, std::memory_order_release,`,
		replacement: `stamp.compare_exchange_weak(seen, ms, ${relaxed},`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "one admission more than the capacity",
		text: `if (number < window.capacity) return 0;`,
		replacement: `if (number <= window.capacity) return 0;`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "one admission less than the capacity",
		text: `if (number < window.capacity) return 0;`,
		replacement: `if (number + 1 < window.capacity) return 0;`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the window ends a millisecond early",
		text: `return now - stamp < window.length_ms ?`,
		replacement: `return now - stamp + 1 < window.length_ms ?`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "the wait is one too long",
		text: `window.length_ms - (now - stamp) : 0;`,
		replacement: `window.length_ms - (now - stamp) + 1 : 0;`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "a stamp of the future lets in",
		text: `if (now < stamp) return window.length_ms;`,
		replacement: `if (now < stamp) return 0;`,
		tests: ["window"],
	},
	{
		file: "window.h",
		what: "times do not grow with the numbers",
		text: `if (before > time) time = before;`,
		replacement: `(void)before;`,
		tests: ["recycling"],
	},
	{
		file: "window.h",
		what: "whose entry it is does not matter",
		text: `if (!same_version(key, head) || !is_open(head)) return`,
		replacement: `if (!is_open(head)) return`,
		tests: ["recycling"],
	},
	{
		file: "words.h",
		what: "no new generation where a cell is freed",
		text: `return ((head >> kGenerationShift) + 1) << kGenerationShift;`,
		replacement: `return (head >> kGenerationShift) << kGenerationShift;`,
		tests: ["placing", "recycling"],
	},
	{
		file: "words.h",
		what: "a claim of another generation counts",
		text: `fingerprint_of(key) == 0 || !same_version(key, head)`,
		replacement: `fingerprint_of(key) == 0`,
		tests: ["placing", "recycling"],
	},
	{
		file: "cell.h",
		what: "a look at a key is not in the one order",
		text: `cell[0].load(std::memory_order_seq_cst);`,
		replacement: `cell[0].load(std::memory_order_acquire);`,
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "a look at a key is relaxed",
		text: `cell[0].load(std::memory_order_seq_cst);`,
		replacement: `cell[0].load(${relaxed});`,
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "a look at a head is relaxed",
		text: `return {cell, key, cell[1].load(std::memory_order_acquire)};`,
		replacement: `return {cell, key, cell[1].load(${relaxed})};`,
		tests: ["recycling", "placing"],
	},
	{
		file: "cell.h",
		what: "the head is looked at before the key",
		text: `  const std::uint64_t key = cell[0].load(std::memory_order_seq_cst);
  return {cell, key, cell[1].load(std::memory_order_acquire)};`,
		replacement: `  const std::uint64_t head = cell[1].load(std::memory_order_acquire);
  return {cell, cell[0].load(std::memory_order_seq_cst), head};`,
		tests: ["placing", "recycling"],
	},
	{
		file: "cell.h",
		what: "a cell is freed whatever has become of it",
		text: `  return sight.cell[1].compare_exchange_strong(head, freed(head), std::memory_order_acq_rel,
                                               std::memory_order_acquire);`,
		replacement: `  sight.cell[1].store(freed(head), std::memory_order_release);
  return true;`,
		tests: ["recycling", "placing"],
	},
	{
		file: "cell.h",
		what: "nobody looks at the other cells",
		text: `if (cell == mine) return false;`,
		replacement: `if (cell != nullptr) return false;`,
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "the other claim is left alone",
		text: `return !free_cell(other);`,
		replacement: `return false;`,
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "the other claim is taken for freed, though it was not",
		text: `return !free_cell(other);`,
		replacement: `free_cell(other);
      return false;`,
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "an open cell elsewhere is not seen",
		text: `if (other.state() == State::kOpen) {`,
		replacement: `if (other.state() == State::kRetired) {`,
		tests: ["placing"],
	},
	{
		file: "placing.h",
		what: "a claim that came too late is left behind",
		text: `if (seen.own.cell != nullptr) free_cell(seen.own);`,
		replacement: "",
		tests: ["placing"],
	},
	{
		file: "cell.h",
		what: "a lower claim is not driven on",
		text: `        lower = cell;
        return true;`,
		replacement: `        return true;`,
		tests: ["placing"],
	},
	{
		file: "placing.h",
		what: "a limited key is evicted",
		text: `if (wait > 0) return {Judgement::kLimited, wait};`,
		replacement: `if (wait > 0) return {Judgement::kEvictable, newest};`,
		tests: ["recycling"],
	},
	{
		file: "placing.h",
		what: "expired whatever the newest stamp",
		text: `if (newest <= now && now - newest >= window.length_ms) return`,
		replacement: `if (newest <= now) return`,
		tests: ["recycling"],
	},
	{
		file: "placing.h",
		what: "a place is taken though it could not be freed",
		text: `if (!free_cell(target)) continue;`,
		replacement: `free_cell(target);`,
		tests: ["recycling"],
	},
	{
		file: "placing.h",
		what: "claims that somebody left behind are never taken",
		text: `if (target.cell == nullptr) target = seen.tentative;
`,
		replacement: "",
		tests: ["recycling", "placing"],
	},
	{
		file: "placing.h",
		what: "the old head is used after freeing",
		text: `        target.head = freed(target.head);
`,
		replacement: "",
		tests: ["recycling"],
	},
	{
		file: "placing.h",
		what: "the neighbours are found before the claim",
		text: `  const auto neighbours = [&](Neighbourhood<Word>& out) { space.neighbours(out); };
  for (unsigned round = 0; round < kRoundsMax; ++round) {`,
		replacement: `  for (unsigned round = 0; round < kRoundsMax; ++round) {
    Neighbourhood<Word> once;
    space.neighbours(once);
    const auto neighbours = [&](Neighbourhood<Word>& out) { out = once; };`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a look at a reference is relaxed",
		text: `seen = disk_->word(reference_index).load(std::memory_order_seq_cst);`,
		replacement: `seen = disk_->word(reference_index).load(${relaxed});`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a look at a reference is not in the one order",
		text: `seen = disk_->word(reference_index).load(std::memory_order_seq_cst);`,
		replacement: `seen = disk_->word(reference_index).load(std::memory_order_acquire);`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a look at a page's word is relaxed",
		text: `    if (seen == 0 || !is_usable(page)) return kNone;
    const std::uint64_t own = own_word(page).load(std::memory_order_seq_cst);`,
		replacement: `    if (seen == 0 || !is_usable(page)) return kNone;
    const std::uint64_t own = own_word(page).load(${relaxed});`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a look at a page's word is not in the one order",
		text: `    if (seen == 0 || !is_usable(page)) return kNone;
    const std::uint64_t own = own_word(page).load(std::memory_order_seq_cst);`,
		replacement: `    if (seen == 0 || !is_usable(page)) return kNone;
    const std::uint64_t own = own_word(page).load(std::memory_order_acquire);`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a page is taken, but not in the one order",
		text: `          if (own_word(page).compare_exchange_strong(own, owned, std::memory_order_seq_cst,
                                                     std::memory_order_seq_cst)) {`,
		replacement: `          if (own_word(page).compare_exchange_strong(own, owned, std::memory_order_acq_rel,
                                                     std::memory_order_seq_cst)) {`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a page that was taken for the very reference is not seen",
		text: `if (ref.load(std::memory_order_seq_cst) == seen) return kNone;
        continue;`,
		replacement: `return kNone;`,
		tests: ["growing"],
	},
	{
		file: "pages.h",
		what: "a page is taken whatever has become of it",
		text: `          if (own_word(page).compare_exchange_strong(own, owned, std::memory_order_seq_cst,
                                                     std::memory_order_seq_cst)) {
            return page;
          }
          continue;`,
		replacement: `          own_word(page).store(owned, std::memory_order_seq_cst);
          return page;`,
		tests: ["pages"],
	},
	{
		file: "pages.h",
		what: "a proposal is put over another",
		text: `      ref.compare_exchange_strong(seen, reference::make(next_generation(own), candidate),
                                  std::memory_order_seq_cst, std::memory_order_seq_cst);`,
		replacement: `      ref.store(reference::make(next_generation(own), candidate), std::memory_order_seq_cst);`,
		tests: ["pages"],
	},
	{
		file: "pages.h",
		what: "no new generation where a page is taken",
		text: `return (page_word::generation(own) + 1) & 0xffffff;`,
		replacement: `return page_word::generation(own) & 0xffffff;`,
		tests: ["pages"],
	},
	{
		file: "pages.h",
		what: "a page that is owned is proposed",
		text: `return page_word::owner(own) == 0 && (had == type || had == PageType::kUntouched);`,
		replacement: `return had == type || had == PageType::kUntouched;`,
		tests: ["pages"],
	},
	{
		file: "pages.h",
		what: "a released page is not announced",
		text: `first == 0 || page < first ? page : first);`,
		replacement: `first);`,
		tests: ["pages"],
	},
	{
		file: "pages.h",
		what: "the hint of freed pages does not count its changes",
		text: `freed_hint::make(freed_hint::changes(seen) + 1,
                                                  first`,
		replacement: `freed_hint::make(freed_hint::changes(seen),
                                                  first`,
		tests: ["pages"],
	},
];
