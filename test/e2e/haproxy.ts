/** A real HAProxy that says in PROXY protocol for whom it connects; one port for each way to say it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { refuses, until } from "./harness.ts";

export interface Way {
	/** of weir */
	readonly port: number;
	/** options of HAProxy's `server` line */
	readonly options: string;
}

export interface Haproxy {
	/** in the order of the ways */
	readonly ports: readonly number[];
	close(): Promise<void>;
}

export function hasHaproxy(): boolean {
	try {
		execFileSync("haproxy", ["-v"], { stdio: "ignore" });
		return true;
	} catch {
		console.warn("haproxy is not installed: PROXY protocol is not tried with it");
		return false;
	}
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

const section = (index: number, port: number, { port: behind, options }: Way): string => `
listen way${index}
	bind 127.0.0.1:${port}
	unique-id-format %{+X}o%ci:%cp_%Ts
	http-check send meth GET uri /health ver HTTP/1.1 hdr Host weir.test
	option httpchk
	server weir 127.0.0.1:${behind} ${options}
`;

export async function startHaproxy(folder: string, ways: readonly Way[]): Promise<Haproxy> {
	const ports: number[] = [];
	for (const _ of ways) ports.push(await freePort());
	const config = join(folder, "haproxy.cfg");
	const sections = ways.map((way, index) => section(index, ports[index] ?? 0, way));
	writeFileSync(
		config,
		`global
	maxconn 500
defaults
	mode tcp
	timeout connect 5s
	timeout client 20s
	timeout server 20s
${sections.join("")}`,
	);
	const child: ChildProcess = spawn("haproxy", ["-db", "-f", config], { stdio: "pipe" });
	let said = "";
	child.stderr?.on("data", (chunk) => {
		said += chunk;
	});
	for (const port of ports) {
		await until(async () => {
			if (child.exitCode !== null) throw new Error(`haproxy ended: ${said}`);
			return (await refuses(port)) ? undefined : true;
		}, "haproxy to listen");
	}
	return {
		ports,
		async close() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exit = new Promise((resolve) => child.once("exit", resolve));
			child.kill("SIGKILL");
			await exit;
		},
	};
}
