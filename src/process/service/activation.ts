/**
 * Sockets that the service manager listens on and passes to weir at its start (socket activation, `sd_listen_fds(3)`):
 * `LISTEN_FDS` of them, from descriptor 3 on, for the process `LISTEN_PID`. Each must be that of a listener or of the
 * management API; weir binds the other addresses itself. Called by `supervisor/serve.ts`.
 */
import type { Config } from "../../config.ts";
import { addon } from "../../native-addon.ts";
import { formatAddress } from "../config/address.ts";
import type { GivenSocket, GivenSockets } from "../supervisor/given-sockets.ts";
import { isAddressOf } from "../supervisor/given-sockets.ts";

const FIRST_DESCRIPTOR = 3;
/** far more than listeners */
const MOST = 1000;

type Environment = Readonly<Record<string, string | undefined>>;

/** @returns nothing if no socket is passed to this process @throws Error one that is of no use, in a sentence for people */
export async function passedSockets(
	environment: Environment,
	config: Pick<Config, "listen" | "management">,
	first = FIRST_DESCRIPTOR,
): Promise<GivenSockets | undefined> {
	const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = "" } = environment;
	const count = Number(LISTEN_FDS ?? "0");
	if (LISTEN_PID !== String(process.pid) || !Number.isInteger(count) || count < 1) return undefined;
	const names = LISTEN_FDNAMES.split(":");
	const descriptors = Array.from({ length: Math.min(count, MOST) }, (_, at) => first + at);
	const sockets = descriptors.map((descriptor, at) => socketOf(descriptor, names[at]));
	let management: number | undefined;
	const groups: GivenSocket[] = [];
	for (const { name, ...socket } of sockets) {
		if (await isAddressOf(socket, config.management)) management = socket.descriptors[0];
		else if (await isListener(socket, config.listen)) groups.push(socket);
		else throw new Error(mismatch(name, socket, config));
	}
	return { groups, management, listen: [] };
}

function socketOf(descriptor: number, name: string | undefined): GivenSocket & { name: string } {
	const shown = name === undefined || name === "" ? `descriptor ${descriptor}` : name;
	const [address, port, state] = addon.streamSocketAddress(descriptor).split(" ");
	if (address === undefined || address === "" || state !== "listening")
		throw new Error(
			`the service manager passes ${shown}, which is no TCP socket that listens; in the .socket unit write ListenStream=ADDRESS:PORT, with Accept=no`,
		);
	const own = { address, port: Number(port), descriptors: [descriptor] };
	return { ...own, order: [0], led: "", canLead: false, isFixed: true, name: shown };
}

async function isListener(socket: GivenSocket, listen: Config["listen"]): Promise<boolean> {
	const fits = await Promise.all(listen.map((listener) => isAddressOf(socket, listener)));
	return fits.includes(true);
}

function mismatch(
	name: string,
	{ address, port }: GivenSocket,
	{ listen, management }: Pick<Config, "listen" | "management">,
): string {
	const passed = formatAddress({ host: address, port });
	const own = listen.map(formatAddress).join(", ");
	return `the service manager passes a socket at ${passed} (${name}), but listen has ${own} and management has ${formatAddress(management)}; write the same address into the .socket unit (ListenStream=) and into weir's configuration`;
}
