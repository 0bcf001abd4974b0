/** A server of two workers with one route to one backend: what tests of policies need. */
import { type Server, startServer, startUpstream, type TestUpstream } from "./harness.ts";

export interface Routed {
	readonly server: Server;
	readonly upstream: TestUpstream;
	close(): Promise<void>;
}

/** Any request may be served by either worker; clients' addresses are those that `x-forwarded-for` says. */
export async function startRouted(): Promise<Routed> {
	const upstream = await startUpstream();
	const server = await startServer({ workers: 2, config: { trusted_proxies: ["127.0.0.1"] } });
	await server.route(upstream.port);
	const close = async () => {
		await server.cleanUp();
		await upstream.close();
	};
	return { server, upstream, close };
}
