/** Machines that call themselves alike, so that nobody can tell them apart. Used by `presence.ts` and by who joins. */
import { LIMITS } from "../limits/limits.ts";
import type { MemberStatus, SeenStatus } from "./log/log.ts";

/** @returns a sentence with the remedy; undefined: the name is this machine's alone */
export function twinSentence(
	own: Pick<MemberStatus, "id" | "name">,
	members: readonly SeenStatus[],
): string | undefined {
	const twin = members.find(
		({ status, ageMs }) =>
			status.name === own.name && status.id !== own.id && ageMs <= LIMITS.fleetAliveMs,
	);
	return (
		twin &&
		`another machine of the fleet is called "${own.name}" too (${twin.status.id}): write a name of its own under fleet.member.name of one of them; if it is this machine's former self, try again in ${LIMITS.fleetAliveMs / 1000} s, or run weir fleet forget ${twin.status.id} elsewhere`
	);
}
