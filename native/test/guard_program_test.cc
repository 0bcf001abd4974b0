// Proves what guards of standing refusals say of a request: each comparison of each subject, fields
// that are not there or there twice, addresses in sets of ranges, large ones included, beside a
// plain walk through the ranges; and that no program is valid that could read what it has not, or
// go on for ever, whatever numbers it is made of.
#include "front/guard_program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check.h"
#include "counters/random.h"

namespace {

using namespace std::string_literals;
using namespace weir::front;
using Kind = Instruction::Kind;
using Subject = Instruction::Subject;
using Comparison = Instruction::Comparison;
using Absent = Instruction::Absent;

constexpr ReaderBounds kBounds{.head_bytes = 16'384, .target_bytes = 8'192, .lines = 100};

// What a test of one text says of a request.
std::optional<bool> says(const std::string& lines, const Instruction& instruction,
                         std::vector<std::string> texts) {
  const std::string request = "POST /a/b?q=1 HTTP/1.1\r\nhost: h\r\n" + lines + "\r\n";
  RequestReader reader(kBounds);
  std::size_t used = 0;
  CHECK(reader.read(request, used) == Event::head);
  GuardProgram program;
  program.texts = std::move(texts);
  std::string scratch;
  return holds(program, instruction, {reader, "shop.test", "/a/b", "q=1", {}}, scratch);
}

bool is(Subject subject, Comparison comparison, const std::string& text, bool folds = false) {
  const Instruction test{.kind = Kind::kText,
                         .subject = subject,
                         .comparison = comparison,
                         .folds = folds,
                         .first = 1,
                         .count = 2};
  const auto said = says("", test, {"never", "neither", text});
  CHECK(said.has_value());
  return said == std::optional(true);
}

void compares_texts() {
  CHECK(is(Subject::kMethod, Comparison::kEquals, "POST"));
  CHECK(!is(Subject::kMethod, Comparison::kEquals, "post"));
  CHECK(is(Subject::kMethod, Comparison::kEquals, "post", true));
  CHECK(!is(Subject::kMethod, Comparison::kEquals, "POST", true));
  CHECK(is(Subject::kHost, Comparison::kEnds, ".test"));
  CHECK(!is(Subject::kHost, Comparison::kEnds, "xshop.test"));
  CHECK(is(Subject::kPath, Comparison::kStarts, "/a"));
  CHECK(!is(Subject::kPath, Comparison::kStarts, "/a/b?"));
  CHECK(is(Subject::kPath, Comparison::kContains, "/b") &&
        is(Subject::kPath, Comparison::kContains, ""));
  CHECK(is(Subject::kQuery, Comparison::kEquals, "q=1"));
  CHECK(!is(Subject::kQuery, Comparison::kContains, "\xc3\xa9"));
}

void reads_fields() {
  const auto ask = [](const std::string& lines, Comparison comparison, Absent absent,
                      std::uint32_t count = 1) {
    const Instruction test{.kind = Kind::kText,
                           .subject = Subject::kField,
                           .comparison = comparison,
                           .absent = absent,
                           .name = 0,
                           .first = 1,
                           .count = count};
    return says(lines, test, {"x-k", "v", ""});
  };
  CHECK(ask("X-K: v\r\n", Comparison::kEquals, Absent::kFalse) == std::optional(true));
  CHECK(ask("X-K: w\r\n", Comparison::kEquals, Absent::kTrue) == std::optional(false));
  CHECK(ask("", Comparison::kEquals, Absent::kFalse) == std::optional(false));
  CHECK(ask("", Comparison::kEquals, Absent::kTrue) == std::optional(true));
  CHECK(ask("", Comparison::kEquals, Absent::kUnknown) == std::nullopt);
  CHECK(ask("", Comparison::kEquals, Absent::kEmpty) == std::optional(false));
  CHECK(ask("", Comparison::kEquals, Absent::kEmpty, 2) == std::optional(true));
  CHECK(ask("x-kk: v\r\nx-: v\r\n", Comparison::kPresent, Absent::kFalse, 0) ==
        std::optional(false));
  CHECK(ask("x-k:\r\n", Comparison::kPresent, Absent::kFalse, 0) == std::optional(true));
  // JS would look at both.
  for (const Comparison comparison : {Comparison::kEquals, Comparison::kPresent}) {
    CHECK(ask("x-k: v\r\nX-K: v\r\n", comparison, Absent::kFalse) == std::nullopt);
  }
}

std::array<std::uint8_t, 4> bytes_of(std::uint32_t address) {
  return {static_cast<std::uint8_t>(address >> 24), static_cast<std::uint8_t>(address >> 16),
          static_cast<std::uint8_t>(address >> 8), static_cast<std::uint8_t>(address)};
}

// Segments of addresses in steps, of which every second is covered.
void looks_addresses_up() {
  weir::test::Random random(5);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{5'000}}) {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint8_t> lengths;
    std::uint64_t at = size == 7 ? 0 : 9;
    const std::uint64_t step = size == 0 ? 1 : (std::uint64_t{1} << 32) / size;
    while (starts.size() < size && at < std::uint64_t{1} << 32) {
      starts.push_back(static_cast<std::uint32_t>(at));
      lengths.push_back(starts.size() % 2 == 0 ? AddressTable::kUncovered : 24);
      at += random.between(1, step);
    }
    const AddressTable table(starts, lengths, {}, {});
    for (int i = 0; i < 20'000; ++i) {
      std::uint32_t address = static_cast<std::uint32_t>(random.between(0, 0xffffffff));
      if (i % 2 == 0 && !starts.empty()) {
        address = starts[random.between(0, starts.size() - 1)] +
                  static_cast<std::uint32_t>(random.between(0, 2)) - 1;
      }
      bool wanted = false;
      for (std::size_t j = 0; j < starts.size() && starts[j] <= address; ++j) {
        wanted = lengths[j] != AddressTable::kUncovered;
      }
      if (size == 5'000 && i % 20 != 0) continue;
      const auto bytes = bytes_of(address);
      CHECK(table.holds(bytes) == wanted);
      std::array<std::uint8_t, 16> mapped{};
      mapped[10] = mapped[11] = 0xff;
      std::copy(bytes.begin(), bytes.end(), mapped.begin() + 12);
      CHECK(table.holds(mapped) == wanted);
    }
  }
  // First words, then second words, and so on: from 2001:db8:: on, to before 2001:db9::.
  const std::vector<std::uint32_t> v6{0x20010db8, 0x20010db9, 0, 0, 0, 0, 0, 0};
  const std::vector<std::uint8_t> lengths{32, AddressTable::kUncovered};
  const AddressTable table({}, {}, v6, lengths);
  const auto holds = [&table](std::uint8_t second, std::uint8_t last) {
    std::array<std::uint8_t, 16> address{0x20, 0x01, 0x0d, second};
    address[15] = last;
    return table.holds(address);
  };
  CHECK(!holds(0xb7, 0xff) && holds(0xb8, 0) && holds(0xb8, 0xff) && !holds(0xb9, 0));
  CHECK(!table.holds({}) && !table.holds(bytes_of(0x20010db8)));
}

void an_address_that_is_not_known_is_asked_about() {
  RequestReader reader(kBounds);
  GuardProgram program;
  program.sets.push_back(std::make_shared<const AddressTable>(
      std::vector<std::uint32_t>{0}, std::vector<std::uint8_t>{0}, std::vector<std::uint32_t>{},
      std::vector<std::uint8_t>{}));
  const Instruction test{.kind = Kind::kAddress};
  std::string scratch;
  CHECK(holds(program, test, {reader, "", "/", "", {}}, scratch) == std::nullopt);
  const auto address = bytes_of(1);
  CHECK(holds(program, test, {reader, "", "/", "", address}, scratch) == std::optional(true));
}

// Runs whatever is valid; the sanitizers see what it reads.
void takes_no_program_that_leads_astray() {
  weir::test::Random random(3);
  const std::string request = "GET / HTTP/1.1\r\nhost: h\r\nx-k: v\r\n\r\n";
  RequestReader reader(kBounds);
  std::size_t used = 0;
  CHECK(reader.read(request, used) == Event::head);
  const auto address = bytes_of(7);
  const GuardedRequest guarded{reader, "h", "/", "", address};
  int valid = 0;
  std::string scratch;
  for (int round = 0; round < 200'000; ++round) {
    GuardProgram program;
    program.texts.resize(random.between(0, 3));
    for (std::uint64_t i = random.between(0, 2); i > 0; --i) {
      program.sets.push_back(random.one_in(20)
                                 ? nullptr
                                 : std::make_shared<const AddressTable>(
                                       std::vector<std::uint32_t>{}, std::vector<std::uint8_t>{},
                                       std::vector<std::uint32_t>{}, std::vector<std::uint8_t>{}));
    }
    const std::uint64_t size = random.between(0, 4);
    const auto small = [&] { return static_cast<std::uint32_t>(random.between(0, 4)); };
    for (std::uint64_t i = 0; i < size; ++i) {
      program.code.push_back({.kind = static_cast<Kind>(random.between(0, 6)),
                              .subject = static_cast<Subject>(random.between(0, 5)),
                              .comparison = static_cast<Comparison>(random.between(0, 5)),
                              .absent = static_cast<Absent>(random.between(0, 4)),
                              .folds = random.one_in(2),
                              .name = small(),
                              .first = random.one_in(50) ? 0xffffffffU : small(),
                              .count = random.one_in(50) ? 0xffffffffU : small(),
                              .then_at = small(),
                              .else_at = small()});
    }
    const std::size_t refusals = random.between(0, 2);
    if (!is_valid(program, refusals)) continue;
    ++valid;
    std::size_t at = 0;
    for (std::size_t steps = 0;; ++steps) {
      const bool is_within = steps <= size && at < size;
      CHECK(is_within);
      if (!is_within) break;
      const Instruction& instruction = program.code[at];
      if (instruction.kind == Kind::kRefuse || instruction.kind == Kind::kLimit) {
        CHECK(instruction.first < refusals);
        break;
      }
      if (instruction.kind == Kind::kAsk) break;
      const bool passes = instruction.kind == Kind::kPassed;
      const auto said =
          passes ? std::optional(true) : holds(program, instruction, guarded, scratch);
      if (!said.has_value()) break;
      at = *said ? instruction.then_at : instruction.else_at;
    }
  }
  CHECK(valid > 500);
  CHECK(!is_valid({}, 0));
}

}  // namespace

int main() {
  compares_texts();
  reads_fields();
  looks_addresses_up();
  an_address_that_is_not_known_is_asked_about();
  takes_no_program_that_leads_astray();
  return weir::test::finish();
}
