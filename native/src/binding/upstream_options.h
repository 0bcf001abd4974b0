// Reads what the upstream client and its backends are made with out of objects of JS. The numbers
// are those of src/limits/ and the config file; C++ has none of its own. Used by upstream.cc.
#pragma once

#include <string>
#include <vector>

#include "binding/arguments.h"
#include "upstream/client.h"

namespace weir::binding {

// These throw a TypeError for a number that is missing or out of its bounds.
upstream::ClientOptions read_client_options(const Arguments& arguments, std::size_t at);
upstream::BackendOptions read_backend_options(const Arguments& arguments, std::size_t at);

struct BackendAddress {
  std::int32_t id = 0;
  std::string ip;
  std::uint16_t port = 0;
};

// An array of `{ id, ip, port }`; whether each `ip` is one, the client says.
std::vector<BackendAddress> read_addresses(const Arguments& arguments, std::size_t at);

}  // namespace weir::binding
