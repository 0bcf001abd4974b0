// Whom tunnels tell: JS, by way of binding/tunnels.cc; in tests, the test. Tunnels are numbers.
// Each of these may drain and close any tunnel before it returns.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::tunnel {

// Who ended a tunnel. JS knows these by name (binding/tunnels.cc).
enum class Ending : std::uint8_t {
  kNone,
  // it ended its side before the other did, or its connection broke
  kClient,
  kBackend,
  // no byte in either direction for too long
  kIdle,
  // JS asked for an end in good order; or for one at once
  kDrain,
  kError,
};

class Owner {
 public:
  virtual ~Owner() = default;
  // Once, and nothing follows.
  virtual void ended(std::uint32_t tunnel, Ending by, std::uint64_t bytes_in,
                     std::uint64_t bytes_out) = 0;

  // Of tunnels whose backend is JS's.
  // Valid until this returns.
  virtual void port_received(std::uint32_t tunnel, std::string_view bytes) = 0;
  virtual void port_client_ended(std::uint32_t tunnel) = 0;
  // After Port::pause: the backend may be read again.
  virtual void port_has_room(std::uint32_t tunnel) = 0;
};

}  // namespace weir::tunnel
