/** Machines of a fleet for end-to-end tests: a folder and a configuration each, commands on them, the server as a process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../e2e/commands.ts";
import { Server, until } from "../../e2e/harness.ts";

type Settings = Readonly<Record<string, unknown>>;

export class Machine {
	readonly name: string;
	readonly folder = mkdtempSync(join(tmpdir(), "weir-machine-"));
	/** the section `fleet`; null: there is none */
	fleet: Settings | null;
	server: Server | undefined;

	constructor(name: string, servers: readonly string[], more: Settings = {}) {
		this.name = name;
		this.fleet = { name: "prod", servers, member: { name }, ...more };
		this.write();
	}

	get config(): string {
		return join(this.folder, "weir.json");
	}
	get dataDir(): string {
		return join(this.folder, "data");
	}
	/** @throws Error it does not run */
	get running(): Server {
		if (this.server === undefined) throw new Error(`${this.name} does not run`);
		return this.server;
	}

	/** The configuration as it is now, for commands. */
	write(): void {
		writeFileSync(
			this.config,
			JSON.stringify({ data_dir: "data", ...(this.fleet === null ? {} : { fleet: this.fleet }) }),
		);
	}

	/** `weir fleet …` on this machine. */
	weir(...words: readonly string[]) {
		// The server has written its own settings beside `fleet`.
		if (this.server === undefined) this.write();
		return run("fleet", ...words, "--config", this.config);
	}

	keys(...words: readonly string[]) {
		if (this.server === undefined) this.write();
		return run("keys", ...words, "--config", this.config);
	}

	async start(): Promise<this> {
		const config = this.fleet === null ? {} : { fleet: this.fleet };
		this.server = new Server({ workers: 1, folder: this.folder, config });
		await this.server.ready();
		return this;
	}

	/** What it says when it does not start. */
	async fails(): Promise<string> {
		const config = this.fleet === null ? {} : { fleet: this.fleet };
		const server = new Server({ workers: 1, folder: this.folder, config });
		const status = await server.exited;
		return `${status} ${server.stderr}`;
	}

	async stop(): Promise<void> {
		await this.server?.stop();
		this.server = undefined;
	}

	/** As `GET /fleet`. */
	async seen(): Promise<Record<string, unknown>> {
		return JSON.parse((await this.running.api("GET", "/fleet")).body) as Record<string, unknown>;
	}

	async is(state: string, revision?: number): Promise<void> {
		await until(async () => {
			const seen = await this.seen();
			const isThere = revision === undefined || Number(seen.revision) >= revision;
			return (seen.state === state && isThere) || undefined;
		}, `${this.name} to be ${state}`);
	}

	async cleanUp(): Promise<void> {
		await this.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
