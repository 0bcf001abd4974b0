/**
 * Which requests are to be explained (contract 2, "Explain"): those that bring a token which lives, and are from whom it is
 * bound to. While none lives, nothing is looked at. Made by `edge-parts.ts`, asked by `pipeline.ts`, told the end of such
 * requests by `services.ts`.
 */
import { hash } from "node:crypto";
import { addressRangeOf } from "../../http/address-range.ts";
import { AddressSet } from "../../http/address-set.ts";
import { EXPLAIN_FIELD } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Carrier } from "../access/carrier.ts";
import { type BeginningRequest, type EndedRequest, RequestNotes } from "./request-notes.ts";
import type { LiveToken, SeenRequest } from "./seen-request.ts";

type Answerable = Parameters<Carrier["answerWithId"]>[0];

interface Watched extends BeginningRequest, Answerable {
	notes: RequestNotes | undefined;
	limitTap: RequestNotes["limits"] | undefined;
}

interface Known extends LiveToken {
	readonly clients: AddressSet | undefined;
}

interface Surroundings {
	readonly carrier: Pick<Carrier, "answerWithId" | "sendsId">;
	/** of the store */
	readonly revision: () => number;
	readonly tell: (seen: SeenRequest) => void;
	/** milliseconds since 1970 */
	readonly now?: () => number;
}

/** No token is longer. */
const TOKEN_CHARACTERS = 128;
const SECOND_MS = 1000;

const hashOf = (text: string): string => hash("sha256", text);

export class ExplainTokens {
	readonly #surroundings: Surroundings;
	readonly #now: () => number;
	#tokens: ReadonlyMap<string, Known> = new Map();
	/** the second that is counted in, and requests that were taken down in it */
	#second = 0;
	#taken = 0;

	constructor(surroundings: Surroundings) {
		this.#surroundings = surroundings;
		this.#now = surroundings.now ?? Date.now;
	}

	/** In place of those before. */
	set(tokens: readonly LiveToken[]): void {
		this.#tokens = new Map(
			tokens.map((token) => [token.hash, { ...token, clients: clientsOf(token) }]),
		);
		this.anyLives = tokens.length > 0;
	}

	/** Hot. */
	anyLives = false;

	/** Before any rule has run. A request without a valid token goes its way as any other. */
	begin(request: Watched): void {
		const [given, ...more] = request.head.lines.lines(EXPLAIN_FIELD);
		if (given === undefined || more.length > 0 || given.length > TOKEN_CHARACTERS) return;
		const token = this.#tokens.get(hashOf(given));
		if (token === undefined || !this.#isFor(token, request) || !this.#hasRoom()) return;
		const { carrier, revision } = this.#surroundings;
		// Who is to ask for the explanation has to know by which id.
		if (!carrier.sendsId) carrier.answerWithId(request);
		request.notes = new RequestNotes(request, token.hash, revision());
		request.limitTap = request.notes.limits;
	}

	#isFor({ untilMs, clients, header }: Known, request: Watched): boolean {
		if (untilMs <= this.#now()) return false;
		if (clients !== undefined && !clients.has(request.clientIp)) return false;
		if (header === undefined) return true;
		const [value, ...more] = request.head.lines.lines(header.name);
		return value !== undefined && more.length === 0 && hashOf(value) === header.hash;
	}

	#hasRoom(): boolean {
		const second = Math.floor(this.#now() / SECOND_MS);
		if (second !== this.#second) [this.#second, this.#taken] = [second, 0];
		this.#taken++;
		return this.#taken <= LIMITS.explainedPerSecond;
	}

	ended(notes: RequestNotes, request: EndedRequest, status: number, aborted: boolean): void {
		this.#surroundings.tell(notes.ended(request, status, aborted));
	}
}

/** undefined: any */
function clientsOf({ clientIp }: LiveToken): AddressSet | undefined {
	if (clientIp === undefined) return undefined;
	const range = addressRangeOf(clientIp);
	return AddressSet.of(range.ok ? [range.value] : []);
}
