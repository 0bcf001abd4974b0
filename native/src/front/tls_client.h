// What is told of a TLS client by its ClientHello, as one text that JS takes with a connection's
// first request (../../../src/http/tls/tls-client.ts). Pure. Called by the front.
#pragma once

#include <string>

#include "front/client_hello.h"

namespace weir::front {

// The version of TLS that a server of 1.2 and 1.3 agrees upon with this client, `1.3` or `1.2`,
// empty if there is none: the newest that both know (RFC 8446 4.2.1), so that it need not be asked
// of the TLS library. A NUL, the host name as sent, which holds none; a NUL, JA4's raw form.
// @param hello that is done
std::string tls_client_text(const ClientHello& hello);

}  // namespace weir::front
