/** What the fleet's log needs to know of the configuration to reach its engine. Used by `open-fleet.ts` and `commands/`. */
import type { Config } from "../../config.ts";
import type { EngineSettings } from "../../fleet/log/nats/settings.ts";

/** Of a machine that is in a fleet. */
export interface MemberConfig extends Pick<Config, "dataDir" | "limits"> {
	readonly fleet: NonNullable<Config["fleet"]>;
}

/** JSON stands within JSON, which doubles it at worst; headers come on top (docs/fleet.md, "The engine"). */
const PAYLOAD_MORE = 65_536;

export const engineSettings = ({ fleet, limits }: MemberConfig): EngineSettings => ({
	fleet: fleet.name,
	servers: fleet.servers,
	credentials: fleet.credentials,
	tls: fleet.tls,
	domain: fleet.domain,
	name: fleet.member.name,
	minPayloadBytes: 2 * limits.policyBytes + PAYLOAD_MORE,
});
