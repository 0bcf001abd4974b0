#include "tunnel/tunnels.h"

#include <string>
#include <utility>

#include "request/socket_state.h"
#include "tunnel/backend_socket.h"

namespace weir::tunnel {

Tunnels::Tunnels(const TunnelBounds& bounds, front::Front& front, Owner& owner,
                 std::uint64_t (*now_ms)())
    : bounds_(bounds),
      front_(front),
      owner_(owner),
      now_ms_(now_ms),
      shared_(bounds.backend_bytes) {}

Tunnels::~Tunnels() {
  for (const Place& place : places_) {
    if (place.tunnel != nullptr) place.tunnel->abandon();
  }
}

std::uint32_t Tunnels::make(front::Connection& client, const TunnelOptions& options) {
  std::uint32_t number = 0;
  if (free_.empty()) {
    number = static_cast<std::uint32_t>(places_.size());
    places_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  places_[number].tunnel =
      std::make_unique<Tunnel>(*this, front_, client, number, options.is_websocket);
  ++open_count_;
  return number;
}

void Tunnels::begin(Tunnel& tunnel, front::Connection& client, const TunnelOptions& options) {
  front_.bound_reads(client, bounds_.client_bytes);
  front_.enter_tunnel(client, tunnel, options.idle_ms);
}

std::uint32_t Tunnels::open(front::Connection& client, const TunnelOptions& options,
                            upstream::Reactor& reactor, upstream::Upgraded backend) {
  const std::uint32_t number = make(client, options);
  Tunnel& tunnel = *places_[number].tunnel;
  auto end = std::make_unique<BackendSocket>(reactor, backend.socket, backend.watch, shared_);
  BackendSocket& socket = *end;
  tunnel.join(std::move(end));
  socket.begin(tunnel);
  begin(tunnel, client, options);
  if (!backend.early.empty()) tunnel.backend_sent(backend.early);
  return number;
}

std::uint32_t Tunnels::open_port(front::Connection& client, const TunnelOptions& options) {
  const std::uint32_t number = make(client, options);
  Place& place = places_[number];
  auto end = std::make_unique<Port>(owner_, number);
  place.port = end.get();
  place.tunnel->join(std::move(end));
  begin(*place.tunnel, client, options);
  return number;
}

Tunnel* Tunnels::find(std::uint32_t number) const {
  if (number >= places_.size()) return nullptr;
  Tunnel* const tunnel = places_[number].tunnel.get();
  return tunnel == nullptr || tunnel->is_over() ? nullptr : tunnel;
}

Port* Tunnels::find_port(std::uint32_t number) const {
  return find(number) == nullptr ? nullptr : places_[number].port;
}

void Tunnels::over(Tunnel& tunnel, Ending by) {
  --open_count_;
  over_.push_back(tunnel.number);
  owner_.ended(tunnel.number, by, tunnel.bytes_in(), tunnel.bytes_out());
}

void Tunnels::linger(Tunnel& tunnel) {
  if (tunnel.until_ms != 0) return;
  tunnel.until_ms = now_ms_() + bounds_.linger_ms;
  lingering_.push_back(tunnel.number);
}

void Tunnels::tick() {
  const std::uint64_t now_ms = lingering_.empty() ? 0 : now_ms_();
  // By index: whoever is told of an end may have others linger.
  for (std::size_t at = 0; at < lingering_.size(); ++at) {
    Tunnel& tunnel = *places_[lingering_[at]].tunnel;
    if (now_ms >= tunnel.until_ms) tunnel.close(Ending::kError);
  }
  std::erase_if(lingering_, [this](std::uint32_t number) { return find(number) == nullptr; });
  for (const std::uint32_t number : std::exchange(over_, {})) {
    places_[number] = {};
    free_.push_back(number);
  }
}

}  // namespace weir::tunnel
