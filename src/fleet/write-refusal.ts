/** Why a machine writes nothing now, in a sentence: its role, or how it stands to its fleet (docs/fleet.md, "Cut off"). */
import { FleetError } from "./fleet-error.ts";
import type { MemberStatus } from "./log/log.ts";
import type { Standing } from "./standing.ts";

/** @param revision that its workers run; undefined: none yet @returns undefined: it may write */
export function writeRefusal(
	role: MemberStatus["role"],
	{ state, why = "", since }: Pick<Standing, "state" | "why" | "since">,
	revision: number | undefined,
): FleetError | undefined {
	if (role === "edge")
		return new FleetError(
			"ERR_FLEET_READ_ONLY",
			'This machine is in the fleet with the role "edge": it follows the fleet and does not write. Send the request to a machine with the role "manager".',
		);
	if (state === "in_sync" || state === "catching_up") return undefined;
	const serves =
		revision === undefined ? "it has no state yet" : `it goes on serving revision ${revision}`;
	return new FleetError("ERR_FLEET_UNAVAILABLE", SENTENCES[state](since, sentence(why), serves));
}

type Refusing = Exclude<MemberStatus["state"], "in_sync" | "catching_up">;

const SENTENCES: Readonly<
	Record<Refusing, (since: string, why: string, serves: string) => string>
> = {
	starting: (_, why, serves) =>
		`This machine has not reached the fleet's log since it started; ${serves}. Nothing was changed.${why}`,
	cut_off: (since, why, serves) =>
		`This machine is cut off from the fleet since ${since}; ${serves}. Nothing was changed.${why}`,
	stuck: (since, why) =>
		`This machine has not followed the fleet since ${since}. Nothing was changed.${why}`,
	diverged: (since, why) =>
		`This machine has not followed the fleet since ${since}. Nothing was changed.${why}`,
};

/** Behind another one. */
function sentence(why: string): string {
	if (why === "") return "";
	return why.endsWith(".") ? ` ${why}` : ` ${why}.`;
}
