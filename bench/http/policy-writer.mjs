/**
 * Policies written at a constant rate while requests run, alternating between two that differ in a literal.
 * Like the requests' latencies, those of the PUTs count from when each was due.
 */
import { threeRules } from "./weir.mjs";

const TICK_MS = 2;
const POLICIES = [threeRules("1"), threeRules("2")];

/**
 * @param {object} contender with `putPolicy` @param {string} path of the route @param {number} perSecond
 * @returns {() => Promise<number[]>} ends it: milliseconds of each PUT; throws if one was refused
 */
export const writePolicies = (contender, path, perSecond) => {
	const begin = performance.now();
	const answers = [];
	const write = async (due) => {
		const { status } = await contender.putPolicy(path, POLICIES[answers.length % POLICIES.length]);
		return { status, milliseconds: performance.now() - due };
	};
	const timer = setInterval(() => {
		for (;;) {
			const due = begin + (answers.length * 1000) / perSecond;
			if (due > performance.now()) return;
			answers.push(write(due));
		}
	}, TICK_MS);
	return async () => {
		clearInterval(timer);
		const done = await Promise.all(answers);
		const refused = done.find(({ status }) => status !== 200);
		if (refused !== undefined) throw new Error(`a PUT of a policy was answered ${refused.status}`);
		return done.map(({ milliseconds }) => milliseconds);
	};
};
