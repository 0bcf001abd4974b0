/** Proves that the undici upstream keeps every promise of the interface; the cases are the suite's. */
import { createUndiciUpstream } from "../../src/edge/undici-upstream.ts";
import { upstreamSuite } from "./upstream-suite.ts";

upstreamSuite("undici upstream", createUndiciUpstream);
