/**
 * A request's upgrade (contract 6, "Upgrades"): what its backend is asked for, whether its 101 agrees, what the client
 * is told of it, and the tunnel that follows. Made by `pipeline.ts`, used by `proxying/proxied-request.ts`.
 */
import { series } from "../../telemetry/metrics.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";
import type { UpgradedBackend } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import { type LocalReply, TOO_MANY_TUNNELS, UPSTREAM_FAILED } from "../response/local-replies.ts";
import { beginning } from "../response/status-line.ts";
import { type PassedHeaders, passedHeaders } from "../response/write-response.ts";
import type { Route } from "../routing/route.ts";
import type { Services } from "../services.ts";
import { agreementOf } from "./agreement.ts";
import type { Wish } from "./handshake.ts";
import type { Tunnels } from "./tunnels.ts";

const BAD_ANSWER = series("weir_upstream_errors_total", { reason: "upgrade" });

export class Upgrade {
	readonly #wish: Wish;
	readonly #route: Route;
	readonly #tunnels: Tunnels;
	#agreed: { readonly protocols: readonly string[]; readonly backend: UpgradedBackend } | undefined;

	constructor(wish: Wish, route: Route, tunnels: Tunnels) {
		this.#wish = wish;
		this.#route = route;
		this.#tunnels = tunnels;
	}

	/** The field `upgrade` as the backend gets it. */
	get asked(): string {
		return this.#wish.protocols.join(", ");
	}

	/** The backend has agreed, and nothing has been said against it. */
	get isAgreed(): boolean {
		return this.#agreed !== undefined;
	}

	/** @returns lines that the client gets, unless outbound rules change them; undefined: it is no good 101 */
	agree(
		head: ResponseHead,
		backend: UpgradedBackend,
		exchange: Exchange,
		services: Services,
	): PassedHeaders | undefined {
		const agreement = agreementOf(this.#wish, head.lines());
		if ("mistake" in agreement) {
			const { urls } = this.#route.backend.document;
			services.metrics.add(BAD_ANSWER);
			services.upstreamLog.requestFailed(exchange, urls, "upgrade", agreement.mistake, 502);
			return undefined;
		}
		const { protocols } = agreement;
		this.#agreed = { protocols, backend };
		return passedHeaders(head, `connection: upgrade\r\nupgrade: ${protocols.join(", ")}`);
	}

	/** @param lines that the client gets @returns what it gets instead; undefined: the tunnel is open */
	open(exchange: Exchange, { passed }: PassedHeaders): LocalReply | undefined {
		if (this.#agreed === undefined) return UPSTREAM_FAILED;
		// Others may have opened since the request came.
		if (this.#tunnels.refuses(this.#route)) return TOO_MANY_TUNNELS;
		const { protocols, backend } = this.#agreed;
		const head = beginning(101, passed);
		const isOpen = this.#tunnels.begin(exchange, this.#route, head, protocols, backend);
		return isOpen ? undefined : UPSTREAM_FAILED;
	}
}
