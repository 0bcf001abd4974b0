// What the kernel knows of a client's connection that the server library doesn't tell: how much of
// what was sent has arrived, and whether a client that isn't being read from has ended its side
// (these two on Linux only; elsewhere nothing is known); and how much of what it sends the kernel
// keeps. A descriptor below 0 is none. Called by binding/front_connections.cc.
#pragma once

#include <cstdint>

namespace weir::request {

// @returns bytes that the peer has acknowledged since the connection was made; -1: not known
std::int64_t acknowledged_bytes(int descriptor);

// @returns bytes that are left to be read of a peer that will send no more; -1: it may, or nobody
// knows
std::int64_t bytes_before_end(int descriptor);

// Has the kernel keep at most so much of what the peer sends. It takes twice as much, its own
// structures included.
void bound_reads(int descriptor, int bytes);

}  // namespace weir::request
