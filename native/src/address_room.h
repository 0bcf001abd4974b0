// Where this process's memory lies. V8 asks for each 256 kB of its heap at an address drawn at
// random out of 64 TB. So no two pieces share a table of pages, and where a request's objects are
// spread over many of them, each look into one that is not at hand is four waits for memory instead
// of one: most of what a request cost more among 100,000 policies than with one. An address that is
// taken, the kernel replaces by the next one that is free below all others, so that pieces come to
// lie side by side; here all that V8 draws from is taken, with room of which no page is ever
// touched.
#pragma once

#include <cstdint>

namespace weir {

// What V8 draws from: 46 bits. Below the first lie the program and what `brk` gives, with room to
// grow; the kernel's own choices begin above the last.
constexpr std::uintptr_t kDrawnBegin = std::uintptr_t{1} << 36;
constexpr std::uintptr_t kDrawnEnd = std::uintptr_t{1} << 46;

// Takes what is free between the two, once for the process. Costs no memory, whatever `ps` adds up.
// Does nothing where the room of addresses is bounded (`ulimit -v`), is not the one of Linux with
// 48 bits, or is dealt out from below (`ulimit -s unlimited`).
// @returns bytes that were taken
std::uint64_t take_drawn_addresses() noexcept;

}  // namespace weir
