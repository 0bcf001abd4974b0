// How long the front waits, and for what.
#include <algorithm>
#include <utility>

#include "front/front.h"

namespace weir::front {

namespace {

// Between two looks whether clients of tunnels that are not read have broken them: a system call
// for each.
constexpr std::size_t kTicksPerBreak = 10;

// Longer between two looks, and this thread did something else.
constexpr std::uint64_t kStoodStillMs = 500;

constexpr Refusal kHeaderTooSlow{408, "ERR_REQUEST_TIMEOUT", "the request header came too slowly"};

std::uint32_t limit_ms(Phase phase, const FrontBounds& bounds) {
  switch (phase) {
    case Phase::kFree:
    case Phase::kBusy:
    case Phase::kTunnel:
      return 0;
    case Phase::kOpened:
    case Phase::kHeader:
      return bounds.header_ms;
    case Phase::kRest:
    case Phase::kIdle:
    case Phase::kDraining:
      return bounds.idle_ms;
    case Phase::kLingering:
      return bounds.linger_ms;
  }
  return 0;
}

}  // namespace

void Front::enter(const Connection& connection, Phase phase) {
  if (phase_of(connection) == phase) return;
  places_[connection.slot].phase = phase;
  if (phase != Phase::kBusy) went_on(connection);
}

void Front::went_on(const Connection& connection) {
  Place& place = places_[connection.slot];
  if (place.phase == Phase::kTunnel) {
    moved(connection);
    return;
  }
  place.until_ms = api_.now_ms() + limit_ms(place.phase, connection.listener->bounds);
}

void Front::tick() {
  const std::uint64_t now_ms = api_.now_ms();
  const std::uint64_t since_ms = now_ms - std::exchange(ticked_ms_, now_ms);
  if (since_ms > kStoodStillMs) {
    // What clients sent meanwhile lies unread: this thread is late, and not they.
    for (Place& place : places_) {
      if (place.until_ms != UINT64_MAX) place.until_ms += since_ms;
    }
    return;
  }
  const bool looks_for_breaks = ++ticks_ % kTicksPerBreak == 0;
  // By number: what is closed meanwhile gives its place to nobody before this is over.
  for (std::size_t slot = 0; slot < places_.size(); ++slot) {
    const Place& place = places_[slot];
    if (place.phase == Phase::kFree) continue;
    if (place.phase == Phase::kBusy) {
      if ((turns_[slot] & kPending) == 0) {
        begin_idling(*place.connection);
      } else if (looks_for_breaks) {
        look_behind_waiting(*place.connection);
      }
    } else if (now_ms >= place.until_ms) {
      give_up(*place.connection);
    } else if (looks_for_breaks && place.phase == Phase::kTunnel &&
               api_.poll_events(place.connection->socket) == 0) {
      look_for_break(*place.connection);
    }
  }
}

std::size_t Front::beginning() const {
  const auto begins = [](const Place& place) {
    return place.phase == Phase::kOpened || place.phase == Phase::kHeader;
  };
  return static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), begins));
}

void Front::begin_idling(Connection& connection) {
  if (connection.reader.mid_message()) {
    enter(connection, connection.in_body ? Phase::kRest : Phase::kHeader);
  } else if (!connection.backlog.empty()) {
    enter(connection, Phase::kDraining);
  } else {
    enter(connection, Phase::kIdle);
    connection.reader.release();
  }
}

void Front::give_up(Connection& connection) {
  switch (phase_of(connection)) {
    case Phase::kHeader:
      give_up_header(connection);
      return;
    case Phase::kDraining:
      ++counts_.unread;
      break;
    case Phase::kLingering:
      break;
    case Phase::kTunnel:
      connection.passage->client_idles();
      return;
    default:
      ++counts_.silent;
      break;
  }
  close(connection);
}

void Front::give_up_header(Connection& connection) {
  const Gathering gathering(*this, connection);
  connection.refusal = kHeaderTooSlow;
  hand_on_refusal(connection);
  settle(connection);
}

}  // namespace weir::front
