// Which address is chosen: in turn, those that fail set aside for longer and longer and tried by
// one request when their time is over, and all of them failing no reason to give up.
#include "upstream/addresses.h"

#include <arpa/inet.h>

#include <memory>
#include <string_view>
#include <vector>

#include "check.h"

namespace {

using namespace weir::upstream;

using Choice = AddressRing::Choice;

constexpr SetAside kSetAside{.first_ms = 1000, .last_ms = 30000, .probe_ms = 5000};

std::unique_ptr<AddressRing> ring_of(std::int32_t count, std::uint64_t seed = 7) {
  auto ring = std::make_unique<AddressRing>(seed, kSetAside);
  for (std::int32_t id = 0; id < count; ++id) {
    ring->targets().push_back(std::make_unique<Target>());
    ring->targets().back()->id = id;
  }
  return ring;
}

constexpr auto kAnyRoom = [](const Target&) { return true; };

// @returns the number of the chosen address; -1: wait, -2: none
std::int32_t choose(AddressRing& ring, std::uint64_t now_ms,
                    const std::vector<std::int32_t>& tried = {}) {
  Target* target = nullptr;
  const Choice choice = ring.choose(tried, now_ms, kAnyRoom, target);
  return choice == Choice::kTarget ? target->id : choice == Choice::kWait ? -1 : -2;
}

void parsing() {
  struct Case {
    std::string_view ip;
    int family;
  };
  for (const Case& one :
       {Case{"127.0.0.1", AF_INET}, Case{"::1", AF_INET6}, Case{"fe80::1:2", AF_INET6}, Case{"", 0},
        Case{"localhost", 0}, Case{"127.1", 0}, Case{"1.2.3.4:80", 0}, Case{"[::1]", 0},
        Case{"1.2.3.256", 0}}) {
    Target target;
    CHECK(parse_address(one.ip, 8080, target) == (one.family != 0));
    if (one.family == AF_INET) {
      const auto& address = reinterpret_cast<const sockaddr_in&>(target.socket_address);
      CHECK(address.sin_family == AF_INET && address.sin_port == htons(8080));
      CHECK(target.socket_address_length == sizeof address);
    } else if (one.family == AF_INET6) {
      const auto& address = reinterpret_cast<const sockaddr_in6&>(target.socket_address);
      CHECK(address.sin6_family == AF_INET6 && address.sin6_port == htons(8080));
    }
  }
}

void in_turn() {
  auto ring = ring_of(3);
  for (int round = 0; round < 4; ++round) {
    for (const std::int32_t id : {0, 1, 2}) CHECK(choose(*ring, 0) == id);
  }
  CHECK(choose(*ring, 0, {0}) == 1 && choose(*ring, 0, {0, 1}) == 2);
  CHECK(choose(*ring, 0, {0, 1, 2}) == -2 && choose(*ring_of(0), 0) == -2);
  ring->targets().resize(1);
  ring->renumber();
  CHECK(choose(*ring, 0) == 0);
}

void full_ones() {
  auto ring = ring_of(3);
  Target* target = nullptr;
  const auto only = [](std::int32_t id) {
    return [id](const Target& one) { return one.id == id; };
  };
  CHECK(ring->choose({}, 0, only(2), target) == Choice::kTarget && target->id == 2);
  CHECK(ring->choose({}, 0, only(9), target) == Choice::kWait);
  CHECK(ring->choose({2}, 0, only(2), target) == Choice::kWait);
  CHECK(ring->choose({0, 1, 2}, 0, only(2), target) == Choice::kNone);
}

// The delay doubles from one second to thirty, half of it random.
void growing_delay() {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    auto ring = ring_of(2, seed);
    Target& bad = *ring->targets()[0];
    std::uint64_t now_ms = 10;
    for (std::uint64_t full = kSetAside.first_ms, times = 0; times < 10; ++times) {
      ring->failed(bad, now_ms);
      const std::uint64_t delay_ms = bad.set_aside_until_ms - now_ms;
      CHECK(delay_ms >= full / 2 && delay_ms <= full);
      // Many that were on their way fail with it: once is enough.
      ring->failed(bad, now_ms);
      ring->failed(bad, bad.set_aside_until_ms - 1);
      CHECK(bad.set_aside_until_ms - now_ms == delay_ms);
      for (int i = 0; i < 3; ++i) CHECK(choose(*ring, bad.set_aside_until_ms - 1) == 1);
      // One goes to see, and until it is back the others stay away.
      now_ms = bad.set_aside_until_ms;
      CHECK(choose(*ring, now_ms) == 0);
      for (int i = 0; i < 3; ++i) CHECK(choose(*ring, now_ms) == 1);
      full = full * 2 < kSetAside.last_ms ? full * 2 : kSetAside.last_ms;
    }
    AddressRing::succeeded(bad);
    CHECK(choose(*ring, now_ms) == 0 && choose(*ring, now_ms) == 1 && choose(*ring, now_ms) == 0);
  }
}

// However long connecting takes, one request at a time goes to see.
void probing_alone() {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    auto ring = ring_of(2, seed);
    Target& bad = *ring->targets()[0];
    ring->failed(bad, 0);
    const std::uint64_t back_ms = bad.set_aside_until_ms;
    CHECK(choose(*ring, back_ms) == 0);
    for (std::uint64_t after_ms = 0; after_ms < kSetAside.probe_ms; after_ms += 100) {
      CHECK(choose(*ring, back_ms + after_ms) == 1);
    }
    CHECK(choose(*ring, back_ms + kSetAside.probe_ms) == 0);
  }
}

void connected_and_answered() {
  auto ring = ring_of(2);
  Target& bad = *ring->targets()[0];
  ring->failed(bad, 0);
  // One that began before the failure.
  AddressRing::connected(bad);
  CHECK(choose(*ring, 0) == 1 && choose(*ring, 0) == 1);
  // The probe: the others follow, but what breaks then adds to the delay.
  const std::uint64_t back_ms = bad.set_aside_until_ms;
  CHECK(choose(*ring, back_ms) == 0);
  AddressRing::connected(bad);
  CHECK(choose(*ring, back_ms) == 1 && choose(*ring, back_ms) == 0);
  ring->failed(bad, back_ms);
  CHECK(bad.failures == 2 && bad.set_aside_until_ms >= back_ms + kSetAside.first_ms);
  AddressRing::succeeded(bad);
  CHECK(choose(*ring, back_ms) == 1 && choose(*ring, back_ms) == 0);
  ring->failed(bad, back_ms);
  CHECK(bad.failures == 1 && bad.set_aside_until_ms <= back_ms + kSetAside.first_ms);
}

// The first answer says as much as all do; later ones are smoothed.
void latency() {
  Target target;
  target.note_latency(20);
  CHECK(!target.is_quick());
  int answers = 0;
  for (; !target.is_quick() && answers < 100; ++answers) target.note_latency(0);
  CHECK(answers > 2 && answers < 30);
  target.note_latency(2);
  CHECK(target.is_quick());
  for (int i = 0; i < 100; ++i) target.note_latency(UINT64_MAX);
  CHECK(!target.is_quick());
  for (int i = 0; i < 200; ++i) target.note_latency(4);
  CHECK(target.is_quick());
}

void all_failing() {
  auto ring = ring_of(3);
  for (const std::size_t index : {1U, 2U, 0U}) {
    ring->failed(*ring->targets()[index], 100 + (index + 2) % 3);
  }
  // Whose failure is longest ago, of those not tried.
  CHECK(choose(*ring, 150) == 1 && choose(*ring, 150) == 1);
  CHECK(choose(*ring, 150, {1}) == 2 && choose(*ring, 150, {1, 2}) == 0);
  CHECK(choose(*ring, 150, {0, 1, 2}) == -2);
}

}  // namespace

int main() {
  parsing();
  in_turn();
  full_ones();
  growing_delay();
  probing_alone();
  connected_and_answered();
  latency();
  all_failing();
  return weir::test::finish();
}
