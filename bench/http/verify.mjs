/**
 * That a contender does what a scenario is about, before it is measured: status, length of the body, and
 * that the client's headers and the forwarding headers reach the backend. Nobody measures an error page.
 */
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { TLSSocket } from "node:tls";
import { target } from "./contenders.mjs";
import { BROWSER_HEADERS, ECHO_PATH } from "./scenarios.mjs";

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./scenarios.mjs").Scenario} Scenario */

/**
 * @param {URL} url @param {Pick<Scenario, "method" | "headers" | "body">} scenario
 * @returns {Promise<{status: number, body: Buffer, cipher: string | undefined}>} on a connection of its own
 */
const ask = (url, { method, headers, body }) =>
	new Promise((resolve, reject) => {
		const request = url.protocol === "https:" ? requestTls : requestPlain;
		const outgoing = request(
			url,
			{
				method,
				headers: { ...headers, ...(body !== "" && { "content-length": body.length }) },
				agent: false,
				rejectUnauthorized: false,
				timeout: 5000,
			},
			(response) => {
				/** @type {Buffer[]} */
				const chunks = [];
				const { socket } = response;
				const cipher = socket instanceof TLSSocket ? socket.getCipher().standardName : undefined;
				response.on("data", (chunk) => chunks.push(chunk));
				response.on("error", reject);
				response.on("end", () =>
					resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), cipher }),
				);
			},
		);
		outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
		outgoing.on("error", reject);
		outgoing.end(body);
	});

/** Headers that end at each connection, so that the backend must not see them. */
const END_AT_PROXY = new Set(["connection"]);

/** @param {Contender} contender @param {Scenario} scenario */
const verifyForwarding = async (contender, scenario) => {
	const url = target({ ...contender, suffix: "" }, { ...scenario, path: ECHO_PATH });
	const { status, body } = await ask(url, { method: "GET", headers: BROWSER_HEADERS, body: "" });
	const arrived = new Map(
		body
			.toString()
			.split("\n")
			.map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]),
	);
	const expected = {
		host: url.host,
		"x-forwarded-for": "127.0.0.1",
		"x-forwarded-proto": url.protocol.slice(0, -1),
		"x-forwarded-host": url.host,
		...BROWSER_HEADERS,
	};
	for (const [name, value] of Object.entries(expected)) {
		if (END_AT_PROXY.has(name) || arrived.get(name) === value) continue;
		throw new Error(
			`${name} reached the backend as "${arrived.get(name)}" instead of "${value}" (${status})`,
		);
	}
	if (!/^1\.1 \S/.test(arrived.get("via") ?? "")) throw new Error("no via reached the backend");
};

/**
 * @param {Contender} contender @param {Scenario} scenario
 * @returns {Promise<{cipher: string | undefined}>} throws with a sentence if the answer is not the scenario's
 */
export const verify = async (contender, scenario) => {
	const url = target(contender, scenario);
	let answer = await ask(url, scenario);
	// The first within the limit are admitted.
	for (let more = 2; more > 0 && scenario.status === 429 && answer.status === 200; more -= 1) {
		answer = await ask(url, scenario);
	}
	const { status, body, cipher } = answer;
	const [least, most] = scenario.bytes;
	if (status !== scenario.status || body.length < least || body.length > most) {
		throw new Error(
			`it answers ${status} with ${body.length} bytes instead of ${scenario.status} with ${least === most ? least : `${least} to ${most}`}`,
		);
	}
	if (scenario.status === 200) await verifyForwarding(contender, scenario);
	return { cipher };
};
