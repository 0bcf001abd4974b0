/** Query parameters by name, percent and `+` decoded (contract 4). Called by `variables.ts`. */
import type { CelMap } from "@bufbuild/cel";
import { lazyListMap } from "./header-map.ts";

export const queryParameters = (query: string): CelMap => lazyListMap(() => parseQuery(query));

/** Names and values in order; a parameter without `=` has the empty value. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
	const parameters = new Map<string, string[]>();
	// decodes as browsers encode forms: `+` is a space, a lone `%` stays as it is; it drops one leading `?`
	for (const [name, value] of new URLSearchParams(`?${query}`)) {
		const values = parameters.get(name);
		if (values === undefined) parameters.set(name, [value]);
		else values.push(value);
	}
	return parameters;
}
