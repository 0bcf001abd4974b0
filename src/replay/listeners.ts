/** Where replayed requests came in: the first listener of their scheme, which lines do not name. Used by `simulation.ts`. */
import type { Config } from "../config.ts";
import type { ListenerContext } from "../edge/listener-context.ts";
import { defaultPort } from "../http/target.ts";

export function contextsOf({
	listen,
}: Pick<Config, "listen">): Readonly<Record<"http" | "https", ListenerContext>> {
	const of = (scheme: "http" | "https"): ListenerContext => {
		const isSecure = scheme === "https";
		const alike = listen.find(({ tls }) => tls.length > 0 === isSecure);
		const listener = alike ?? {
			...{ host: "0.0.0.0", port: defaultPort(scheme), tls: [], proxyProtocol: false },
		};
		return { listener, scheme, port: listener.port, sni: "" };
	};
	return { http: of("http"), https: of("https") };
}
