// What tests of several requests in flight on one connection share. Used by
// upstream_pipelining_test and upstream_behind_test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "one_server.h"

namespace weir::test {

inline upstream::BackendOptions deep(std::uint32_t depth = 4, std::uint32_t connections = 1) {
  upstream::BackendOptions options = backend_with(connections);
  options.pipelining = depth;
  return options;
}

inline std::string answer_with(std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\n" + std::string(more) +
         "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// A warm connection with this many requests on it, sent.
inline std::vector<std::int32_t> in_flight(One& one, std::size_t count) {
  one.warm_up();
  std::vector<std::int32_t> calls;
  for (std::size_t i = 0; i < count; ++i) {
    calls.push_back(one.harness.get(one.backend, "/" + std::to_string(i)));
  }
  one.harness.settle();
  return calls;
}

}  // namespace weir::test
