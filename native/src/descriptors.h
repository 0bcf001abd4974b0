// The descriptors of this process, which clients, connections to backends and everything else
// share. What a server can't do without (taking a client in order to send it away, files, threads)
// needs the last ones, so connections to backends end before them. src/descriptors.ts has the
// shares and the argument.
#pragma once

#include <atomic>
#include <climits>

namespace weir {

// The soft limit; INT_MAX if there is none or it can't be found out.
int descriptor_limit();

// The number that the next file or socket would get; -1 if there is none left. All numbers below
// are taken, so this tells how full it is at the price of two short system calls.
int lowest_free_descriptor();

// Closed in processes that are started from now on: a library may have opened it without saying so.
void keep_from_children(int descriptor);

// Connections to backends get no descriptor from this number on. One for the process, whose
// threads have one table of descriptors.
inline std::atomic<int> upstream_descriptor_end{INT_MAX};

}  // namespace weir
