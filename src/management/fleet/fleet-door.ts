/**
 * What being in a fleet adds to every request of the API (contract 2, "Fleet"): it waits for the revision that the request
 * names, afterwards, if asked to, for all other machines, and says which revision this machine has. Used by `server.ts`.
 */
import { ApiError } from "../../errors.ts";
import type { Fleet, Spread } from "../../fleet/fleet.ts";
import { LogError } from "../../fleet/log/log.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Reply, ReplyHeaders } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Handler } from "../http/router.ts";
import { waitOf, wantedRevision } from "./wait-parameters.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export class FleetDoor {
	readonly #fleet: Fleet | undefined;

	/** @param fleet undefined: this machine is in none */
	constructor(fleet: Fleet | undefined) {
		this.#fleet = fleet;
	}

	/** Before the body. @throws ApiError 400 it asks for what can't be had */
	check(request: ApiRequest, handler: Pick<Handler, "isLocal">): void {
		const isInFleet = this.#fleet !== undefined;
		wantedRevision(request, isInFleet);
		if (!READS.has(request.method)) request.fleet.waitMs = waitOf(request, handler, isInFleet);
	}

	/** @param run does what the request asks for @throws ApiError, FleetError, what `run` throws */
	async pass(request: ApiRequest, run: () => Reply | Promise<Reply>): Promise<Reply> {
		const fleet = this.#fleet;
		if (fleet === undefined) return run();
		await reach(request, fleet);
		const { waitMs } = request.fleet;
		if (waitMs === undefined) return run();
		const stop = fleet.attend();
		try {
			const reply = await run();
			const revision = request.fleet.revision ?? fleet.status().position?.applied ?? 0;
			return await spreadReply(fleet, reply, revision, waitMs);
		} finally {
			stop();
		}
	}

	/** Of every answer to somebody who was let in, within a fleet: where this machine stands, and how it is if not well. */
	headers({ identity, fleet: notes }: ApiRequest): ReplyHeaders | undefined {
		if (this.#fleet === undefined || identity === undefined) return undefined;
		const { position, state } = this.#fleet.status();
		// Of a change the one that it became, though others may have been applied since: who looks for it in the log finds it.
		const revision = notes.revision ?? position?.applied ?? 0;
		return {
			"fleet-revision": String(revision),
			...(state === "in_sync" ? {} : { "fleet-state": state }),
		};
	}
}

async function reach(request: ApiRequest, fleet: Fleet): Promise<void> {
	const wanted = wantedRevision(request, true);
	if (wanted === undefined || (await fleet.reached(wanted, LIMITS.fleetRevisionWaitMs))) return;
	const { position, why } = fleet.status();
	throw new ApiError(
		"ERR_FLEET_UNAVAILABLE",
		`The request is for revision ${wanted} of the fleet or later; this machine has ${position?.applied ?? 0}${why === undefined ? "" : ` (${why})`}. Nothing was changed; send it again, or to another machine.`,
	);
}

/** 202 where not all have answered: what is committed stays committed, whatever becomes of the others' words. */
async function spreadReply(
	fleet: Fleet,
	reply: Reply,
	revision: number,
	waitMs: number,
): Promise<Reply> {
	try {
		const spread = await fleet.spread(revision, waitMs);
		const headers = spreadHeaders(spread);
		if (spread.missing.length > 0) return accepted(reply, headers);
		return { ...reply, headers: { ...reply.headers, ...headers } };
	} catch (error) {
		if (!(error instanceof LogError)) throw error;
		return accepted(reply, { "fleet-applied": "1/?" });
	}
}

const accepted = (reply: Reply, headers: ReplyHeaders): Reply => ({
	...reply,
	status: 202,
	headers: { ...reply.headers, ...headers },
});

export function spreadHeaders({ applied, of, missing }: Spread): Record<string, string> {
	const named = missing.slice(0, LIMITS.fleetMissingNamed).map(plain);
	const more = missing.length - named.length;
	return {
		"fleet-applied": `${applied}/${of}`,
		...(missing.length === 0
			? {}
			: { "fleet-missing": [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ") }),
	};
}

/** Names come from other machines: nothing in them may end a line or a list. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9_.:-]/g, "?").slice(0, 64);
