/**
 * What each request of `scripts/soak.mjs` must get, and what was counted. A judge says what is wrong with an answer, in a
 * sentence, or nothing. Pure, but for what it counts.
 */
import { createHash } from "node:crypto";

/** what bodies of a wanted length consist of */
export const FILLING = "x";
/** wrong answers that are told of; all are counted */
const TOLD = 100;

/**
 * @typedef {{status: number, headers: import("node:http").IncomingHttpHeaders, body: string}} Answer
 * @typedef {(answer: Answer) => string | undefined} Judge
 */

/** @param {Answer} answer */
const shown = ({ status, body }) => `${status} ${JSON.stringify(body.slice(0, 120))}`;

/** @param {number} status @param {string} [body] all of it @returns {Judge} */
export const exactly = (status, body) => (answer) =>
	answer.status === status && (body === undefined || answer.body === body)
		? undefined
		: `got ${shown(answer)} instead of ${status} ${body === undefined ? "" : JSON.stringify(body)}`;

/**
 * The backend has seen this request, whole, and the outbound rule its answer.
 * @param {{method: string, url: string, body?: Buffer, headers?: Readonly<Record<string, string>>}} sent `headers` of the answer @returns {Judge}
 */
export const proxied = ({ method, url, body = Buffer.alloc(0), headers = {} }) => {
	const sha1 = createHash("sha1").update(body).digest("hex");
	const told = JSON.stringify({ method, url, bytes: body.length, sha1 });
	const judge = exactly(200, told);
	return (answer) => {
		const wrong = Object.keys(headers).find((name) => answer.headers[name] !== headers[name]);
		if (wrong !== undefined) return `${wrong} is ${answer.headers[wrong]}, not ${headers[wrong]}`;
		return judge(answer);
	};
};

/** @param {number} bytes @returns {Judge} */
export const filled = (bytes) => exactly(200, FILLING.repeat(bytes));

/**
 * Of requests of one key at the same time so many are admitted, and all others limited, whoever they are.
 * @param {readonly Answer[]} answers @param {number} capacity @returns {string | undefined}
 */
export const limited = (answers, capacity) => {
	const admitted = answers.filter(({ status }) => status === 200).length;
	const refused = answers.filter(({ status }) => status === 429).length;
	if (admitted === capacity && refused === answers.length - capacity) return undefined;
	return `of ${answers.length} requests of a new key ${admitted} were admitted and ${refused} limited, instead of ${capacity} and ${answers.length - capacity}`;
};

/** A text that changes: what may be seen of it, by what was answered before a request and begun before its answer. */
export class Register {
	/** the last change that was answered */
	acknowledged = 0;
	/** the last change that was begun */
	begun = 0;

	/** To be called before the request. @returns {Judge} */
	judge() {
		const least = this.acknowledged;
		return ({ status, body }) => {
			const seen = Number(/^v(\d+)$/.exec(body)?.[1]);
			if (status === 200 && seen >= least && seen <= this.begun) return undefined;
			return `got ${status} ${JSON.stringify(body.slice(0, 40))} while v${least} to v${this.begun} were in force`;
		};
	}
}

/** What has come of all requests. */
export class Tally {
	/** @type {Record<string, number>} */
	asked = {};
	wrong = 0;
	/** @type {string[]} */
	told = [];
	/** sent once more, because a worker that leaves had closed a kept connection at that moment */
	again = 0;

	get total() {
		return Object.values(this.asked).reduce((sum, each) => sum + each, 0);
	}

	/** @param {string} kind @param {string | undefined} complaint */
	add(kind, complaint) {
		this.asked[kind] = (this.asked[kind] ?? 0) + 1;
		if (complaint === undefined) return;
		this.wrong += 1;
		if (this.told.length < TOLD)
			this.told.push(`${new Date().toISOString()} ${kind}: ${complaint}`);
	}
}
