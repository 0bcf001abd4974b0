// The corpus of the reader of ClientHellos.
#include "../fuzz/client_hello_target.h"
#include "play_corpus.h"

int main() { return weir::test::play_corpus(weir::test::complaint); }
