/** placeholder */
import type { Config } from "../../config.ts";
import type { Log } from "../../telemetry/log.ts";
import type { FleetControl } from "../control/server.ts";
import type { FleetKeeper } from "./fleet-keeper.ts";

export interface MemberConfig extends Pick<Config, "dataDir" | "limits"> {
	readonly fleet: NonNullable<Config["fleet"]>;
}
export declare function openMember(
	config: MemberConfig,
	log: Log,
): Promise<{ fleet: FleetKeeper; control: FleetControl }>;
