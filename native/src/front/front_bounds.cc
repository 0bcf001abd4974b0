// Connections beyond a bound (client_bounds.h). A plain client is told, and its connection ended as
// others are; where TLS comes first it is closed, for a handshake would cost more than what it asks
// for. Addresses that a PROXY protocol header names are known with the first bytes behind it.
#include <string_view>

#include "front/client_bounds.h"
#include "front/front.h"
#include "front/hold.h"
#include "front/proxy_listener.h"

namespace weir::front {

namespace {

std::string_view bytes_of(const std::uint8_t* address, std::size_t size) {
  return {reinterpret_cast<const char*>(address), size};
}

}  // namespace

// @returns false if it was ended
bool Front::count(Connection& connection) {
  if (bounds_ == nullptr) return true;
  if (bounds_->total > 0) {
    if (!bounds_->counts.enter(bounds_->total)) {
      ++connection.listener->refused.total;
      refuse(connection);
      return false;
    }
    connection.counted = true;
  }
  if (connection.listener->proxied) return true;
  return count_address(connection, {connection.address.data(), connection.address_bytes});
}

// Also asked for what comes later, which has no header before it. @returns false if it was ended
bool Front::count_named(Connection& connection) {
  if (bounds_ == nullptr || !connection.listener->proxied || connection.named) return true;
  const ProxiedPeer* const peer = ProxyListener::current();
  connection.named = true;
  if (peer == nullptr) return true;
  return count_address(connection, {peer->address.data(), peer->address_bytes});
}

bool Front::count_address(Connection& connection, std::span<const std::uint8_t> address) {
  const std::string_view bytes = bytes_of(address.data(), address.size());
  if (bounds_->per_address == 0 || bytes.empty() || bounds_->is_exempt(bytes)) return true;
  const std::uint64_t key = bounds_->key_of(bytes);
  switch (bounds_->counts.enter_address(key, bounds_->per_address)) {
    case ClientCounts::Entry::kCounted:
      connection.counted_address = true;
      connection.address_key = key;
      return true;
    case ClientCounts::Entry::kFull:
      return true;
    case ClientCounts::Entry::kTooMany:
      break;
  }
  Refused& refused = connection.listener->refused;
  ++refused.address;
  refused.last.assign(bytes);
  refuse(connection);
  return false;
}

void Front::uncount(Connection& connection) {
  if (connection.counted) bounds_->counts.leave();
  if (connection.counted_address) bounds_->counts.leave_address(connection.address_key);
  if (connection.told) --told_;
  connection.counted = connection.counted_address = connection.told = false;
}

void Front::refuse(Connection& connection) {
  const Hold hold(connection);
  uncount(connection);
  if (connection.listener->ssl != 0 || told_ >= bounds_->refusals) {
    close(connection);
    return;
  }
  connection.told = true;
  ++told_;
  {
    const Gathering gathering(*this, connection);
    put(connection, bounds_->refusal);
  }
  if (!connection.closed) finish(connection);
}

}  // namespace weir::front
