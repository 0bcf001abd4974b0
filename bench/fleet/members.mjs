/** Simulated members: the real protocol over the real log, a state in memory, workers that have everything at once. */

import { NatsLog } from "#dist/fleet/log/nats/nats-log.js";
import { Member } from "#dist/fleet/member.js";
import { LightState } from "./light-state.mjs";

export const FLEET = "bench";

/** @param {readonly string[]} servers @param {string} name */
export const settings = (servers, name) => ({
	...{ fleet: FLEET, servers, credentials: null, domain: null, name, minPayloadBytes: 2_162_688 },
	tls: { ca: null, cert: null, key: null },
});

const complain = (/** @type {object} */ fields, /** @type {string} */ text) =>
	process.stderr.write(`${text} ${JSON.stringify(fields).slice(0, 300)}\n`);

/**
 * @param {readonly string[]} servers @param {string} name
 * @param {(revision: number) => void} inForce told when this member's workers would run it
 * @param {import("../../src/fleet/state.ts").FleetState} state
 */
export const openMember = (servers, name, inForce, state = new LightState()) => {
	const member = new Member({
		fleet: FLEET,
		identity: { name, version: "bench", role: "manager", labels: {}, limits: "" },
		level: 1,
		log: new NatsLog(settings(servers, name)),
		state,
		publish: async () => inForce(state.position?.applied ?? 0),
		directory: import.meta.dirname,
		mayDiscard: false,
		logger: { info: () => {}, warn: () => {}, error: complain },
	});
	return { member, state };
};

/** @param {() => boolean} isSo @param {string} what @param {number} ms */
export const until = async (isSo, what, ms = 120_000) => {
	const deadline = performance.now() + ms;
	while (!isSo()) {
		if (performance.now() > deadline) throw new Error(`no ${what} in ${ms} ms`);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};

/** Milliseconds that all processes of this machine agree on. */
export const clock = () => performance.timeOrigin + performance.now();
