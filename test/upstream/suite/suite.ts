/**
 * What every implementation of `Upstream` must do, against scripted backends on raw sockets. Run by the
 * test of each implementation; the parts are grouped by what they are about. Those that speak TLS run
 * `upstreamTls` besides.
 */
import { describe } from "vitest";
import type { UpstreamFactory } from "../../../src/upstream/upstream.ts";
import { upstreamAbort } from "./abort.ts";
import { upstreamAddresses } from "./addresses.ts";
import { upstreamBounds } from "./bounds.ts";
import { upstreamConnections } from "./connections.ts";
import { upstreamFaults } from "./faults.ts";
import { upstreamFlow } from "./flow.ts";
import { upstreamHeads } from "./heads.ts";
import { upstreamLoad } from "./load.ts";
import { upstreamMemory } from "./memory.ts";
import { upstreamReentrance } from "./reentrance.ts";
import { upstreamRequests } from "./requests.ts";
import { upstreamResponses } from "./responses.ts";
import { upstreamRetries } from "./retries.ts";
import { upstreamTimeouts } from "./timeouts.ts";
import { upstreamUpgrades } from "./upgrades.ts";

export const upstreamSuite = (name: string, factory: UpstreamFactory): void => {
	describe(name, () => {
		describe("requests", () => upstreamRequests(factory));
		describe("responses", () => upstreamResponses(factory));
		describe("heads", () => upstreamHeads(factory));
		describe("faults", () => upstreamFaults(factory));
		describe("timeouts", () => upstreamTimeouts(factory));
		describe("connections", () => upstreamConnections(factory));
		describe("bounds", () => upstreamBounds(factory));
		describe("addresses", () => upstreamAddresses(factory));
		describe("retries", () => upstreamRetries(factory));
		describe("flow", () => upstreamFlow(factory));
		describe("load", () => upstreamLoad(factory));
		describe("memory", () => upstreamMemory(factory));
		describe("reentrance", () => upstreamReentrance(factory));
		describe("abort", () => upstreamAbort(factory));
		describe("upgrades", () => upstreamUpgrades(factory));
	});
};
