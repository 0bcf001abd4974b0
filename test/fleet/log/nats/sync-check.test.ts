/** What a server's monitoring tells of its disk becomes a warning, or none. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { syncWarning } from "../../../../src/fleet/log/nats/sync-check.ts";

describe("whether servers sync", () => {
	const server = createServer((request, answer) => {
		const isSynced = request.headers.host?.startsWith("localhost");
		answer.end(JSON.stringify({ config: { sync_interval: 12e10, sync_always: isSynced } }));
	});
	let port: number;
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		port = (server.address() as AddressInfo).port;
	});
	afterAll(() => {
		server.close();
		server.closeAllConnections();
	});

	it("is not known where nobody is asked", async () => {
		expect(await syncWarning([])).toEqual([expect.stringContaining("--monitor")]);
	});

	it("is told by each", async () => {
		expect(await syncWarning([`http://localhost:${port}`])).toEqual([]);
		expect(await syncWarning([`http://localhost:${port}`, `http://127.0.0.1:${port}`])).toEqual([
			expect.stringContaining("write `sync_interval: always` into `jetstream`"),
		]);
	});

	it("is not known of one that does not answer", async () => {
		const [warning = ""] = await syncWarning(["http://127.0.0.1:1"]);
		expect(warning).toContain("http://127.0.0.1:1 does not tell");
		expect(warning).toMatch(/ECONNREFUSED|bad port/);
		expect(await syncWarning(["nonsense"])).toHaveLength(1);
	});
});
