/**
 * Listening sockets that this process did not bind: those of a weir that it takes over from, or those that the service
 * manager passes. Which of the configured addresses they are, and how they are claimed beside the others. Made by
 * `service/activation.ts` and `handover/taker.ts`, used by `serve.ts` and `listening-sockets.ts`.
 */
import { lookup } from "node:dns/promises";
import { closeSync } from "node:fs";
import type { Config } from "../../config.ts";
import { addressText, parseAddress } from "../../http/ip-address.ts";
import { type Address, claimAddress } from "../config/address.ts";
import type { GivenTickets } from "./ticket-keeper.ts";

/** The sockets of one address. */
export interface GivenSocket {
	/** as numbers */
	readonly address: string;
	readonly port: number;
	readonly descriptors: readonly number[];
	/** places in `descriptors` of those that listen, in the kernel's order */
	readonly order: readonly number[];
	/** where connections are led, as `ListeningGroup` writes it */
	readonly led: string;
	readonly canLead: boolean;
	/** no other sockets can be bound beside them */
	readonly isFixed: boolean;
}

export interface GivenSockets {
	readonly groups: readonly GivenSocket[];
	/** the management API's */
	readonly management: number | undefined;
	/** as they stand in the configuration of who gives them, for ports that it chose itself */
	readonly listen: readonly Address[];
	readonly managementAddress?: Address | undefined;
}

/** What workers of one supervisor have in common, and those of another one go on with. */
export interface Heritage {
	readonly sockets: readonly GivenSocket[];
	/** nothing: new ones */
	readonly tickets?: GivenTickets | undefined;
}

const spelled = (host: string): string => {
	const address = parseAddress(host);
	return address === undefined ? host : addressText(address);
};

/** A name may lead to several addresses, each of which is good. */
export async function isAddressOf(
	{ address, port }: Pick<GivenSocket, "address" | "port">,
	wanted: Address,
): Promise<boolean> {
	if (wanted.port !== port) return false;
	if (spelled(wanted.host) === spelled(address)) return true;
	const found = await lookup(wanted.host, { all: true }).catch(() => []);
	return found.some((each) => spelled(each.address) === spelled(address));
}

/** Which of the groups is this address's. */
export async function givenFor(
	wanted: Address,
	groups: readonly GivenSocket[],
): Promise<GivenSocket | undefined> {
	for (const group of groups) if (await isAddressOf(group, wanted)) return group;
	return undefined;
}

/**
 * The addresses that no socket is given for are claimed as at any start. A port 0 is the port that it was for who gives
 * the sockets. @throws Error with a sentence for people
 */
export async function claimBeside(config: Config, given: GivenSockets): Promise<Claimed> {
	const listen = [];
	for (const [index, listener] of config.listen.entries()) {
		const wanted = withPort(listener, given.listen[index]);
		const isGiven = (await givenFor(wanted, given.groups)) !== undefined;
		listen.push(isGiven ? wanted : { ...wanted, ...(await claimAddress(wanted)) });
	}
	const wanted = withPort(config.management, given.managementAddress);
	const isGiven = given.management !== undefined && isSame(wanted, given);
	const management = isGiven ? wanted : { ...wanted, ...(await claimAddress(wanted)) };
	const inherited = isGiven ? given.management : undefined;
	if (!isGiven && given.management !== undefined) closeSync(given.management);
	return { config: { ...config, listen, management }, inherited };
}

export interface Claimed {
	readonly config: Config;
	/** the management API's socket */
	readonly inherited?: number | undefined;
	/** the management API's port was chosen by the system and is bound, so that nobody else can be given it */
	readonly isHeld?: boolean;
}

const withPort = <T extends Address>(wanted: T, before: Address | undefined): T =>
	wanted.port === 0 && before?.host === wanted.host ? { ...wanted, port: before.port } : wanted;

/** Without an address of its own it was matched when it was passed. */
const isSame = (wanted: Address, { managementAddress: own }: GivenSockets): boolean =>
	own === undefined || (own.host === wanted.host && own.port === wanted.port);
