/**
 * What every implementation of `Upstream` must do, against scripted backends on raw sockets. Run by the
 * test of each implementation; the parts are grouped by what they are about.
 */
import { describe } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { upstreamAbort } from "./abort.ts";
import { upstreamConnections } from "./connections.ts";
import { upstreamFaults } from "./faults.ts";
import { upstreamFlow } from "./flow.ts";
import { upstreamRequests } from "./requests.ts";
import { upstreamResponses } from "./responses.ts";
import { upstreamRetries } from "./retries.ts";
import { upstreamTimeouts } from "./timeouts.ts";
import { upstreamTls } from "./tls.ts";

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
