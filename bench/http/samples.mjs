/** What was measured, by scenario, contender and measure: figures of the slices, and comparisons of two contenders. */
import { compare, lowerQuartile, median, taken, upperQuartile } from "../slices.mjs";

/** Of all other measures less is better. @type {Readonly<Record<string, (numbers: readonly number[]) => number>>} */
const FIGURES = { perSecond: upperQuartile, busy: median };

/** @param {string} scenario @param {string} contender @param {string} measure */
const key = (scenario, contender, measure) => `${scenario}\n${contender}\n${measure}`;

export class Samples {
	/** @type {Map<string, (number | undefined)[]>} */
	#slices = new Map();

	/**
	 * @param {number} slice @param {string} scenario @param {string} contender
	 * @param {Record<string, number | undefined>} measures one number each; `undefined` and NaN are left out
	 */
	add(slice, scenario, contender, measures) {
		for (const [measure, value] of Object.entries(measures)) {
			if (value === undefined || Number.isNaN(value)) continue;
			const at = key(scenario, contender, measure);
			const slices = this.#slices.get(at) ?? [];
			slices[slice] = value;
			this.#slices.set(at, slices);
		}
	}

	/** @param {string} scenario @param {string} contender @param {string} measure */
	#of(scenario, contender, measure) {
		// a slice that was left out is a hole, which some functions of arrays skip
		return Array.from(this.#slices.get(key(scenario, contender, measure)) ?? []);
	}

	/** @param {string} measure @returns {number} the figure of all scenarios and contenders together */
	overall(measure) {
		const all = [...this.#slices].filter(([at]) => at.endsWith(`\n${measure}`));
		return lowerQuartile(all.flatMap(([, slices]) => taken(Array.from(slices))));
	}

	/**
	 * @param {string} scenario @param {string} contender @param {string} measure
	 * @returns {number | undefined} undefined if it was not measured
	 */
	figure(scenario, contender, measure) {
		const values = taken(this.#of(scenario, contender, measure));
		return values.length === 0 ? undefined : (FIGURES[measure] ?? lowerQuartile)(values);
	}

	/** @param {string} scenario @param {string} contender @param {string} measure @returns {number | undefined} */
	least(scenario, contender, measure) {
		const values = taken(this.#of(scenario, contender, measure));
		return values.length === 0 ? undefined : Math.min(...values);
	}

	/**
	 * @param {string} scenario @param {string} contender @param {string} measure
	 * @returns {number | undefined} (most − least) / figure
	 */
	spread(scenario, contender, measure) {
		const figure = this.figure(scenario, contender, measure);
		if (figure === undefined) return undefined;
		const values = taken(this.#of(scenario, contender, measure));
		return (Math.max(...values) - Math.min(...values)) / figure;
	}

	/** One scenario beside another, of one contender. @param {string} scenario @param {string} other @param {string} contender @param {string} measure */
	beside(scenario, other, contender, measure) {
		const [these, those] = [scenario, other].map((id) => this.#of(id, contender, measure));
		return compare(these ?? [], those ?? [], FIGURES[measure] ?? lowerQuartile);
	}

	/** @param {string} scenario @param {string} contender @param {string} peer @param {string} measure */
	comparison(scenario, contender, peer, measure) {
		const [ours, theirs] = [contender, peer].map((id) => this.#of(scenario, id, measure));
		return compare(ours ?? [], theirs ?? [], FIGURES[measure] ?? lowerQuartile);
	}
}
