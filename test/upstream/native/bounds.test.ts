/**
 * The native client has no bounds of its own: what it is made with, it keeps to. Each case is a process, since
 * there is one client for a thread.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { UpstreamBackendOptions } from "../../../src/native-addon.ts";
import type { UpstreamClientOptions } from "../../../src/native-addon-upstream.ts";
import { addonFile } from "../../limiter/support.ts";
import { backend } from "../probe.ts";
import { answering } from "../scripted-upstream.ts";

const CLIENT: UpstreamClientOptions = {
	headBytes: LIMITS.responseHeaderBytes,
	headerLines: LIMITS.responseHeaderLines,
	interimResponses: LIMITS.responseInterims,
	idleMs: LIMITS.upstreamIdleMs,
	idleHintedMs: LIMITS.upstreamIdleHintedMs,
	idleMarginMs: LIMITS.upstreamIdleMarginMs,
	reuseMs: LIMITS.upstreamReuseMs,
	bodyBufferBytes: LIMITS.upstreamBodyBufferBytes,
	setAsideFirstMs: LIMITS.upstreamSetAsideFirstMs,
	setAsideLastMs: LIMITS.upstreamSetAsideLastMs,
	pipeliningMax: LIMITS.upstreamPipeliningMax,
	seed: 1,
};
const BACKEND: UpstreamBackendOptions = {
	...{ connectTimeoutMs: 60_000, responseTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
	...{ connections: 1, queue: 100, pipelining: 1 },
};

/** Sends one GET. @returns the name of the record that ended it, and the text that says why */
async function outcome(url: string, client: UpstreamClientOptions): Promise<string> {
	const program = `
		const addon = require(${JSON.stringify(addonFile)});
		const { recordBytes, word, kind } = addon.upstreamLayout;
		const records = new ArrayBuffer(1024 * recordBytes);
		const arena = new ArrayBuffer(1 << 20);
		const words = new Int32Array(records);
		let backend = -1;
		addon.createClient(records, arena, (count) => {
			for (let at = 0; at < count; at++) {
				const value = (name) => words[(at * recordBytes) / 4 + word[name]];
				const name = Object.keys(kind).find((one) => kind[one] === value("kind"));
				if (name === "attemptFailed") continue;
				const text = Buffer.from(arena, value("textOffset"), value("textLength"));
				console.log(name === "failed" ? name + ": " + text : name);
				if (name !== "backendClosed") addon.closeBackend(backend);
			}
		}, ${JSON.stringify(client)});
		backend = addon.openBackend(${JSON.stringify(BACKEND)});
		addon.setAddresses(backend, [{ id: 0, ip: "127.0.0.1", port: ${new URL(url).port} }]);
		addon.send(backend, "GET", "/", "host: a\\r\\n", "", 0, 0);
	`;
	const child = spawn(process.execPath, ["-e", program], { timeout: 15_000 });
	const closed = once(child, "close");
	const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	await closed;
	expect(errors).toBe("");
	return output.split("\n")[0] ?? "";
}

const line = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n";

describe.each<[keyof UpstreamClientOptions, number, string, RegExp]>([
	["headerLines", 3, `${line}a: 1\r\nb: 2\r\n\r\nok`, /header/],
	["headBytes", line.length + 8, `${line}a: 1\r\n\r\nok`, /header/],
	["interimResponses", 2, `${"HTTP/1.1 102 Processing\r\n\r\n".repeat(2)}${line}\r\nok`, /interim/],
])("%s", (name, just, answer, reason) => {
	it.each([
		["as much as that", just, "whole"],
		["less", just - 1, "failed"],
	])("%s", async (_, bound, kind) => {
		const upstream = await backend(answering(answer));
		const heard = await outcome(upstream.url, { ...CLIENT, [name]: bound });
		expect(heard.split(":")[0]).toBe(kind);
		if (kind === "failed") expect(heard).toMatch(reason);
	});
});
