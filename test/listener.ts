/** A listener of a configuration, with the schema's defaults for whatever a test does not care about. */
import { camelCased, type Listener } from "../src/config.ts";
import { listenerSchema } from "../src/config-sections.ts";

/** On a free port of 127.0.0.1 and plain, unless told otherwise. */
export function listenerWith(wanted: Partial<Listener> = {}): Listener {
	const { address: _, tls: __, ...options } = listenerSchema.parse({ address: "127.0.0.1:0" });
	return { host: "127.0.0.1", port: 0, tls: [], ...camelCased(options), ...wanted };
}
