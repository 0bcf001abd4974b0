/** What was measured, by scenario, contender and measure; medians and spreads over the rounds. */
import { median } from "../results.mjs";

/** @param {string} scenario @param {string} contender @param {string} measure */
const key = (scenario, contender, measure) => `${scenario}\n${contender}\n${measure}`;

export class Samples {
	/** @type {Map<string, number[]>} */
	#values = new Map();

	/**
	 * @param {string} scenario @param {string} contender
	 * @param {Record<string, number | undefined>} measures one number each; `undefined` is left out
	 */
	add(scenario, contender, measures) {
		for (const [measure, value] of Object.entries(measures)) {
			if (typeof value !== "number") continue;
			const at = key(scenario, contender, measure);
			this.#values.set(at, [...(this.#values.get(at) ?? []), value]);
		}
	}

	/** @param {string} scenario @param {string} contender @param {string} measure */
	#of(scenario, contender, measure) {
		return this.#values.get(key(scenario, contender, measure)) ?? [];
	}

	/**
	 * @param {string} scenario @param {string} contender @param {string} measure
	 * @returns {number | undefined} the median over the rounds; undefined if it was not measured
	 */
	median(scenario, contender, measure) {
		const values = this.#of(scenario, contender, measure);
		return values.length === 0 ? undefined : median(values);
	}

	/**
	 * @param {string} scenario @param {string} contender @param {string} measure
	 * @returns {number | undefined} (most − least) / median
	 */
	spread(scenario, contender, measure) {
		const values = this.#of(scenario, contender, measure);
		return values.length === 0
			? undefined
			: (Math.max(...values) - Math.min(...values)) / median(values);
	}

	/**
	 * @param {string} scenario @param {string} contender @param {string} peer @param {string} measure
	 * @returns {number | undefined} one contender's median divided by another's
	 */
	ratio(scenario, contender, peer, measure) {
		const [ours, theirs] = [contender, peer].map((id) => this.median(scenario, id, measure));
		return ours === undefined || theirs === undefined ? undefined : ours / theirs;
	}
}
