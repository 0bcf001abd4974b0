/** A real HAProxy that says in PROXY protocol for whom it connects; one port for each way to say it. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT, ended, freePort, isInstalled, listens } from "./programs.ts";

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

export const hasHaproxy = (): boolean =>
	isInstalled("haproxy", "-v", "PROXY protocol is not tried with it");

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
	const child = spawn("haproxy", ["-db", "-f", config], {
		env: ENVIRONMENT,
		stdio: ["ignore", "ignore", "pipe"],
	});
	await listens("haproxy", child, ports);
	return { ports, close: () => ended(child, "SIGKILL") };
}
