/**
 * Policies written at a constant rate while requests run, alternating between two that differ in a literal.
 * Like the requests' latencies, those of the PUTs count from when each was due.
 */
import { threeRules } from "./weir.mjs";

const TICK_MS = 2;
const POLICIES = [threeRules("1"), threeRules("2")];

/** Of one of these changes. @param {number} number */
export const changedPolicy = (number) => POLICIES[number % POLICIES.length] ?? {};

/**
 * @param {NonNullable<import("./contenders.mjs").Instance["putPolicy"]>} putPolicy @param {string} path of the route @param {number} perSecond
 * @returns {() => Promise<number[]>} ends it: milliseconds of each PUT; throws if one was refused
 */
export const writePolicies = (putPolicy, path, perSecond) => {
	const begin = performance.now();
	/** @type {Promise<{ status: number, milliseconds: number }>[]} */
	const answers = [];
	const write = async (/** @type {number} */ due) => {
		const { status } = await putPolicy(path, changedPolicy(answers.length));
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
