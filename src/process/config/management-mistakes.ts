/**
 * What is wrong with the management API's names, and the warning of an API that others can reach without TLS. Used by
 * `config-mistakes.ts` and `load-config.ts`.
 */
import type { Config } from "../../config.ts";
import { hostportMistake, parseHostport } from "../../store/hostport.ts";
import { formatAddress, isLoopback } from "./address.ts";
import type { SettingProblem } from "./config-problem.ts";

/** Addresses need not be listed, and ports are not looked at (`management/http/known-hosts.ts`). */
export const hostMistakes = (names: readonly string[]): SettingProblem[] =>
	names.flatMap((name, index) => {
		const sentence = hostMistake(name);
		return sentence === undefined
			? []
			: [{ pointer: `/management/hosts/${index}`, message: `"${name}": ${sentence}` }];
	});

function hostMistake(name: string): string | undefined {
	const parsed = parseHostport(name);
	if (parsed === undefined) return hostportMistake(name);
	if (parsed.port !== undefined) return "write the name without a port; any port will do";
	return parsed.host === ""
		? "it would let every web page in; list the API's own names"
		: undefined;
}

/** Loud, because whoever has a key of the API decides on all traffic. */
export function exposedManagement({ management }: Pick<Config, "management">): SettingProblem[] {
	// What could not be read as an address is nowhere.
	const isNowhere = management.host === "";
	if (isNowhere || management.tls.length > 0 || isLoopback(management)) return [];
	return [
		{
			pointer: "/management/address",
			message: `WARNING: the management API listens on ${formatAddress(management)} without TLS: whoever reads along has its API keys; set management.tls, or listen on 127.0.0.1 and let a proxy with TLS lead there`,
		},
	];
}
