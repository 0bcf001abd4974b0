// JA4, the fingerprint of a TLS client by its ClientHello, as FoxIO defines it
// (github.com/FoxIO-LLC/ja4; JA4 itself is under the BSD 3-Clause licence, and only its definition
// was used). Here is made what its raw form JA4_r says; ../../../src/http/tls/ja4.ts hashes that,
// when somebody asks. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "front/client_hello.h"

namespace weir::front {

// Of JA4_r; a browser's has some 250.
inline constexpr std::size_t kJa4TextBytesMax = 4096;

// `t`, version, `d` or `i` for with or without a server name, the numbers of cipher suites and of
// extensions, and the first protocol's first and last character; `_`; the cipher suites, sorted;
// `_`; the extensions, sorted, without server name and ALPN; and, if there are any, `_` and the
// signature algorithms as they came.
// @param hello that is done
// @returns empty if it would be longer than `kJa4TextBytesMax`, so that strangers can't have much
//   kept for their connection
std::string ja4_text(const ClientHello& hello);

}  // namespace weir::front
