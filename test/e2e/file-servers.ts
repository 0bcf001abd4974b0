/**
 * Servers of files as people put them behind a proxy, on free ports over one folder: nginx, python's `http.server`,
 * and Node in two habits. Each file's content is its own path. Those that aren't installed are left out, aloud.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, posix } from "node:path";
import { until } from "./harness.ts";
import { startNginx } from "./nginx.ts";
import { ended, freePort } from "./programs.ts";

export interface FileServer {
	readonly port: number;
	close(): Promise<void>;
}

/** Makes a file for each path. */
export function writeFiles(root: string, paths: readonly string[]): void {
	for (const path of paths) {
		mkdirSync(join(root, posix.dirname(path)), { recursive: true });
		writeFileSync(join(root, path), path);
	}
}

/** @param folder its own, for what nginx writes */
export async function startNginxFiles(root: string, folder: string): Promise<FileServer> {
	const port = await freePort();
	const http = `server { listen 127.0.0.1:${port}; root ${root}; }`;
	return { port, ...(await startNginx(folder, [port], http)) };
}

const PYTHON = `
import functools, http.server, sys
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sys.argv[1]))
print(server.server_address[1], flush=True)
server.serve_forever()
`;

export async function startPython(root: string): Promise<FileServer> {
	const child = spawn("python3", ["-c", PYTHON, root], { stdio: ["ignore", "pipe", "inherit"] });
	let printed = "";
	child.stdout.on("data", (chunk) => {
		printed += chunk;
	});
	const port = await until(
		() => (printed.endsWith("\n") ? Number(printed) : undefined),
		"python to listen",
	);
	return { port, close: () => ended(child) };
}

const PATH_OF: Readonly<Record<"node" | "url", (target: string) => string>> = {
	node: (target) => decodeURIComponent(target.split("?")[0] ?? ""),
	url: (target) => decodeURIComponent(new URL(target, "http://backend.test").pathname),
};

/** @param habit of getting from a request's target to a path */
export async function startNode(root: string, habit: keyof typeof PATH_OF): Promise<FileServer> {
	const server: Server = createServer((request, response) => {
		// Node gives bytes as latin1.
		const target = Buffer.from(request.url ?? "", "latin1").toString("utf8");
		try {
			response.end(readFileSync(posix.join(root, posix.normalize(PATH_OF[habit](target)))));
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
