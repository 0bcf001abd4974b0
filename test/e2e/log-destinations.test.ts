/**
 * Where log lines go must not hold up a process (contract 1): a reader that stands still can't keep weir
 * from ending, a FIFO without one can't keep it from starting.
 */
import { execFileSync } from "node:child_process";
import {
	closeSync,
	constants,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeCertificate } from "../certificate.ts";
import { kill, Server, send, until } from "./harness.ts";

let folder = "";
let fifo = "";
const servers: Server[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-logs-"));
	fifo = join(folder, "fifo");
	execFileSync("mkfifo", [fifo]);
});
afterEach(async () => {
	for (const server of servers.splice(0)) {
		if (server.child.exitCode === null && server.child.signalCode === null) await server.killAll();
		await server.cleanUp();
	}
	rmSync(folder, { recursive: true });
});

function started(destination: string, stdout?: number): Server {
	const server = new Server({
		workers: 1,
		config: { log: { destination, access: true } },
		...(stdout === undefined ? {} : { stdout }),
	});
	servers.push(server);
	return server;
}

interface Line {
	readonly msg: string;
	readonly pid: number;
	readonly listen: readonly string[];
}

/** What comes out of a pipe, read only when asked for. */
class PipeReader {
	readonly #file: number;
	readonly #bytes = Buffer.alloc(65_536);
	#text = "";

	constructor(file: number) {
		this.#file = file;
	}

	line(message: string): Promise<Line> {
		return until(() => {
			this.#read();
			const lines = this.#text.split("\n").slice(0, -1);
			const parsed = lines.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
			return parsed.find(({ msg }) => msg === message);
		}, message);
	}

	#read(): void {
		try {
			this.#text += this.#bytes.toString("utf8", 0, readSync(this.#file, this.#bytes));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
		}
	}
}

const portOf = ({ listen }: Line): number => Number(listen[0]?.split(":").at(-1));

// Two of one kind might become one on their way.
it.each([
	{ signals: ["SIGTERM"], end: 0 },
	{ signals: ["SIGTERM", "SIGINT"], end: "SIGKILL" },
] as const)("$signals end a server whose /dev/stdout is full", async ({ signals, end }) => {
	const file = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
	const blocking = openSync(fifo, constants.O_WRONLY);
	const server = started("/dev/stdout", blocking);
	closeSync(blocking);
	server.ports = [portOf(await new PipeReader(file).line("weir is ready"))];
	// Twice what the kernel keeps of a pipe.
	const long = "x".repeat(8000);
	for (let request = 0; request < 16; request++) await server.get(`/${long}`);
	for (const signal of signals) server.child.kill(signal);
	await server.exited;
	expect(server.child.exitCode ?? server.child.signalCode).toBe(end);
	closeSync(file);
});

// The harness's pipe is a socket, as systemd's is.
it.each(["socket", "file", "FIFO"])(
	"stdout, a %s, has the lines of all processes and nothing that the server library prints",
	async (kind) => {
		const names = ["one.example", "two.example"];
		for (const name of names) await writeCertificate(folder, name, name);
		const at = (suffix: string) => names.map((name) => join(folder, `${name}.${suffix}`));
		const [keys, certs] = [at("key"), at("crt")];
		const tls = certs.map((cert, index) => ({ cert, key: keys[index] }));
		const file = join(folder, "stdout");
		const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
		const to = kind === "socket" ? undefined : openSync(kind === "file" ? file : fifo, "a");
		const server = new Server({
			workers: 2,
			config: {
				listen: [{ address: "127.0.0.1:0", tls }],
				log: { destination: "stdout", access: true },
			},
			...(to === undefined ? {} : { stdout: to }),
		});
		servers.push(server);
		if (to !== undefined) closeSync(to);
		const bytes = Buffer.alloc(65_536);
		let piped = "";
		const text = () => {
			if (kind === "file") return readFileSync(file, "utf8");
			if (kind === "socket") return server.stdout;
			try {
				piped += bytes.toString("utf8", 0, readSync(reading, bytes));
			} catch {}
			return piped;
		};
		const lines = () => text().split("\n").slice(0, -1);
		const said = (message: string) =>
			lines()
				.filter((line) => line.startsWith("{"))
				.map((line) => JSON.parse(line))
				.find(({ msg }) => msg === message);
		const port = portOf(await until(() => said("weir is ready"), "the start"));
		const options = { servername: "two.example", ca: readFileSync(certs[1] ?? "", "utf8") };
		expect((await send(port, "/", { headers: { host: "two.example" }, tls: options })).status).toBe(
			404,
		);
		expect((await until(() => said("request"), "a worker's line")).pid).not.toBe(server.child.pid);
		expect(await server.stop()).toBe(0);
		for (const line of lines()) expect(line).toMatch(/^\{.*\}$/);
		closeSync(reading);
	},
);

it("a FIFO that nobody reads is said to be one, and the lines wait for its reader", async () => {
	const server = started(fifo);
	await until(
		() => server.stderr.includes(`nobody reads the log ${fifo}`) || undefined,
		"a warning",
	);
	const file = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
	const reader = new PipeReader(file);
	server.ports = [portOf(await reader.line("weir is ready"))];
	await server.get("/");
	expect((await reader.line("request")).pid).not.toBe(server.child.pid);
	expect(await server.stop()).toBe(0);
	closeSync(file);
});

it("a worker is replaced although its log can't be opened any more, and logs again once it can", async () => {
	const logs = join(folder, "logs");
	mkdirSync(logs);
	const file = join(logs, "log");
	const server = started(file);
	const inFile = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
	const lines = () =>
		inFile()
			.split("\n")
			.slice(0, -1)
			.map((text) => JSON.parse(text));
	const ready = () => lines().find(({ msg }) => msg === "weir is ready");
	server.ports = [portOf(await until(ready, "the start"))];
	rmSync(logs, { recursive: true });
	const [first] = server.workerPids();
	kill(first ?? 0, "SIGKILL");
	await until(() => server.stderr.includes("the log can't be opened") || undefined, "a new worker");
	const answers = () =>
		server.get("/").then(
			() => true,
			() => undefined,
		);
	await until(answers, "an answer");
	mkdirSync(logs);
	server.child.kill("SIGUSR1");
	const logged = () => answers().then(() => inFile().includes('"msg":"request"') || undefined);
	await until(logged, "a request in the log");
	expect(await server.stop()).toBe(0);
});
