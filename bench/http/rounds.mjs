/**
 * The measuring of `npm run bench:http`: starts backend and contenders, lets them take turns in every
 * scenario, and ends them. A round is one slice of every scenario and contender; who goes first changes, so that
 * drift of the machine hits all alike.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BOTH_CORES, OTHER_CORE, PROXY_CORE } from "../processes.mjs";
import { inOrder, quantile } from "../slices.mjs";
import { askAtRate, hasClient } from "./constant-rate.mjs";
import { startContenders, takesPart } from "./contenders.mjs";
import { startBackend } from "./nginx.mjs";
import { changedPolicy, writePolicies } from "./policy-writer.mjs";
import { saturate } from "./saturation.mjs";
import { verify } from "./verify.mjs";
import { succeed } from "./weir.mjs";

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./scenarios.mjs").Scenario} Scenario */
/** @typedef {import("./samples.mjs").Samples} Samples */
/** @typedef {import("./report.mjs").Rates} Rates */
/** @typedef {import("./options.mjs").Options} Options */
/** @typedef {(sentence: string) => void} Note */

const WARM_UP_SECONDS = 1;
/** V8 optimises what a change runs for some thousand of them: until then the compiler's time would be measured. */
const WARM_UP_PUTS = 2000;
const PROBE_SECONDS = 1;
/**
 * Of the slowest contender's slowest slice: the first that all of them hold. Above it client and backend, who share a
 * core, would wait for each other, and the latencies would be theirs.
 */
const MOST_SHARE = 0.4;
const SHARES = [MOST_SHARE, 0.3, 0.2];
/** Much slower than the others: at a rate that it could hold, theirs would say little. */
const NOT_THE_MEASURE = "node";

export class Rounds {
	/** @type {Options} */
	#options;
	/** @type {Samples} */
	#samples;
	/** @type {Note} */
	#note;
	/** @type {string} */
	#directory;
	/** @type {{cert: string, key: string} | undefined} */
	#certificate;
	/** @type {Rates} */
	#rates;
	/** scenario and contender that have failed: told once, not asked again @type {Set<string>} */
	#failed = new Set();
	#core = OTHER_CORE;

	/**
	 * @param {Options} options of the command line
	 * @param {{directory: string, certificate: {cert: string, key: string} | undefined, samples: Samples, rates: Rates, note: Note}} context
	 */
	constructor(options, { directory, certificate, samples, rates, note }) {
		this.#options = options;
		this.#directory = directory;
		this.#certificate = certificate;
		this.#samples = samples;
		this.#rates = rates;
		this.#note = note;
	}

	get failures() {
		return this.#failed.size;
	}

	/** All rounds of scenarios for which the contenders have the same number of workers. @param {Scenario[]} scenarios @param {number} workers */
	async run(scenarios, workers) {
		this.#core = workers === 1 ? OTHER_CORE : BOTH_CORES;
		const directory = join(this.#directory, `workers-${workers}`);
		mkdirSync(directory);
		const backend = await startBackend(this.#core, directory);
		const contenders = await startContenders(
			this.#options.contenders,
			{
				core: workers === 1 ? PROXY_CORE : BOTH_CORES,
				directory,
				backend: backend.origin,
				workers,
				certificate: this.#certificate,
			},
			this.#note,
		);
		await this.#rounds(scenarios, contenders, this.#saturation);
		if (hasClient(this.#directory)) {
			if (workers === 1) {
				for (const scenario of scenarios) await this.#findRate(scenario, contenders);
				await this.#rounds(scenarios, contenders, this.#latency);
			} else {
				this.#note(
					"Left out: latencies of two workers. Client and backend have no core of their own.",
				);
			}
		}
		const instances = new Set([backend, ...contenders].map(({ pinned }) => pinned));
		await Promise.all([...instances].map((pinned) => pinned.stop()));
	}

	/**
	 * @param {Scenario[]} scenarios @param {Contender[]} contenders
	 * @param {(round: number, scenario: Scenario, order: Contender[]) => Promise<void>} measure one slice of each
	 */
	async #rounds(scenarios, contenders, measure) {
		for (let round = 0; round < this.#options.slices; round += 1) {
			for (const scenario of scenarios) {
				const order = inOrder(contenders, round).filter((each) => takesPart(each, scenario));
				await measure.call(this, round, scenario, order);
			}
		}
	}

	/** @param {number} round @param {Scenario} scenario @param {Contender[]} order */
	async #saturation(round, scenario, order) {
		await this.#each(scenario, order, async (contender) => {
			const wanted = this.#wanted(contender, scenario);
			if (round === 0) {
				const { cipher } = await verify(contender, scenario);
				if (cipher !== undefined) this.#note(`TLS of ${contender.title}: ${cipher}.`);
				await this.#warmUpPuts(contender, scenario);
				await saturate({ ...wanted, seconds: WARM_UP_SECONDS });
			}
			const { result, puts } = await this.#withPuts(contender, scenario, () =>
				saturate({ ...wanted, seconds: this.#options.seconds }),
			);
			if (result.errors > 0) {
				this.#note(`${scenario.title}: ${contender.title} had ${result.errors} socket errors.`);
			}
			this.#samples.add(round, scenario.id, contender.id, {
				...result,
				putSaturatedP50: puts?.p50,
				putSaturatedP99: puts?.p99,
			});
			this.#progress(round, scenario, contender, [
				`${result.microseconds.toFixed(2)} µs`,
				`${Math.round(result.perSecond)}/s`,
			]);
		});
	}

	/** @param {number} round @param {Scenario} scenario @param {Contender[]} order */
	async #latency(round, scenario, order) {
		const rate = this.#rates.get(scenario.id)?.perSecond;
		if (rate === undefined) return;
		const able = order.filter((each) => this.#capacity(scenario, each) >= rate);
		if (round === 0 && able.length < order.length) {
			this.#note(
				"Who has no latencies holds less than the rate; the Node gateway has no say in the rate.",
			);
		}
		await this.#each(scenario, able, async (contender) => {
			const { result, puts } = await this.#withPuts(contender, scenario, () =>
				askAtRate({
					...this.#wanted(contender, scenario),
					rate,
					seconds: this.#options.seconds,
				}),
			);
			const { p50, p99, p999, late, held, onTime } = result;
			if (!onTime) {
				this.#note("Left out: latencies of slices in which the client had no core of its own.");
				return;
			}
			if (!held) this.#note(`${scenario.title}: ${contender.title} did not hold ${rate}/s.`);
			this.#samples.add(round, scenario.id, contender.id, {
				p50,
				p99,
				p999,
				putP50: puts?.p50,
				putP99: puts?.p99,
				lateP50: late.p50,
				lateP99: late.p99,
				lateP999: late.p999,
			});
			const percentiles = [p50, p99, p999].map(Math.round).join(" / ");
			this.#progress(round, scenario, contender, [`${percentiles} µs at ${rate}/s`]);
		});
	}

	/** Requests a second that a contender is asked for at most. @param {Scenario} scenario @param {Contender} contender */
	#capacity(scenario, contender) {
		const held = this.#samples.least(scenario.id, contender.id, "perSecond") ?? 0;
		return contender.id === NOT_THE_MEASURE ? held * MOST_SHARE : held;
	}

	/** @param {Scenario} scenario @param {Contender[]} contenders */
	async #findRate(scenario, contenders) {
		const measured = contenders.filter(
			(each) => this.#samples.least(scenario.id, each.id, "perSecond") !== undefined,
		);
		const others = measured.filter(({ id }) => id !== NOT_THE_MEASURE);
		const judged = others.length > 0 ? others : measured;
		if (judged.length === 0) return;
		const slowest = Math.min(...judged.map((each) => this.#capacity(scenario, each)));
		for (const share of SHARES) {
			const perSecond = Math.max(1, Math.floor(slowest * share));
			/** @type {boolean[]} */
			const tried = [];
			await this.#each(scenario, judged, async (contender) => {
				if (tried.includes(false)) return;
				const wanted = this.#wanted(contender, scenario);
				const result = await askAtRate({ ...wanted, rate: perSecond, seconds: PROBE_SECONDS });
				tried.push(result.held && result.onTime);
			});
			if (tried.includes(false)) continue;
			this.#rates.set(scenario.id, { perSecond, share });
			return;
		}
		this.#note(
			`${scenario.title}: no latencies. At ${Math.round((SHARES.at(-1) ?? 0) * 100)} % of the slowest's rate one of them did not hold it, or the client had no core of its own.`,
		);
	}

	/**
	 * @template T
	 * @param {Contender} contender @param {Scenario} scenario @param {() => Promise<T>} work
	 * @returns {Promise<{ result: T, puts?: { p50: number | undefined, p99: number | undefined } }>}
	 */
	async #withPuts(contender, scenario, work) {
		if (scenario.putsPerSecond === 0 || contender.putPolicy === undefined) {
			return { result: await work() };
		}
		const end = writePolicies(contender.putPolicy, scenario.path, scenario.putsPerSecond);
		try {
			const result = await work();
			const milliseconds = await end();
			return {
				result,
				puts: { p50: quantile(milliseconds, 0.5), p99: quantile(milliseconds, 0.99) },
			};
		} catch (error) {
			await end().catch(() => undefined);
			throw error;
		}
	}

	/** @param {Contender} contender @param {Scenario} scenario */
	async #warmUpPuts(contender, scenario) {
		if (scenario.putsPerSecond === 0 || contender.putPolicy === undefined) return;
		for (let put = 0; put < WARM_UP_PUTS; put += 1)
			await succeed(contender.putPolicy(scenario.path, changedPolicy(put)));
	}

	/**
	 * A contender that fails in a scenario is left out of it from then on, and the bench goes on.
	 * @param {Scenario} scenario @param {Contender[]} contenders @param {(contender: Contender) => Promise<void>} work
	 */
	async #each(scenario, contenders, work) {
		for (const contender of contenders) {
			const pair = `${scenario.id} ${contender.id}`;
			if (this.#failed.has(pair)) continue;
			try {
				await work(contender);
			} catch (error) {
				this.#failed.add(pair);
				this.#note(
					`${scenario.title}: ${contender.title} is left out, ${error instanceof Error ? error.message : error}.`,
				);
			}
		}
	}

	/** @param {Contender} contender @param {Scenario} scenario */
	#wanted(contender, scenario) {
		return { core: this.#core, directory: this.#directory, contender, scenario };
	}

	/** @param {number} round @param {Scenario} scenario @param {Contender} contender @param {string[]} facts */
	#progress(round, scenario, contender, facts) {
		const name = `${scenario.title.padEnd(30)} ${contender.title.padEnd(19)}`;
		console.error(
			`round ${round + 1}  ${name} ${facts.map((fact) => fact.padStart(10)).join("  ")}`,
		);
	}
}
