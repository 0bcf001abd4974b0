/** A real HAProxy before weir; one port for each way to connect: what it speaks, and how it says for whom. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT, ended, freePort, isInstalled, listens } from "./programs.ts";

export interface Way {
	/** of weir */
	readonly port: number;
	/** options of HAProxy's `server` line */
	readonly options: string;
	/** more lines of the section; none: bytes are passed on unread, and checks are HTTP/1.1 with a host */
	readonly lines?: readonly string[];
}

export interface Haproxy {
	/** in the order of the ways */
	readonly ports: readonly number[];
	close(): Promise<void>;
}

/** @param without what is left out without it, a sentence's end */
export const hasHaproxy = (without = "PROXY protocol is not tried with it"): boolean =>
	isInstalled("haproxy", "-v", without);

const UNREAD = [
	"http-check send meth GET uri /health ver HTTP/1.1 hdr Host weir.test",
	"option httpchk",
];

const section = (index: number, listening: number, { port, options, lines }: Way): string => `
listen way${index}
	bind 127.0.0.1:${listening}
	unique-id-format %{+X}o%ci:%cp_%Ts
	${(lines ?? UNREAD).join("\n\t")}
	server weir 127.0.0.1:${port} ${options}
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
	timeout check 10s
${sections.join("")}`,
	);
	const child = spawn("haproxy", ["-db", "-f", config], {
		env: ENVIRONMENT,
		stdio: ["ignore", "ignore", "pipe"],
	});
	await listens("haproxy", child, ports);
	return { ports, close: () => ended(child, "SIGKILL") };
}
