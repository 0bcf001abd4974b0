/** Certificates that expire (contract 6): the gauge follows the reload, and both dates are warned of, at the start and then. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { type Server, startServer, until } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-expiry-"));
let server: Server | undefined;
afterAll(async () => {
	await server?.cleanUp();
	rmSync(folder, { recursive: true, force: true });
});

const YEAR_2090 = new Date("2090-01-01T00:00:00Z");
const certificate = (from: Date, to: Date) =>
	writeCertificate(folder, "site", "site.test", ["site.test"], {
		notBeforeDate: from,
		notAfterDate: to,
	});
const lines = (message: string) => server?.logLines().filter(({ msg }) => msg === message) ?? [];

it("is counted and warned of, as it was read at the start and at each reload", async () => {
	const [past, gone] = [new Date("2001-01-01T00:00:00Z"), new Date("2002-01-01T00:00:00Z")];
	const { cert, key } = await certificate(past, gone);
	const listen = [{ address: "127.0.0.1:0", tls: { cert, key } }, { address: "127.0.0.1:0" }];
	server = await startServer({ workers: 1, config: { listen } });
	const running = server;
	const gauges = async (): Promise<string[]> => {
		const { body } = await running.api("GET", "/metrics");
		return body.split("\n").filter((line) => line.startsWith("weir_certificate_expiry_seconds{"));
	};
	const name = `weir_certificate_expiry_seconds{listener="127.0.0.1:${running.port}",certificate="${cert}"}`;
	expect(await gauges()).toEqual([`${name} ${gone.getTime() / 1000}`]);
	expect(lines("a certificate has expired")).toMatchObject([
		{ level: "warn", file: cert, names: ["site.test"], valid_to: gone.toISOString() },
	]);

	const far = new Date("2091-01-01T00:00:00Z");
	await certificate(YEAR_2090, far);
	// What clients are shown is what was read, not what the file holds now.
	expect(await gauges()).toEqual([`${name} ${gone.getTime() / 1000}`]);
	running.child.kill("SIGHUP");
	await until(() => lines("config reloaded")[0], "the reload", 30_000);
	expect(await gauges()).toEqual([`${name} ${far.getTime() / 1000}`]);
	expect(lines("a certificate is not valid yet")).toMatchObject([
		{ level: "warn", file: cert, valid_from: YEAR_2090.toISOString() },
	]);
	expect(lines("a certificate has expired")).toHaveLength(1);
});
