/**
 * What every implementation of `Upstream` must do, against scripted backends on raw sockets. Run by the
 * test of each implementation; the parts are grouped by what they are about.
 */
import { describe } from "vitest";
import type { UpstreamFactory } from "../../src/edge/upstream.ts";
import { upstreamAbort } from "./upstream-suite-abort.ts";
import { upstreamConnections } from "./upstream-suite-connections.ts";
import { upstreamFaults } from "./upstream-suite-faults.ts";
import { upstreamFlow } from "./upstream-suite-flow.ts";
import { upstreamRequests } from "./upstream-suite-requests.ts";
import { upstreamResponses } from "./upstream-suite-responses.ts";
import { upstreamRetries } from "./upstream-suite-retries.ts";
import { upstreamTimeouts } from "./upstream-suite-timeouts.ts";
import { upstreamTls } from "./upstream-suite-tls.ts";

export const upstreamSuite = (name: string, factory: UpstreamFactory): void => {
	describe(name, () => {
		describe("requests", () => upstreamRequests(factory));
		describe("responses", () => upstreamResponses(factory));
		describe("faults", () => upstreamFaults(factory));
		describe("timeouts", () => upstreamTimeouts(factory));
		describe("connections", () => upstreamConnections(factory));
		describe("retries", () => upstreamRetries(factory));
		describe("flow", () => upstreamFlow(factory));
		describe("abort", () => upstreamAbort(factory));
		describe("tls", () => upstreamTls(factory));
	});
};
