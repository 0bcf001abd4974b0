/**
 * What a reload can't change (contract 1, `SIGHUP`), and what it takes over of the management API's settings: all but
 * its address and whether it speaks TLS. Used by `serve.ts`.
 */
import {
	type Config,
	type FleetSettings,
	KEPT_SETTINGS,
	type ManagementAddress,
} from "../../config.ts";
import type { FrontSettings } from "../../http/front.ts";
import type { ManagementOptions } from "../../management/server.ts";

/** Names of settings that would have to change. Port 0 was replaced by a free one at the start; that is no change. */
export function keptSettings(wanted: Config, current: Config): readonly string[] {
	const { port } = wanted.management.port === 0 ? current.management : wanted.management;
	const resolved = { ...wanted, management: { ...wanted.management, port } };
	const kept = KEPT_SETTINGS.filter(
		([, of]) => JSON.stringify(of(resolved)) !== JSON.stringify(of(current)),
	).map(([setting]) => setting);
	const changesTls = isSecure(wanted.management) !== isSecure(current.management);
	return changesTls ? [...kept, "management.tls"] : kept;
}

export function nextManagement(
	wanted: ManagementAddress,
	current: ManagementAddress,
): ManagementAddress {
	const { tls } = isSecure(wanted) === isSecure(current) ? wanted : current;
	return { ...current, tls, hosts: wanted.hosts, ui: wanted.ui };
}

/** Another fleet takes a restart; how this one is reached does not. */
export const nextFleet = (
	wanted: FleetSettings | null,
	current: FleetSettings | null,
): FleetSettings | null => (wanted?.name === current?.name ? wanted : current);

const isSecure = ({ tls }: ManagementAddress): boolean => tls.length > 0;

const frontSettings = ({
	timeouts: { requestHeaderMs, idleMs },
	limits: { requestHeaderBytes },
}: Pick<Config, "timeouts" | "limits">): FrontSettings => ({
	requestHeaderMs,
	idleMs,
	requestHeaderBytes,
});

/** As `startManagement` and `Management.reload` take them. */
export const managementSettings = ({
	management: { tls, hosts },
	tls: settings,
	...config
}: Pick<Config, "management" | "tls" | "front" | "timeouts" | "limits">): Pick<
	ManagementOptions,
	"tls" | "hosts" | "frontSettings"
> => ({
	frontSettings: config.front === "on" ? frontSettings(config) : undefined,
	tls: tls[0] === undefined ? undefined : { files: tls[0], settings },
	hosts,
});
