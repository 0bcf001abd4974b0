/** What a start would stumble over on this machine, told without making or changing anything. */
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Config } from "../../../src/config.ts";
import { Counters } from "../../../src/limiter/binding.ts";
import { NO_FILE } from "../../../src/process/config/config-file.ts";
import { judgeConfig } from "../../../src/process/config/load-config.ts";
import { startObstacles } from "../../../src/process/config/start-obstacles.ts";
import { openStore } from "../../../src/store/open.ts";
import { writeCertificate } from "../../certificate.ts";
import { listenerWith } from "../../listener.ts";

const root = mkdtempSync(join(tmpdir(), "weir-obstacles-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let cases = 0;
let folder = "";
beforeEach(() => {
	folder = join(root, String(cases++));
	mkdirSync(folder, { mode: 0o700 });
});

const managementAt = (host: string, port: number) => ({ host, port, tls: [], hosts: [], ui: true });
const sound = (part: Partial<Config> = {}): Config => {
	const sources = { flags: {}, environment: {}, workingDirectory: folder };
	const { config } = judgeConfig(NO_FILE, sources);
	const dataDir = part.dataDir ?? folder;
	const places = { dataDir, countersFile: join(dataDir, "counters") };
	const free = { listen: [listenerWith()], management: managementAt("127.0.0.1", 0) };
	return { ...config, ...free, ...places, ...part };
};
/** Every file with its time of change. */
const traces = (): object =>
	Object.fromEntries(
		readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]),
	);
const told = async (part: Partial<Config>) => {
	const { mistakes, warnings } = await startObstacles(sound(part));
	const text = ({ pointer, message }: { pointer: string; message: string }) =>
		`${pointer}: ${message}`;
	return { mistakes: mistakes.map(text), warnings: warnings.map(text) };
};

it("a folder without a store is a warning, and stays as it is", async () => {
	const dataDir = join(folder, "data");
	expect(await told({ dataDir })).toEqual({
		mistakes: [],
		warnings: [`/data_dir: there is no store in ${dataDir}; the start makes a new, empty one`],
	});
	expect(readdirSync(folder)).toEqual([]);
	writeFileSync(dataDir, "");
	expect(await told({ dataDir })).toMatchObject({
		mistakes: [`/data_dir: ${dataDir} cannot be used: it is no folder`],
	});
});

describe("the store", () => {
	it("is left alone if it is sound, also while a server has it open", async () => {
		const store = openStore(folder);
		await store.putEdge("e", { hostports: ["*"], description: "", metadata: "" }, {});
		new Counters({ path: join(folder, "counters"), owner: true }).close();
		const before = traces();
		expect(await told({})).toEqual({ mistakes: [], warnings: [] });
		expect(traces()).toEqual(before);
		await store.close();
		expect(await told({})).toEqual({ mistakes: [], warnings: [] });
	});

	it("that is damaged, foreign or too short is a mistake", async () => {
		const file = join(folder, "data.mdb");
		writeFileSync(file, "garbage".repeat(2000), { mode: 0o600 });
		expect((await told({})).mistakes).toEqual([
			expect.stringMatching(/^\/data_dir: the store in \S+ is damaged or not a store of weir/),
		]);
		expect(readdirSync(folder)).toEqual(["data.mdb"]);
	});

	it("that others may read is a warning", async () => {
		await openStore(folder).close();
		chmodSync(folder, 0o755);
		chmodSync(join(folder, "data.mdb"), 0o644);
		expect((await told({})).warnings).toEqual([
			expect.stringMatching(/^\/data_dir: the data folder \S+ has the rights 0755/),
			expect.stringMatching(
				/^\/data_dir: \S+data\.mdb has the rights 0644; the start narrows them$/,
			),
		]);
	});
});

it("counters that can't be used are a warning, and stay as they are", async () => {
	await openStore(folder).close();
	const countersFile = join(folder, "hosts");
	writeFileSync(countersFile, "127.0.0.1 localhost\n");
	expect(await told({ countersFile })).toEqual({
		mistakes: [],
		warnings: [
			`/counters/file: counters file ${countersFile} is set aside as ${countersFile}.set-aside: it is no counters file; rate-limits begin anew`,
		],
	});
	expect(readdirSync(folder).sort()).toEqual(["data.mdb", "hosts", "lock.mdb"]);
});

it("addresses that are taken are none, those of other machines are", async () => {
	await openStore(folder).close();
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as { port: number };
	expect((await told({ listen: [listenerWith({ port })] })).mistakes).toEqual([]);
	server.close();
	const management = managementAt("192.0.2.1", port);
	expect(
		(await told({ management, listen: [listenerWith({ host: "198.51.100.7" })] })).mistakes,
	).toEqual([
		expect.stringMatching(/^\/listen\/0\/address: cannot listen on 198\.51\.100\.7:0: /),
		expect.stringMatching(/^\/management\/address: cannot listen on 192\.0\.2\.1:/),
	]);
	const both = {
		listen: [listenerWith({ host: "localhost", port: 4000 })],
		management: managementAt("0.0.0.0", 4000),
	};
	expect((await told(both)).mistakes).toHaveLength(1);
});

it("what only the libraries know: databases and cipher suites", async () => {
	await openStore(folder).close();
	const geoDatabase = join(folder, "torn.mmdb");
	writeFileSync(geoDatabase, "\xab\xcd\xefMaxMind.com", "latin1");
	const files = await writeCertificate(folder, "a", "a.test", ["a.test"], {
		notBeforeDate: new Date("2001-01-01"),
		notAfterDate: new Date("2002-01-01"),
	});
	const listen = [listenerWith({ tls: [files] })];
	// OpenSSL has the suite, the server library doesn't.
	const tls = { minVersion: "TLSv1.2", ciphers: "DHE-RSA-AES256-GCM-SHA384" } as const;
	const { mistakes, warnings } = await told({ geoDatabase, listen, tls });
	expect(mistakes).toEqual([
		expect.stringMatching(
			/^\/tls\/ciphers: the server library can't use "DHE-RSA-AES256-GCM-SHA384"/,
		),
		expect.stringMatching(/^\/geo\/database: geo database \S+torn\.mmdb: /),
	]);
	expect(warnings).toEqual([
		`/listen/0/tls/0/cert: the certificate ${files.cert} (a.test) expired on 2002-01-01T00:00:00.000Z; renew it`,
	]);
	expect((await told({ listen })).mistakes).toEqual([]);
});
