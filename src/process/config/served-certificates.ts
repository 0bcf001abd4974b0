/**
 * All certificates that weir shows, to clients and to a fleet's engine, with who shows them: what is checked before a start, warned of, and
 * counted in `/metrics`. Another place that gets certificates belongs into this list and
 * is then checked, warned of and counted as well. Used by `config-mistakes.ts`, `certificate-dates.ts` and
 * `start-obstacles.ts`.
 */
import type { Config, TlsFiles } from "../../config.ts";
import { formatAddress } from "./address.ts";
import { engineCertificate } from "./fleet-settings.ts";

export interface ServedCertificate {
	/** where the config file names it */
	readonly pointer: string;
	/** the address that it is for; `fleet NAME` of what is shown to a fleet's engine */
	readonly listener: string;
	readonly files: TlsFiles;
}

export type CertifiedConfig = Pick<Config, "listen" | "management" | "fleet">;

export const servedCertificates = ({
	listen,
	management,
	fleet,
}: CertifiedConfig): ServedCertificate[] => [
	...listen.flatMap((listener, index) =>
		listener.tls.map((files, place) => ({
			pointer: `/listen/${index}/tls/${place}`,
			listener: formatAddress(listener),
			files,
		})),
	),
	...management.tls.map((files) => ({
		pointer: "/management/tls",
		listener: formatAddress(management),
		files,
	})),
	...[engineCertificate(fleet) ?? []].flat().map((files) => ({
		pointer: "/fleet/tls",
		listener: `fleet ${fleet?.name}`,
		files,
	})),
];
