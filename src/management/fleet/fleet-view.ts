/**
 * `GET /fleet` (contract 2, "Fleet"): every machine with its revision and how far it is behind, in pages by name; with
 * `?revision=N`, once that is everywhere or the time is up.
 */
import { ApiError } from "../../errors.ts";
import type { Fleet, OwnStatus, Spread } from "../../fleet/fleet.ts";
import { LogError, type MemberState, type SeenStatus } from "../../fleet/log/log.ts";
import { countsOf, MEMBER_STATES, stateOf } from "../../fleet/presence.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Context } from "../context.ts";
import { json, type Reply } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Methods } from "../http/router.ts";
import { numberIn, onlyValue } from "../resources/pages.ts";
import type { FleetEngine, FleetMember, FleetView } from "./fleet-answers.ts";
import { spreadHeaders } from "./fleet-door.ts";
import { durationIn, revisionIn } from "./wait-parameters.ts";

export const FLEET_PATH = "/fleet";

interface Asked {
	readonly limit: number;
	/** `NAME/ID` of the last one of the page before */
	readonly after: string | undefined;
	readonly state: MemberState | undefined;
	readonly revision: number | undefined;
	readonly waitMs: number;
}

export const fleetMethods = ({ fleet }: Pick<Context, "fleet">): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		async run(request) {
			const asked = askedOf(request);
			if (fleet !== undefined) return shown(fleet, asked);
			if (asked.revision === undefined) return json(200, { fleet: null } satisfies FleetView);
			throw new ApiError(
				"ERR_INVALID_QUERY",
				"This machine is in no fleet, so there is no revision to wait for.",
			);
		},
	},
});

/** @throws ApiError 400 */
function askedOf(request: ApiRequest): Asked {
	const query = new URLSearchParams(request.query);
	const revision = revisionIn(query, "revision");
	const waitMs = durationIn(query, "wait", LIMITS.fleetRevisionWaitMs);
	if (query.has("wait") && revision === undefined)
		throw new ApiError(
			"ERR_INVALID_QUERY",
			'The parameter wait belongs to revision: "?revision=N&wait=5s".',
		);
	const state = onlyValue(query, "state");
	const known = MEMBER_STATES.find((each) => each === state);
	if (state !== undefined && known === undefined)
		throw new ApiError(
			"ERR_INVALID_QUERY",
			`The parameter state must be one of ${MEMBER_STATES.join(", ")}.`,
		);
	const limit = numberIn(query, "limit", 1, LIMITS.pageSize, LIMITS.pageSize);
	return { limit, after: onlyValue(query, "after"), state: known, revision, waitMs };
}

async function shown(fleet: Fleet, asked: Asked): Promise<Reply> {
	const spread = asked.revision === undefined ? undefined : await spreadOf(fleet, asked);
	const { members, unseen } = await membersOf(fleet);
	const own = fleet.status();
	const found = members.filter(
		(each) => asked.state === undefined || stateOf(each) === asked.state,
	);
	const from =
		asked.after === undefined ? 0 : found.filter((each) => keyOf(each) <= `${asked.after}`).length;
	const page = found.slice(from, from + asked.limit);
	const last = page.at(-1);
	const hasMore = last !== undefined && from + page.length < found.length;
	const { position } = own;
	const view: FleetView = {
		fleet: position?.fleet ?? "",
		revision: position?.applied ?? 0,
		tail_revision: Math.max(own.tail, position?.applied ?? 0),
		digest: position?.digest ?? "",
		level: position?.level ?? 0,
		incarnation: position?.incarnation ?? "",
		member: own.member.id,
		state: own.state,
		since: own.since,
		message: messageOf(own, unseen),
		engine: engineOf(own),
		lost: { ...own.lost, files: [...own.lost.files] },
		counts: countsOf(members),
		members: page.map((each) => presented(each, own)),
		next_page_uri: hasMore ? nextUri(asked, keyOf(last)) : null,
		spread: spread === undefined ? null : { ...spread, missing: [...spread.missing] },
	};
	if (spread === undefined) return json(200, view);
	return json(spread.missing.length === 0 ? 200 : 202, view, spreadHeaders(spread));
}

async function spreadOf(
	fleet: Fleet,
	{ revision = 0, waitMs }: Asked,
): Promise<Spread & { readonly revision: number }> {
	const stop = fleet.attend();
	try {
		return { revision, ...(await fleet.spread(revision, waitMs)) };
	} finally {
		stop();
	}
}

/** A machine that sees no others shows itself. */
async function membersOf(
	fleet: Fleet,
): Promise<{ readonly members: readonly SeenStatus[]; readonly unseen?: string }> {
	try {
		const members = (await fleet.members()).toSorted(byKey);
		const { connection } = fleet.status();
		return connection.isUp ? { members } : { members, unseen: connection.why };
	} catch (error) {
		if (!(error instanceof LogError)) throw error;
		return { members: [alone(fleet.status())], unseen: error.message };
	}
}

/** What this machine knows of itself without the engine. */
const alone = ({ member, position, state, since, lost }: OwnStatus): SeenStatus => ({
	status: {
		...{ ...member, state, since, limits: "" },
		...{ revision: position?.applied ?? 0, digest: position?.digest ?? "" },
		lost: lost.records,
	},
	ageMs: 0,
});

/** @param unseen why others can't be seen; undefined: they can */
function messageOf({ why, connection, position }: OwnStatus, unseen?: string): string | null {
	if (unseen === undefined) return why ?? null;
	const serves = `it goes on serving revision ${position?.applied ?? 0}`;
	if (connection.isUp) return `This machine can't see other machines; ${serves}. ${why ?? unseen}`;
	return `This machine is cut off from the fleet since ${connection.since}: ${serves}, refuses changes, and can't see other machines. ${connection.why}`;
}

const engineOf = ({ connection }: OwnStatus): FleetEngine =>
	connection.isUp
		? {
				connected: true,
				server: connection.server,
				version: connection.version,
				since: connection.since,
				why: null,
			}
		: {
				connected: false,
				server: null,
				version: null,
				since: connection.since,
				why: connection.why,
			};

function presented(seen: SeenStatus, { tail }: OwnStatus): FleetMember {
	const { id, name, version, level, role, revision, digest, since, labels, lost = 0 } = seen.status;
	return {
		...{ id, name, version, level, role },
		state: stateOf(seen),
		...{ revision, digest },
		behind: Math.max(0, tail - revision),
		since,
		last_seen_ms: Math.round(seen.ageMs),
		labels: { ...labels },
		lost,
	};
}

const keyOf = ({ status }: SeenStatus): string => `${status.name}/${status.id}`;

const byKey = (left: SeenStatus, right: SeenStatus): number =>
	keyOf(left) < keyOf(right) ? -1 : 1;

function nextUri({ limit, state }: Asked, after: string): string {
	const query = new URLSearchParams({ limit: String(limit), after });
	if (state !== undefined) query.set("state", state);
	return `${FLEET_PATH}?${query}`;
}
