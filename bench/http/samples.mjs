/** What was measured, by scenario, contender and measure; medians and spreads over the rounds. */
import { median } from "../results.mjs";

const key = (scenario, contender, measure) => `${scenario}\n${contender}\n${measure}`;

export class Samples {
	#values = new Map();

	/** @param {Record<string, number>} measures one number each; `undefined` is left out */
	add(scenario, contender, measures) {
		for (const [measure, value] of Object.entries(measures)) {
			if (typeof value !== "number") continue;
			const at = key(scenario, contender, measure);
			this.#values.set(at, [...(this.#values.get(at) ?? []), value]);
		}
	}

	#of(scenario, contender, measure) {
		return this.#values.get(key(scenario, contender, measure)) ?? [];
	}

	/** @returns {number | undefined} the median over the rounds; undefined if it was not measured */
	median(scenario, contender, measure) {
		const values = this.#of(scenario, contender, measure);
		return values.length === 0 ? undefined : median(values);
	}

	/** @returns {number | undefined} (most − least) / median */
	spread(scenario, contender, measure) {
		const values = this.#of(scenario, contender, measure);
		return values.length === 0
			? undefined
			: (Math.max(...values) - Math.min(...values)) / median(values);
	}

	/** @returns {number | undefined} one contender's median divided by another's */
	ratio(scenario, contender, peer, measure) {
		const [ours, theirs] = [contender, peer].map((id) => this.median(scenario, id, measure));
		return ours === undefined || theirs === undefined ? undefined : ours / theirs;
	}
}
