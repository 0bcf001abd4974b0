// All tunnels of a thread: their numbers, what they share, and when their memory goes. Called by
// binding/tunnels.cc.
//
// The rules of memory. A tunnel that is over is nobody's: its client's connection and its backend's
// socket are closed and tell it nothing. But it may have ended deep within something that it was
// told, so it is deleted by `tick`, when nothing of it is on the stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "front/front.h"
#include "tunnel/owner.h"
#include "tunnel/port.h"
#include "tunnel/tunnel.h"
#include "upstream/client.h"

namespace weir::tunnel {

// No values here: JS gives them.
struct TunnelBounds {
  // bytes of a client that the kernel keeps, so that one read of the library's is bounded
  std::size_t client_bytes = 0;
  // bytes that are read of a backend at a time
  std::size_t backend_bytes = 0;
  // milliseconds for the last bytes of a tunnel whose client has gone, and for the ends of both
  // sides that were told to
  std::uint32_t linger_ms = 0;
};

struct TunnelOptions {
  // milliseconds without a byte in either direction; 0: any time
  std::uint32_t idle_ms = 0;
  bool is_websocket = false;
};

class Tunnels {
 public:
  Tunnels(const TunnelBounds& bounds, front::Front& front, Owner& owner, std::uint64_t (*now_ms)());
  ~Tunnels();
  Tunnels(const Tunnels&) = delete;
  Tunnels& operator=(const Tunnels&) = delete;

  // The client has been told 101, or what is gathered for it says so. Its end is not told from
  // within.
  // @param backend its connection's; becomes this one's
  // @returns the tunnel's number
  std::uint32_t open(front::Connection& client, const TunnelOptions& options,
                     upstream::Reactor& reactor, upstream::Upgraded backend);
  // As `open`, for a backend that JS carries, which may be told of bytes before this returns.
  std::uint32_t open_port(front::Connection& client, const TunnelOptions& options);

  // @returns nullptr once it is over, or there never was one
  Tunnel* find(std::uint32_t number) const;
  // @returns nullptr also if its backend is none of JS
  Port* find_port(std::uint32_t number) const;

  // To be called some ten times a second, and not from within anything that a tunnel told.
  void tick();

  std::size_t open_count() const { return open_count_; }

  // Of tunnels.
  void over(Tunnel& tunnel, Ending by);
  // It is closed if it isn't over soon.
  void linger(Tunnel& tunnel);

 private:
  struct Place {
    std::unique_ptr<Tunnel> tunnel;
    // of the tunnel's, if JS carries it
    Port* port = nullptr;
  };

  std::uint32_t make(front::Connection& client, const TunnelOptions& options);
  void begin(Tunnel& tunnel, front::Connection& client, const TunnelOptions& options);

  const TunnelBounds bounds_;
  front::Front& front_;
  Owner& owner_;
  std::uint64_t (*const now_ms_)();
  std::vector<char> shared_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> free_;
  // of tunnels that are over
  std::vector<std::uint32_t> over_;
  std::vector<std::uint32_t> lingering_;
  std::size_t open_count_ = 0;
};

}  // namespace weir::tunnel
