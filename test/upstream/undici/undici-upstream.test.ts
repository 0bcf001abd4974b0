/** Proves that the undici upstream keeps every promise of the interface; the cases are the suite's. */
import { createUndiciUpstream } from "../../../src/upstream/undici/undici-upstream.ts";
import { upstreamSuite } from "../suite/suite.ts";

upstreamSuite("undici upstream", createUndiciUpstream);
