/**
 * Policies written at a constant rate while requests run, each with another literal than those before it.
 * Like the requests' latencies, those of the PUTs count from when each was due.
 */
import { threeRules } from "./weir.mjs";

const TICK_MS = 2;

/** What a change writes: a policy of the same shape that there was never before, unless it is written again. @param {number} number */
export const changedPolicy = (number) => threeRules(`n${number}`);

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
