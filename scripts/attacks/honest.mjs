/** Requests of clients that mean no harm, each on a connection of its own, at even intervals. */
import { request as begin } from "node:http";

/** a person has gone by then */
const PATIENCE_MS = 5000;
/** every third brings a small body */
const UPLOADS = 3;
const BODY = "y".repeat(20_000);

/**
 * @param {string} url @param {string} [body]
 * @returns {Promise<number | undefined>} milliseconds until the whole answer; undefined if it was none or no 200
 */
const ask = (url, body) =>
	new Promise((resolve) => {
		const began = performance.now();
		const method = body === undefined ? "GET" : "POST";
		const request = begin(url, { method, agent: false }, (response) => {
			response.resume();
			response.on("end", () =>
				resolve(
					response.statusCode === 200 && response.complete ? performance.now() - began : undefined,
				),
			);
			response.on("error", () => resolve(undefined));
		});
		request.on("error", () => resolve(undefined));
		request.end(body);
		setTimeout(() => request.destroy(new Error("patience")), PATIENCE_MS).unref();
	});

/** @param {readonly number[]} sorted @param {number} share */
const percentile = (sorted, share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];

/**
 * @param {string} url @param {number} count @param {number} seconds over which they are spread
 * @returns {Promise<{served: number, failed: number, p50: number | undefined, p99: number | undefined}>} milliseconds
 */
export const askHonestly = async (url, count, seconds) => {
	/** @type {Promise<number | undefined>[]} */
	const asked = [];
	const began = performance.now();
	for (let index = 0; index < count; index++) {
		const dueMs = began + (index * seconds * 1000) / count - performance.now();
		if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
		asked.push(ask(url, index % UPLOADS === 0 ? BODY : undefined));
	}
	const answers = await Promise.all(asked);
	const times = answers.filter((each) => each !== undefined).sort((a, b) => a - b);
	return {
		served: times.length,
		failed: count - times.length,
		p50: percentile(times, 0.5),
		p99: percentile(times, 0.99),
	};
};

/** Polls until one is served. @param {string} url @param {number} seconds @returns {Promise<boolean>} false if none was within so many seconds */
export const servesAgain = async (url, seconds) => {
	const deadline = performance.now() + seconds * 1000;
	while (performance.now() < deadline) {
		if ((await ask(url)) !== undefined) return true;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	return false;
};
