/**
 * Addresses of which only one listener can have the connections. Workers share their ports with each other, so the
 * kernel would share an address between two listeners as well, in silence. Called by `config-mistakes.ts` with the
 * addresses as the config has them, by supervisor/serve.ts and `start-obstacles.ts` once names of hosts are known.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { addressText, parseAddress } from "../../http/ip-address.ts";
import { type Address, formatAddress } from "./address.ts";
import type { SettingProblem } from "./config-problem.ts";

interface Addresses {
	readonly listen: readonly Address[];
	readonly management: Address;
}

interface Place {
	readonly pointer: string;
	readonly text: string;
	/** in the one spelling of an address; a name as it is */
	readonly host: string;
	readonly port: number;
}

/** Every interface; and every one that has an IPv4 address. */
const EVERY = "::";
const EVERY_IPV4 = "0.0.0.0";

/**
 * Listeners on one port may be one for every interface and others for single ones, which then have their own
 * connections. The management API takes its port for itself.
 * @param resolved where the names of hosts lead; without it a name is only the same as itself
 */
export function sharedAddresses(config: Addresses, resolved: Addresses = config): SettingProblem[] {
	const places = config.listen.map((address, index) =>
		placeOf(`/listen/${index}/address`, address, resolved.listen[index]),
	);
	const own = placeOf("/management/address", config.management, resolved.management);
	const problems: SettingProblem[] = [];
	for (const [index, { pointer, text, host, port }] of places.entries()) {
		const before = places.slice(0, index).find((other) => isSame(other, { host, port }));
		if (before === undefined) continue;
		const same = before.text === text ? "" : `; ${before.text} is the same address`;
		problems.push({ pointer, message: `${text} is to be listened on twice${same}` });
	}
	const taken = places.find(
		(one) =>
			isSame(one, own) || (one.port === own.port && (isEvery(one, own) || isEvery(own, one))),
	);
	if (taken !== undefined)
		problems.push({
			pointer: own.pointer,
			message: `${own.text} is listened on twice: by the management API, and by the data path${taken.text === own.text ? "" : `, as ${taken.text}`}; give them ports of their own`,
		});
	return problems;
}

/** What `sharedAddresses` could not tell, as it asks no resolver. A name that leads nowhere shares nothing. */
export async function sharedNames(config: Addresses): Promise<SettingProblem[]> {
	const hosts = [...config.listen, config.management].map(({ host }) => host);
	if (hosts.every((host) => isIP(host) !== 0)) return [];
	const listen = await Promise.all(config.listen.map(resolvedAddress));
	return sharedAddresses(config, { listen, management: await resolvedAddress(config.management) });
}

/**
 * Before the addresses are claimed: the kernel would take both, as workers share ports.
 * @throws Error with a sentence for people
 */
export async function assertDistinct(config: Addresses): Promise<void> {
	const [shared] = await sharedNames(config);
	if (shared !== undefined) throw new Error(shared.message);
}

async function resolvedAddress({ host, port }: Address): Promise<Address> {
	// What could not be read as an address is nowhere.
	if (host === "") return { host, port };
	try {
		return { host: (await lookup(host)).address, port };
	} catch {
		return { host, port };
	}
}

function placeOf(pointer: string, written: Address, { host, port }: Address = written): Place {
	const address = parseAddress(host);
	const spelled = address === undefined ? host : addressText(address);
	return { pointer, text: formatAddress(written), host: spelled, port };
}

type HostAndPort = Pick<Place, "host" | "port">;

/** Each port 0 becomes another one. */
const isSame = (one: HostAndPort, other: HostAndPort): boolean =>
	one.port !== 0 && one.port === other.port && one.host === other.host;

const isEvery = (one: HostAndPort, other: HostAndPort): boolean =>
	one.port !== 0 && (one.host === EVERY || (one.host === EVERY_IPV4 && !other.host.includes(":")));
