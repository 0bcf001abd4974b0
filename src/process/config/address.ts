/**
 * Addresses to listen on: their text form, and whether one can be had. The server library binds with
 * SO_REUSEPORT so that workers share a port; without the probe here a second weir would share it too
 * and steal half of the first one's connections in silence.
 */
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import type { Config, Listener } from "../../config.ts";

export interface Address {
	readonly host: string;
	/** 0…65535; 0 means any free one */
	readonly port: number;
}

const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]*)):(\d{1,5})$/;

/** `host:port`, `[v6]:port`, or `:port` and `*:port` for every IPv4 interface. */
export function parseAddress(text: string): Address | undefined {
	const match = ADDRESS.exec(text);
	if (match === null) return undefined;
	const port = Number(match[3]);
	if (port > 65_535) return undefined;
	const host = match[1] ?? match[2] ?? "";
	return { host: host === "" || host === "*" ? "0.0.0.0" : host, port };
}

export function formatAddress({ host, port }: Address): string {
	return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Nobody else on the way can read what passes. */
export const isLoopback = ({ host }: Address): boolean =>
	/^127\.[0-9.]+$|^::1$|^localhost$/i.test(host);

/** Binds and lets go again. @returns the port, or the system's error code, e.g. `EADDRINUSE`. */
function tryBind({ host, port }: Address): Promise<number | string> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		server.listen({ host, port, exclusive: true }, () => {
			const bound = server.address();
			const got = typeof bound === "object" && bound !== null ? bound.port : port;
			server.close(() => resolve(got));
		});
	});
}

const REASONS: ReadonlyMap<string, string> = new Map([
	[
		"EADDRINUSE",
		"another process listens there; stop it, or choose other addresses with --listen and --management",
	],
	["EADDRNOTAVAIL", "this machine has no such address; :PORT means every IPv4 address that it has"],
	[
		"EACCES",
		"this user may not bind the port; ports below 1024 take root or the capability CAP_NET_BIND_SERVICE",
	],
	["ENOTFOUND", "the name leads to no address"],
	["EAI_AGAIN", "the name can't be resolved now"],
]);

export const cannotListen = (address: Address, code: string): string => {
	const reason = REASONS.get(code);
	return `cannot listen on ${formatAddress(address)}: ${reason === undefined ? code : `${reason} (${code})`}`;
};

/** Below, a port takes rights, unless the system was told otherwise. */
const FREE_PORTS_FROM = 1024;

/**
 * Whether this machine and this user could listen there, found out without a look at who listens: a datagram socket
 * is bound for a moment, which no client of the address sees. A port that takes no rights is not even bound.
 * @returns the sentence that `claimAddress` would throw, as far as it has nothing to do with other processes
 */
export async function unusable(address: Address): Promise<string | undefined> {
	// What could not be read is nowhere.
	if (address.host === "") return undefined;
	try {
		const { address: host, family } = await lookup(address.host);
		const port = address.port < FREE_PORTS_FROM ? address.port : 0;
		await bindForAMoment(host, port, family === 6 ? "udp6" : "udp4");
		return undefined;
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		return code === "EADDRINUSE" ? undefined : cannotListen(address, code ?? message);
	}
}

function bindForAMoment(address: string, port: number, type: "udp4" | "udp6"): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = createSocket(type);
		socket.once("error", (error) => {
			socket.close();
			reject(error);
		});
		socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve()));
	});
}

/**
 * Finds out that an address can be bound, and which port 0 becomes. An address in use is tried again for
 * `patienceMs`: workers of a supervisor that was killed need a moment to let go of theirs.
 * @throws Error with a sentence for people
 */
export async function claimAddress(address: Address, patienceMs = 3000): Promise<Address> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const got = await tryBind(address);
		if (typeof got === "number") return { host: address.host, port: got };
		if (got !== "EADDRINUSE" || Date.now() >= deadline) throw new Error(cannotListen(address, got));
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** milliseconds that replaced workers have to let go of an address which they were told to leave */
const LEFT_MS = 1000;

/** Addresses that are listened on already stay; a port 0 means the port that it became at the start. */
export async function claimNew({ listen }: Config, current: Config): Promise<readonly Listener[]> {
	const held = new Set(current.listen.map(formatAddress));
	const claimed: Listener[] = [];
	for (const [index, listener] of listen.entries()) {
		const before = current.listen[index];
		const port = listener.port === 0 && before !== undefined ? before.port : listener.port;
		const wanted = { ...listener, port };
		const isHeld = held.has(formatAddress(wanted));
		claimed.push(isHeld ? wanted : { ...wanted, ...(await claimBeside(wanted, current)) });
	}
	return claimed;
}

/** @throws Error with a sentence for people, which names weir itself where weir is in the way */
function claimBeside(wanted: Address, { listen }: Config): Promise<Address> {
	const own = listen.find(({ port }) => port === wanted.port);
	if (own === undefined) return claimAddress(wanted, LEFT_MS);
	return claimAddress(wanted, 0).catch((error: Error) => {
		const [place, mine] = [formatAddress(wanted), formatAddress(own)];
		throw new Error(
			`cannot listen on ${place}: weir itself listens on ${mine}, and another address of the same port takes a restart (${error.message})`,
		);
	});
}
