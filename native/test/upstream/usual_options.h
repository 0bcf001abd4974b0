// What the tests' clients and backends are made with where a test says nothing else: numbers like
// those that JS gives (src/limits/), which tests may rely on to stay.
#pragma once

#include <cstdint>

#include "upstream/client.h"

namespace weir::test {

inline constexpr upstream::ParserLimits kUsualLimits{
    .head_bytes = 65536, .header_lines = 256, .interim_responses = 100};

inline constexpr upstream::ClientOptions kUsualClient{.parser = kUsualLimits,
                                                      .idle_ms = 4000,
                                                      .idle_hinted_ms = 60000,
                                                      .idle_margin_ms = 1000,
                                                      .reuse_ms = 1000,
                                                      .body_buffer_bytes = 65536,
                                                      .set_aside_first_ms = 1000,
                                                      .set_aside_last_ms = 30000,
                                                      .pipelining_max = 256,
                                                      .random_seed = 1};

inline constexpr upstream::BackendOptions kUsualBackend{.connect_timeout_ms = 5000,
                                                        .response_timeout_ms = 60000,
                                                        .idle_timeout_ms = 60000,
                                                        .connections = 256,
                                                        .queue = 1024,
                                                        .pipelining = 1};

inline upstream::BackendOptions backend_with(std::uint32_t connections) {
  upstream::BackendOptions options = kUsualBackend;
  options.connections = connections;
  return options;
}

}  // namespace weir::test
