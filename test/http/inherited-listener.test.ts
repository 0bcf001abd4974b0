/** Two apps on one listening socket: the first goes, and nothing that has connected is lost. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { canInherit, descriptorOf, openListener } from "../../src/http/inherited-listener.ts";
import {
	App,
	type TemplatedApp,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../src/http/uws.ts";

async function listening(inherited?: number, port = 0) {
	const app: TemplatedApp = App();
	app.any("/*", (response) => {
		response.end("answered", true);
	});
	let token: us_listen_socket | undefined;
	await openListener(app, { host: "127.0.0.1", port }, inherited, (got) => {
		token = got;
	});
	if (token === undefined) throw new Error("never told that it listens");
	return { app, token, port: us_socket_local_port(token) };
}

const ask = (port: number): Promise<string> =>
	new Promise((resolve, reject) => {
		request({ port, host: "127.0.0.1", agent: false }, (incoming) => {
			incoming.on("data", (data: Buffer) => resolve(String(data)));
		})
			.on("error", reject)
			.end();
	});

it("is possible on Linux, where the library tells its listeners", () => {
	expect(canInherit(undefined)).toBe(process.platform === "linux");
	expect(canInherit(undefined, "darwin")).toBe(false);
	expect(canInherit("/no/library.node", "linux")).toBe(false);
});

it("says what it can't listen on, and what its caller throws", async () => {
	const { app, port } = await listening();
	const options = { host: "192.0.2.1", port };
	await expect(openListener(App(), options, undefined, () => {})).rejects.toThrow(
		`can't listen on 192.0.2.1 port ${port}`,
	);
	const thrown = openListener(App(), { host: "127.0.0.1", port: 0 }, undefined, (token) => {
		us_listen_socket_close(token);
		throw new Error("the caller's");
	});
	await expect(thrown).rejects.toThrow("the caller's");
	app.close();
});

describe.runIf(canInherit())("on an inherited socket", () => {
	it("has its port, and accepts what the one before it left", async () => {
		const first = await listening();
		const descriptor = descriptorOf(first.token);
		const second = await listening(descriptor, 1);
		expect(second.port).toBe(first.port);
		us_listen_socket_close(first.token);
		expect(await ask(first.port)).toBe("answered");
		second.app.close();
		first.app.close();
		await expect(ask(first.port)).rejects.toThrow("ECONNREFUSED");
	});

	it("refuses what is no descriptor", async () => {
		const app = App();
		const wrong = openListener(app, { host: "127.0.0.1", port: 0 }, 1_000_000, () => {});
		await expect(wrong).rejects.toThrow("can't accept connections from an inherited socket: EBADF");
		app.close();
	});
});
