// How long the front waits, and for what.
#include "front/front.h"
#include "front/hold.h"

namespace weir::front {

namespace {

constexpr Refusal kHeaderTooSlow{408, "ERR_REQUEST_TIMEOUT", "the request header came too slowly"};

}  // namespace

void Front::tick() {
  const std::uint64_t now_ms = api_.now_ms();
  // By number: what is closed meanwhile gives its place to nobody before this is over.
  for (std::size_t slot = 0; slot < places_.size(); ++slot) {
    if (places_[slot].phase != Phase::kFree) judge_time(places_[slot], now_ms);
  }
}

void Front::judge_time(const Place& place, std::uint64_t now_ms) {
  Connection& connection = *place.connection;
  const std::uint64_t waited_ms = now_ms - place.since_ms;
  switch (place.phase) {
    case Phase::kFree:
      break;
    case Phase::kBusy:
      // JS has taken the turn away without a call, at some time since the last look.
      if (is_pending(connection)) break;
      if (connection.reader.mid_message()) {
        enter(connection, connection.in_body ? Phase::kRest : Phase::kHeader);
      } else if (is_full(connection)) {
        enter(connection, Phase::kDraining);
      } else {
        enter(connection, Phase::kIdle);
        connection.reader.release();
      }
      break;
    case Phase::kOpened:
      if (waited_ms < bounds_.header_ms) break;
      ++counts_.silent;
      close(connection);
      break;
    case Phase::kHeader:
      if (waited_ms >= bounds_.header_ms) give_up_header(connection);
      break;
    case Phase::kRest:
    case Phase::kIdle:
      if (waited_ms < bounds_.idle_ms) break;
      ++counts_.silent;
      close(connection);
      break;
    case Phase::kDraining:
      if (waited_ms < bounds_.idle_ms) break;
      ++counts_.unread;
      close(connection);
      break;
    case Phase::kLingering:
      if (waited_ms >= bounds_.linger_ms) close(connection);
      break;
  }
}

void Front::give_up_header(Connection& connection) {
  ++counts_.slow_headers;
  const Hold hold(connection);
  connection.refusal = kHeaderTooSlow;
  hand_on_refusal(connection);
  settle(connection);
}

}  // namespace weir::front
