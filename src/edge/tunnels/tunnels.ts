/**
 * The tunnels of one worker: opens them, bounds them by route, counts them and says in the log how each ended. A tunnel
 * goes on whatever becomes of its route, its edge and its policy (contract 6, "Upgrades"). Made by `edge.ts`.
 */
import type { ClientResponse } from "../../http/client-response.ts";
import type { Tunnel, TunnelEnd, TunnelEnding, TunnelStart } from "../../http/tunnel.ts";
import { WEBSOCKET } from "../../http/upgrade.ts";
import { type Counter, type CounterSeries, type Metrics, series } from "../../telemetry/metrics.ts";
import type { UpgradedBackend } from "../../upstream/upstream.ts";
import type { Route } from "../routing/route.ts";
import type { CountedRequest } from "../services.ts";
import { OpenTunnel, type TunneledRequest } from "./open-tunnel.ts";
import { StreamPort } from "./stream-port.ts";

const ended = (by: TunnelEnding): CounterSeries => series("weir_tunnels_ended_total", { by });
const ENDED: Readonly<Record<TunnelEnding, CounterSeries>> = {
	client: ended("client"),
	backend: ended("backend"),
	idle: ended("idle"),
	drain: ended("drain"),
	error: ended("error"),
};
/** milliseconds between two counts of bytes */
const COUNT_MS = 5000;

interface TunnelsOptions {
	readonly metrics: Metrics;
	/** whether a request has a line in the log */
	readonly logs: (request: UpgradedRequest) => boolean;
	readonly log: { info(fields: object, message: string): void };
	/** `timeouts.tunnel_idle_ms` */
	readonly idleMs: number;
}

/** A request whose backend has agreed. */
export interface UpgradedRequest
	extends TunneledRequest,
		Pick<CountedRequest, "logs" | "reports" | "trace"> {
	readonly response: Pick<ClientResponse, "openTunnel" | "openPortTunnel">;
}

type RouteOf = Pick<Route, "edgeId" | "routeId"> & {
	readonly backend: { readonly document: Route["backend"]["document"] };
};

const keyOf = ({ edgeId, routeId }: { readonly edgeId: string; readonly routeId: string }) =>
	`${edgeId}/${routeId}`;

export class Tunnels {
	readonly #options: TunnelsOptions;
	readonly #open = new Set<OpenTunnel>();
	/** how many, by edge and route */
	readonly #perRoute = new Map<string, number>();
	readonly #bytesIn: Counter;
	readonly #bytesOut: Counter;
	#timer: NodeJS.Timeout | undefined;
	#onNone: (() => void)[] = [];

	constructor(options: TunnelsOptions) {
		const { metrics } = options;
		this.#options = options;
		this.#bytesIn = metrics.counter(series("weir_tunnel_bytes_total", { direction: "in" }));
		this.#bytesOut = metrics.counter(series("weir_tunnel_bytes_total", { direction: "out" }));
		metrics.gauge("weir_tunnels_open", () => this.#open.size);
	}

	get open(): number {
		return this.#open.size;
	}

	/** Whether the route has as many as it may. If so, the request is counted as refused. */
	refuses(route: RouteOf): boolean {
		const most = route.backend.document.max_tunnels;
		if (most === undefined || (this.#perRoute.get(keyOf(route)) ?? 0) < most) return false;
		this.#options.metrics.add("weir_tunnels_refused_total");
		return true;
	}

	/**
	 * @param head of the 101: `TunnelStart.head`
	 * @param protocols that the backend has agreed to
	 * @returns false: the client has gone, or the backend's connection has
	 */
	begin(
		request: UpgradedRequest,
		route: RouteOf,
		head: string,
		protocols: readonly string[],
		backend: UpgradedBackend,
	): boolean {
		const { logs, idleMs } = this.#options;
		const entry = new OpenTunnel(request, protocols.join(", "), logs(request), Date.now());
		const tunnel = opened(request.response, backend, {
			head,
			idleMs: route.backend.document.tunnel_idle_timeout_ms ?? idleMs,
			isWebSocket: protocols.includes(WEBSOCKET),
			onEnd: this.#onEndOf(entry),
		});
		if (tunnel === undefined) return false;
		entry.tunnel = tunnel;
		this.#add(entry);
		return true;
	}

	/** Says goodbye on all of them; those that don't end by themselves are ended by `close`. */
	drain(): void {
		for (const { tunnel } of [...this.#open]) tunnel?.drain();
	}

	close(): void {
		for (const { tunnel } of [...this.#open]) tunnel?.close();
	}

	/** Resolves when none is open. */
	none(): Promise<void> {
		if (this.#open.size === 0) return Promise.resolve();
		return new Promise((resolve) => this.#onNone.push(resolve));
	}

	/** Bytes of those that are open; called every five seconds while there are any. */
	count(): void {
		for (const entry of this.#open) {
			if (entry.tunnel !== undefined) this.#countBytes(entry, entry.tunnel);
		}
	}

	/** A function of its own, which keeps nothing else of the request. */
	#onEndOf(entry: OpenTunnel): (end: TunnelEnd) => void {
		return (end) => this.#ended(entry, end);
	}

	#add(entry: OpenTunnel): void {
		this.#open.add(entry);
		const key = keyOf(entry);
		this.#perRoute.set(key, (this.#perRoute.get(key) ?? 0) + 1);
		this.#options.metrics.add("weir_tunnels_opened_total");
		this.#timer ??= setInterval(() => this.count(), COUNT_MS).unref();
	}

	#ended(entry: OpenTunnel, end: TunnelEnd): void {
		if (!this.#open.delete(entry)) return;
		const key = keyOf(entry);
		const left = (this.#perRoute.get(key) ?? 1) - 1;
		if (left > 0) this.#perRoute.set(key, left);
		else this.#perRoute.delete(key);
		this.#countBytes(entry, end);
		const { metrics, log } = this.#options;
		metrics.add(ENDED[end.by]);
		if (entry.isLogged) log.info(entry.line(end, Date.now()), "tunnel ended");
		if (this.#open.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
		for (const resolve of this.#onNone.splice(0)) resolve();
	}

	#countBytes(entry: OpenTunnel, now: Pick<TunnelEnd, "bytesIn" | "bytesOut">): void {
		const { bytesIn, bytesOut } = now;
		this.#bytesIn.value += Math.max(bytesIn - entry.bytesIn, 0);
		this.#bytesOut.value += Math.max(bytesOut - entry.bytesOut, 0);
		entry.bytesIn = bytesIn;
		entry.bytesOut = bytesOut;
	}
}

/** Through the addon alone, or through JS where JS has the backend's connection. */
function opened(
	response: UpgradedRequest["response"],
	backend: UpgradedBackend,
	start: TunnelStart,
): Tunnel | undefined {
	const { call, stream } = backend;
	if (call !== undefined) return response.openTunnel?.(start, call);
	if (stream === undefined || stream.destroyed) return undefined;
	const port = new StreamPort(stream);
	const tunnel = response.openPortTunnel?.(start, port);
	if (tunnel !== undefined) port.begin(tunnel);
	return tunnel;
}
