/** The stream of events against a server of its own: events, an end, a break, a key that is refused. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type ApiFailure, Client } from "../../../ui/api/client.ts";
import {
	type ConnectionState,
	LiveConnection,
	type LiveEvent,
} from "../../../ui/api/live-connection.ts";
import { until } from "../../e2e/harness.ts";

let server: Server | undefined;
let connection: LiveConnection | undefined;
afterEach(() => {
	connection?.close();
	server?.closeAllConnections();
	server?.close();
});

const HISTORY = { points: [], refusals: [], version: "1" };
const written = (event: string, value: unknown): string =>
	`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;

async function listening(answer: (response: ServerResponse, attempt: number) => void) {
	const seen = {
		events: [] as LiveEvent[],
		states: [] as ConnectionState[],
		refused: [] as ApiFailure[],
	};
	let attempts = 0;
	const own = createServer((_, response) => answer(response, ++attempts));
	server = own;
	await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
	const client = new Client("secret", `http://127.0.0.1:${(own.address() as AddressInfo).port}`);
	connection = new LiveConnection(client, {
		event: (event) => seen.events.push(event),
		connection: (state) => seen.states.push(state),
		refused: (failure) => seen.refused.push(failure),
	});
	connection.connect();
	return seen;
}

it("hands events on, comes back after a break, and drops events that it does not know", async () => {
	const seen = await listening((response, attempt) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(written("history", HISTORY) + written("weather", {}));
		if (attempt === 1) setImmediate(() => response.destroy());
		else response.write(written("refusals", { refusals: [], left_out: 2 }));
	});
	await until(
		() => seen.events.find(({ event }) => event === "refusals"),
		"an event of the second attempt",
	);
	expect(seen.events.map(({ event }) => event)).toEqual(["history", "history", "refusals"]);
	expect(seen.states.map(({ state }) => state)).toEqual(["live", "lost", "live"]);
});

it("says why a server that stops has gone, and when it is tried again", async () => {
	const began = Date.now();
	const seen = await listening((response) => {
		response.writeHead(200);
		response.end(written("history", HISTORY) + written("end", { reason: "stopping" }));
	});
	const lost = await until(() => seen.states.find(({ state }) => state === "lost"), "the loss");
	expect(lost).toMatchObject({ reason: "weir is being stopped or started again." });
	expect(lost.state === "lost" && lost.retryAt).toBeGreaterThan(began);
});

it.each([401, 403])("tries nothing again with a key that gets %d", async (status) => {
	const body = JSON.stringify({
		error_code: "ERR_FORBIDDEN",
		status_code: status,
		msg: "The key is unknown.",
	});
	let attempts = 0;
	const seen = await listening((response) => {
		attempts++;
		response.writeHead(status).end(body);
	});
	const [failure] = await until(
		() => (seen.refused.length > 0 ? seen.refused : undefined),
		"the refusal",
	);
	expect(failure?.message).toBe("The key is unknown.");
	expect([attempts, seen.states]).toEqual([1, []]);
});

it("a key that ends meanwhile ends the session", async () => {
	const seen = await listening((response) => {
		response.writeHead(200);
		response.end(written("history", HISTORY) + written("end", { reason: "key" }));
	});
	const [failure] = await until(
		() => (seen.refused.length > 0 ? seen.refused : undefined),
		"the refusal",
	);
	expect(failure?.message).toContain("not valid any more");
});
