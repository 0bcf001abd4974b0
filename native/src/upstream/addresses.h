// Which address of a backend gets the next attempt (contract 6): round robin, where an address that
// could not be connected to, or whose fresh connection broke unanswered, is set aside with growing
// delay. When the delay is over one request is sent there over a fresh connection to see; the rest
// follow once it has connected, and the delay grows on until it has answered. With all of them set
// aside the one whose failure is longest ago is tried anyway, since answering 502 unasked helps
// nobody. Used by backend.cc, and by undici's pool through binding/upstream_rules.cc.
#pragma once

#include <netinet/in.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::upstream {

class Connection;

// How long an address is set aside, milliseconds: the delay doubles with each failure from the
// first to the last.
struct SetAside {
  std::uint64_t first_ms = 0;
  std::uint64_t last_ms = 0;
  // how long connecting may take
  std::uint64_t probe_ms = 0;
};

inline constexpr std::uint64_t kQuickMs = 5;

// One address and its connections.
struct Target {
  // the owner's number
  std::int32_t id = 0;
  sockaddr_storage socket_address{};
  socklen_t socket_address_length = 0;

  // failures since a fresh connection brought an answer; 0 is in service
  std::uint32_t failures = 0;
  std::uint64_t failed_at_ms = 0;
  std::uint64_t set_aside_until_ms = 0;
  // one request is on its way to see whether it is back
  bool probing = false;
  // It has said what nobody asked for, or what can't be told apart: nothing is pipelined to it.
  bool says_too_much = false;
  // from a request sent to its response, smoothed; in sixteenths of a millisecond
  std::uint64_t latency = 0;
  bool has_latency = false;
  // requests that were given to a connection of it since somebody asked
  std::uint32_t requests = 0;
  // no longer one of the backend's; kept until its connections are gone
  bool removed = false;

  // open and unused, the one used last at the end
  std::vector<Connection*> idle;
  // may take another request behind those in flight
  std::vector<Connection*> pipelines;
  // connections that exist, busy ones included
  std::size_t connections = 0;

  void note_latency(std::uint64_t ms) {
    const std::uint64_t bounded_ms = std::min<std::uint64_t>(ms, 60000);
    latency = has_latency ? latency - latency / 8 + bounded_ms * 2 : bounded_ms * 16;
    has_latency = true;
  }
  // So quick that requests share a connection rather than open more: a write for all of them costs
  // less than each waits for those before it.
  bool is_quick() const { return latency < kQuickMs * 16; }
};

// Fills in the socket address. @returns false if `ip` is none
bool parse_address(std::string_view ip, std::uint16_t port, Target& target);

class AddressRing {
 public:
  enum class Choice : std::uint8_t { kTarget, kWait, kNone };

  AddressRing(std::uint64_t seed, const SetAside& set_aside)
      : random_(seed | 1), set_aside_(set_aside) {}

  std::vector<std::unique_ptr<Target>>& targets() { return targets_; }
  const std::vector<std::unique_ptr<Target>>& targets() const { return targets_; }

  // Hot. @param tried numbers that must not be chosen again
  // @param has_room whether a target can take the request at once
  template <typename HasRoom>
  Choice choose(const std::vector<std::int32_t>& tried, std::uint64_t now_ms, HasRoom has_room,
                Target*& chosen) {
    const std::size_t count = targets_.size();
    bool full = false;
    for (std::size_t step = 0; step < count; ++step) {
      std::size_t index = next_ + step;
      if (index >= count) index -= count;
      Target& target = *targets_[index];
      if (contains(tried, target.id) || !in_service(target, now_ms)) continue;
      if (!has_room(target)) {
        full = true;
        continue;
      }
      next_ = index + 1 == count ? 0 : index + 1;
      claim_probe(target, now_ms);
      chosen = &target;
      return Choice::kTarget;
    }
    return full ? Choice::kWait : least_recently_failed(tried, has_room, chosen);
  }

  // A connection was made. If it is the probe, the address is in service again, on probation until
  // it has answered; others may have begun before it failed, and say nothing.
  static void connected(Target& target) {
    if (!target.probing) return;
    target.set_aside_until_ms = 0;
    target.probing = false;
  }
  // A connection has brought its first answer.
  static void succeeded(Target& target) {
    target.failures = 0;
    target.set_aside_until_ms = 0;
    target.probing = false;
  }
  // No connection could be made, or it broke before its first answer. Many that fail together count
  // once.
  void failed(Target& target, std::uint64_t now_ms);
  // Milliseconds for which the address gets no request, if there are others.
  static std::uint64_t set_aside_ms(const Target& target, std::uint64_t now_ms) {
    return in_service(target, now_ms) ? 0 : target.set_aside_until_ms - now_ms;
  }
  // After targets() was changed.
  void renumber() {
    if (next_ >= targets_.size()) next_ = 0;
  }

 private:
  static bool contains(const std::vector<std::int32_t>& tried, std::int32_t id) {
    for (const std::int32_t one : tried) {
      if (one == id) return true;
    }
    return false;
  }
  static bool in_service(const Target& target, std::uint64_t now_ms) {
    return target.failures == 0 || now_ms >= target.set_aside_until_ms;
  }
  // If the request that probes never tells how it went, the next may try after the same delay.
  void claim_probe(Target& target, std::uint64_t now_ms) {
    if (target.failures == 0 || target.set_aside_until_ms == 0) return;
    target.probing = true;
    target.set_aside_until_ms = now_ms + std::max(delay_ms(target.failures), set_aside_.probe_ms);
  }
  template <typename HasRoom>
  Choice least_recently_failed(const std::vector<std::int32_t>& tried, HasRoom has_room,
                               Target*& chosen) {
    bool full = false;
    chosen = nullptr;
    for (const auto& target : targets_) {
      if (contains(tried, target->id)) continue;
      if (chosen != nullptr && target->failed_at_ms >= chosen->failed_at_ms) continue;
      if (has_room(*target)) {
        chosen = target.get();
      } else {
        full = true;
      }
    }
    if (chosen != nullptr) return Choice::kTarget;
    return full ? Choice::kWait : Choice::kNone;
  }
  std::uint64_t delay_ms(std::uint32_t failures);

  std::vector<std::unique_ptr<Target>> targets_;
  std::size_t next_ = 0;
  std::uint64_t random_;
  SetAside set_aside_;
};

}  // namespace weir::upstream
