/** An exception from a policy is a bug that costs one request. */
import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { resumePhase, runPhase } from "../../../src/edge/phases/run-phase.ts";
import { CLIENT_GONE } from "../../../src/edge/request/client-gone.ts";
import type { Services } from "../../../src/edge/services.ts";
import type { CompiledPolicy, Outcome, SuspendedRun } from "../../../src/policy/exchange.ts";

const DENY: Outcome = { kind: "deny", statusCode: 403 };
const CONTINUE: Outcome = { kind: "continue" };
const exchange = {} as Exchange;
const stopped = {} as SuspendedRun;

function setUp(run: () => Outcome) {
	const errors: string[] = [];
	const log = { error: (_fields: object, message: string) => errors.push(message) };
	const policy = { inbound: run, outbound: run, resume: run } as unknown as CompiledPolicy;
	return { errors, policy, services: { log } as unknown as Services };
}

it("a phase comes to what its policy says", () => {
	const { policy, services } = setUp(() => DENY);
	const quiet = { ...policy, outbound: () => CONTINUE };
	expect(runPhase(quiet, "inbound", exchange, services)).toBe(DENY);
	expect(runPhase(quiet, "outbound", exchange, services)).toBe(CONTINUE);
	expect(resumePhase(quiet, exchange, stopped, true, services)).toBe(DENY);
});

it("a policy that throws has failed, and says so in the log", () => {
	const { policy, services, errors } = setUp(() => {
		throw new Error("a bug");
	});
	expect(runPhase(policy, "outbound", exchange, services)).toEqual({ kind: "failed" });
	expect(resumePhase(policy, exchange, stopped, true, services)).toEqual({ kind: "failed" });
	expect(errors).toEqual(["policy threw", "policy threw"]);
});

it("a client that has gone is no failure of the policy", () => {
	const { policy, services, errors } = setUp(() => {
		throw CLIENT_GONE;
	});
	expect(() => runPhase(policy, "inbound", exchange, services)).toThrow(CLIENT_GONE);
	expect(errors).toEqual([]);
});
