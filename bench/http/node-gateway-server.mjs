/**
 * The gateway that one would build on Node today: fastify with @fastify/http-proxy (undici) and
 * @fastify/rate-limit, no log, kept-alive connections to the backend, a cluster where more than one worker
 * is asked for. Run by node-gateway.mjs with its settings as JSON.
 */
import cluster from "node:cluster";
import { readFileSync } from "node:fs";
import httpProxy from "@fastify/http-proxy";
import rateLimit from "@fastify/rate-limit";
import fastify from "fastify";
import { CONNECTIONS, ECHO_PATH } from "./scenarios.mjs";

/**
 * @type {{
 *   port: number, tlsPort: number, backend: string, workers: number,
 *   certificate?: { cert: string, key: string }
 * }}
 */
const settings = JSON.parse(process.argv[2] ?? "{}");

/**
 * What weir does for every proxied request: the client's host stays, and who it was is added.
 * @param {Pick<import("fastify").FastifyRequest, "headers" | "ip" | "protocol">} request @param {import("node:http").IncomingHttpHeaders} headers
 */
const rewriteRequestHeaders = (request, headers) => ({
	...headers,
	host: request.headers.host,
	"x-forwarded-for": request.ip,
	"x-forwarded-proto": request.protocol,
	"x-forwarded-host": request.headers.host,
	via: "1.1 node",
});

/** @type {import("fastify").preHandlerHookHandler} */
const refuse = (request, reply, done) => {
	const { method, headers } = request;
	if (
		method === "DELETE" ||
		headers["user-agent"]?.includes("badbot") === true ||
		headers["x-block"] === "1"
	) {
		reply.code(403).send();
		return;
	}
	done();
};

/** @param {number} port @param {{ cert: Buffer, key: Buffer } | undefined} https */
const listen = async (port, https) => {
	const server = fastify({ logger: false, keepAliveTimeout: 3_600_000, ...(https && { https }) });
	await server.register(rateLimit, { global: false });
	/** @param {string} path @param {object} more */
	const forward = (path, more = {}) =>
		server.register(httpProxy, {
			upstream: settings.backend,
			prefix: path,
			rewritePrefix: path,
			routes: ["/"],
			disableRequestLogging: true,
			undici: { connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: 3_600_000 },
			replyOptions: { rewriteRequestHeaders },
			...more,
		});
	await forward("/limited", { config: { rateLimit: { max: 1, timeWindow: "1 minute" } } });
	await forward("/rules", { preHandler: refuse });
	for (const path of ["/plain", "/large", "/post", ECHO_PATH]) await forward(path);
	server.get("/denied", (_, reply) => reply.code(403).send());
	await server.listen({ host: "127.0.0.1", port });
};

if (cluster.isPrimary && settings.workers > 1) {
	for (let worker = 0; worker < settings.workers; worker += 1) cluster.fork();
	process.once("SIGTERM", () => process.exit(0));
} else {
	await listen(settings.port, undefined);
	const { certificate, tlsPort } = settings;
	if (certificate !== undefined) {
		await listen(tlsPort, {
			cert: readFileSync(certificate.cert),
			key: readFileSync(certificate.key),
		});
	}
}
