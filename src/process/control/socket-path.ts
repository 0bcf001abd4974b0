/**
 * The control socket's address. The kernel takes 107 bytes (103 on macOS), a data folder may have a longer
 * path: on Linux it is then reached through a descriptor of the folder. Called by `server.ts` and `client.ts`, and with other names by `handover/`.
 */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { CONTROL_SOCKET } from "./protocol.ts";

/** bytes of an address that every system takes; a longer one is cut in silence by some versions of Node */
const ADDRESS_BYTES = 100;

export interface SocketPath {
	readonly path: string;
	/** Once nobody uses the path any more. */
	release(): void;
}

/** @throws Error no such folder, or its path is too long and there is no way round it */
export function socketPath(
	folder: string,
	platform: NodeJS.Platform = process.platform,
	name = CONTROL_SOCKET,
): SocketPath {
	const path = join(folder, name);
	if (Buffer.byteLength(path) <= ADDRESS_BYTES) return { path, release: () => {} };
	if (platform !== "linux") throw new Error(`the path ${path} is too long for a socket`);
	const descriptor = openSync(folder, "r");
	return {
		path: `/proc/self/fd/${descriptor}/${name}`,
		release: () => closeSync(descriptor),
	};
}

/** Of one that runs and can't be taken over from. */
export const withoutSocket = (folder: string, owner: number): string =>
	`process ${owner} runs on ${folder}, but nobody answers at its control socket there (${CONTROL_SOCKET}), which was removed or could not be made (its log may say why); try again, or stop process ${owner}, then start the new one`;
