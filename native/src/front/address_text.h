// A client's address as rate-limits count it: the text that JS makes of it
// (../src/http/ip-address.ts, ../src/policy/actions/rate-limit/counted-address.ts), for keys that
// are put together here (standing_refusals.h). Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weir::front {

// IPv4, also where it is mapped into IPv6, with dots; IPv6 as RFC 5952 has it, and of fewer than
// 128 bits the network with its length behind it.
// @param address in network order @param prefix how many bits of an IPv6 address count, 1 to 128
// @returns false, and appends nothing, where there is no address of 4 or 16 bytes
bool append_counted_address(std::string& out, std::span<const std::uint8_t> address,
                            unsigned prefix);

}  // namespace weir::front
