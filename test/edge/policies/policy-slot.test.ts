/** Requests that come to a policy while it is opened: none is lost, each is told once, and it is closed after them. */
import { describe, expect, it } from "vitest";
import { NONE, PolicySlot, STORED, UNREADABLE } from "../../../src/edge/policies/policy-slot.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";

const policy = (onClose = () => {}): CompiledPolicy => ({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: false,
	inbound: () => ({ kind: "continue" }),
	outbound: () => ({ kind: "continue" }),
	resume: () => ({ kind: "continue" }),
	close: onClose,
});

describe("a slot that is opening", () => {
	it("tells those that wait when it is ready, and has the policy by then", () => {
		const slot = new PolicySlot();
		const told: unknown[] = [];
		for (const name of ["one", "other"]) slot.wait(() => told.push(name, slot.state, slot.policy));
		expect([slot.state, slot.policy, told]).toEqual(["opening", undefined, []]);
		const ready = policy();
		slot.ready(ready);
		expect(told).toEqual(["one", "ready", ready, "other", "ready", ready]);
	});

	it("tells them when it has failed, and has no policy", () => {
		const slot = new PolicySlot();
		const told: unknown[] = [];
		slot.wait(() => told.push(slot.state, slot.policy));
		slot.fail();
		expect(told).toEqual(["failed", undefined]);
	});

	it("forgets a request that has gone, also after it is ready", () => {
		const slot = new PolicySlot();
		let told = 0;
		const withdraw = slot.wait(() => {
			told += 1;
		});
		withdraw();
		slot.ready(policy());
		withdraw();
		expect(told).toBe(0);
	});

	it("does not tell who was withdrawn by one that was told before", () => {
		const slot = new PolicySlot();
		const told: string[] = [];
		let withdraw = (): void => {};
		slot.wait(() => {
			told.push("first");
			withdraw();
		});
		withdraw = slot.wait(() => told.push("second"));
		slot.ready(policy());
		expect(told).toEqual(["first"]);
	});

	it("is closed once, after those that waited have run", () => {
		const slot = new PolicySlot();
		const events: string[] = [];
		slot.wait(() => events.push("runs"));
		slot.close();
		slot.close();
		slot.ready(policy(() => events.push("closed")));
		slot.close();
		expect(events).toEqual(["runs", "closed"]);
	});
});

it("a slot that is ready closes its policy once, and requests in flight still have it", () => {
	const slot = new PolicySlot();
	let closed = 0;
	const ready = policy(() => {
		closed += 1;
	});
	slot.ready(ready);
	slot.close();
	slot.close();
	expect([closed, slot.policy]).toEqual([1, ready]);
});

it("slots that routes share stay as they are when one of the routes goes", () => {
	for (const slot of [NONE, STORED, UNREADABLE]) slot.close();
	expect([NONE.state, STORED.state, UNREADABLE.state]).toEqual(["none", "stored", "unreadable"]);
	expect([NONE.policy, STORED.policy, UNREADABLE.policy]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});
