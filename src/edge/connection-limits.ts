/**
 * The operator's bounds on connections of clients, in all and of one address (config, `limits.connections` and
 * `limits.connections_per_address`; contract 6). The addon keeps them, over all workers, by a file that they share
 * (native/README.md, "The front"); here it is told of them, and what it refused is counted and logged.
 * The bound by descriptors is `http/connection-bound.ts`. Made by `edge-parts.ts` where a bound is set and there is a front.
 */
import { STATUS_CODES } from "node:http";
import { join } from "node:path";
import { getSystemErrorName } from "node:util";
import type { Config } from "../config.ts";
import { addressIn } from "../http/peer-address.ts";
import { LIMITS } from "../limits/limits.ts";
import { addon } from "../native-addon.ts";
import type { Log } from "../telemetry/log.ts";
import { LogPaces } from "../telemetry/log-pace.ts";
import { type Counter, type Metrics, series } from "../telemetry/metrics.ts";
import type { TrustedProxies } from "./request/client-address.ts";
import { TOO_MANY_CONNECTIONS } from "./response/local-replies.ts";

/** in `data_dir` */
export const CONNECTIONS_FILE = "connections";

const REASONS = ["total", "address"] as const;
type Reason = (typeof REASONS)[number];

interface BoundListener {
	readonly name: string;
	readonly counters: Readonly<Record<Reason, Counter>>;
	readonly counted: Record<Reason, number>;
}

/** A whole response, as it goes out. */
function refusalText(): string {
	const { statusCode, headers, content } = TOO_MANY_CONNECTIONS;
	const lines = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`];
	for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
	lines.push(`content-length: ${content.length}`, "connection: close");
	return `${lines.join("\r\n")}\r\n\r\n${content}`;
}

type Options = Pick<Config, "limits" | "dataDir">;

export const hasConnectionLimits = ({ limits }: Pick<Config, "limits">): boolean =>
	limits.connections > 0 || limits.connectionsPerAddress > 0;

export class ConnectionLimits {
	readonly #most: Readonly<Record<Reason, number>>;
	readonly #metrics: Metrics;
	readonly #log: Pick<Log, "warn">;
	readonly #listeners: BoundListener[] = [];
	readonly #paces = new LogPaces(LIMITS.refusalLogMs);

	/** To be made before any listener listens. @param proxies whose addresses have any number of connections */
	constructor({ limits, dataDir }: Options, proxies: TrustedProxies, metrics: Metrics, log: Log) {
		this.#most = { total: limits.connections, address: limits.connectionsPerAddress };
		this.#metrics = metrics;
		this.#log = log;
		const file = join(dataDir, CONNECTIONS_FILE);
		const bounds = {
			total: limits.connections,
			perAddress: limits.connectionsPerAddress,
			refusals: LIMITS.refusedConnectionsTold,
			refusal: refusalText(),
		};
		const error = addon.boundClients(file, bounds, proxies.bytes());
		if (error !== 0) {
			const reason = getSystemErrorName(-error);
			log.error(
				{ file, reason },
				"workers can't share the file in which connections are counted: this worker bounds its own alone; see that weir may write it, or remove it, then reload",
			);
		}
		setInterval(() => this.count(), LIMITS.refusedConnectionsCountMs).unref();
	}

	/** A listener has got the front; to be called once for each, in their order. @param name address and port */
	listening(name: string): void {
		const counter = (reason: Reason): Counter =>
			this.#metrics.counter(
				series("weir_connections_over_limit_total", { reason, listener: name }),
			);
		const counters = { total: counter("total"), address: counter("address") };
		this.#listeners.push({ name, counters, counted: { total: 0, address: 0 } });
	}

	/** What was refused since the last time. */
	count(): void {
		for (const [number, listener] of this.#listeners.entries()) {
			const refused = addon.refusedClients(number);
			for (const reason of REASONS) {
				const refusals = refused[reason] - listener.counted[reason];
				if (refusals === 0) continue;
				listener.counted[reason] += refusals;
				listener.counters[reason].value += refusals;
				this.#say(listener, reason, addressIn(refused.last, refused.last.length));
			}
		}
	}

	#say({ name, counted }: BoundListener, reason: Reason, last: string): void {
		if (this.#paces.happened(name + reason, performance.now()) === undefined) return;
		const common = { listener: name, refused_so_far: counted[reason], most: this.#most[reason] };
		if (reason === "total") {
			this.#log.warn(
				common,
				"connections refused: clients of all listeners together have as many open as limits.connections allows",
			);
		} else {
			this.#log.warn(
				{ ...common, last },
				"connections refused: an address has as many open as limits.connections_per_address allows",
			);
		}
	}
}
