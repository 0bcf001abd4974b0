/** Other people's servers beside weir: nginx, HAProxy and the like, on free ports, ended when the test is. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { refuses, until } from "./harness.ts";

/** Debian puts servers where only root looks. */
export const ENVIRONMENT = {
	...process.env,
	PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin`,
};

/** @param without what is left out if it is not, a sentence's end */
export function isInstalled(program: string, versionFlag: string, without: string): boolean {
	try {
		execFileSync(program, [versionFlag], { env: ENVIRONMENT, stdio: "ignore" });
		return true;
	} catch {
		console.warn(`${program} is not installed: ${without}`);
		return false;
	}
}

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** @param child with a pipe for its stderr @throws Error with what it said, if it ended instead */
export async function listens(
	name: string,
	child: ChildProcess,
	ports: readonly number[],
): Promise<void> {
	let said = "";
	child.stderr?.on("data", (chunk) => {
		said += chunk;
	});
	for (const port of ports) {
		await until(async () => {
			if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
			return (await refuses(port)) ? undefined : true;
		}, `${name} to listen`);
	}
}

export async function ended(
	child: ChildProcess,
	signal: NodeJS.Signals = "SIGTERM",
): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = new Promise((resolve) => child.once("exit", resolve));
	child.kill(signal);
	await exit;
}
