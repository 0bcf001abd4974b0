/**
 * One request and its response as policies see them. It is a `PolicyExchange` over what `server.ts` copied from
 * uWebSockets.js while the request's handler ran. Every value is computed when it is first read, so a rule on
 * `req.method` costs one property read. Made by `server.ts`, driven by `pipeline.ts`.
 */
import type { GeoRecord, HeaderLines } from "../cel/attributes.ts";
import type { ClientConnection } from "../http/client-connection.ts";
import type { ClientResponse } from "../http/client-response.ts";
import { CHUNKED } from "../http/framing.ts";
import { parseUrl, RequestUrl } from "../http/target.ts";
import type { PolicyExchange } from "../policy/exchange.ts";
import { notedTicks, wallMsAt } from "../telemetry/request-clock.ts";
import type { ResponseHead } from "../upstream/response-head.ts";
import type { Carrier } from "./access/carrier.ts";
import type { ListenerContext } from "./listener-context.ts";
import { PolicyEffects } from "./policy-effects.ts";
import { CLIENT_GONE } from "./request/client-gone.ts";
import { FlatHeaders, NO_HEADERS } from "./request/header-lines.ts";
import { headBytes, type RequestHead, targetOf } from "./request/request-head.ts";
import type { RequestLines } from "./request/request-lines.ts";
import { SeenResponse } from "./response/seen-response.ts";
import { announcedLength } from "./response/write-response.ts";
import type { CountedRequest, Services } from "./services.ts";

export class Exchange extends PolicyEffects implements PolicyExchange, CountedRequest {
	readonly response: ClientResponse;
	readonly listenerContext: ListenerContext;
	readonly client: ClientConnection;
	readonly head: RequestHead;
	readonly receivedTicks = notedTicks();
	passedTicks = 0;
	/** answered, reset or left by the client; set by `Services.end` */
	over = false;
	/** bytes of the bodies so far */
	bodyBytesIn = 0;
	bytesOut = 0;
	responseStatusCode = 0;
	/** before any url-rewrite */
	#url: RequestUrl | undefined;
	/** what outbound rules read of the response */
	#seen: SeenResponse | undefined;
	#clientIp: string | undefined;
	#requestId: string | undefined;

	constructor(
		response: ClientResponse,
		listenerContext: ListenerContext,
		head: RequestHead,
		services: Services,
		client: ClientConnection,
	) {
		super(services);
		this.response = response;
		this.listenerContext = listenerContext;
		this.head = head;
		this.client = client;
	}

	get requestReceivedMs(): number {
		return wallMsAt(this.receivedTicks);
	}
	get method(): string {
		return this.head.method;
	}
	/** in the normal form that the edge was chosen by, so that no other spelling slips past a policy */
	get host(): string {
		return this.newHost?.host ?? this.head.authority.host;
	}
	get httpVersion(): string {
		return this.client.isHttp10 ? "HTTP/1.0" : "HTTP/1.1";
	}
	get url(): RequestUrl {
		return this.rewritten ?? this.receivedUrl();
	}
	get requestHeaders(): HeaderLines {
		return this.changedRequest ?? this.head.lines;
	}
	protected get receivedHeaders(): RequestLines {
		return this.head.lines;
	}
	protected get receivedBytes(): number {
		return headBytes(this.head);
	}
	get requestContentLength(): number {
		return this.head.bodyLength === CHUNKED ? -1 : this.head.bodyLength;
	}
	/** The peer's address, or the one that PROXY protocol tells. To be read before the response ends. Throws `CLIENT_GONE`. */
	get peer(): string {
		const { address } = this.client;
		if (address === "") throw CLIENT_GONE;
		return address;
	}
	/** the client's address for logs; empty if it is not known */
	get loggedIp(): string {
		return this.client.address === "" ? "" : this.clientIp;
	}
	/** by which the log, backends and clients name this request */
	get requestId(): string {
		this.#requestId ??= this.services.carrier.idOf(this);
		return this.#requestId;
	}
	/** undefined: nothing of weir's names it to backends */
	get carrier(): Carrier | undefined {
		return this.services.carrier.acts ? this.services.carrier : undefined;
	}
	get peerTrusted(): boolean {
		return this.services.trustedProxies.trusts(this.peer);
	}
	get clientIp(): string {
		this.#clientIp ??= this.peerTrusted
			? this.services.trustedProxies.clientBehind(
					this.peer,
					this.head.lines.lines("x-forwarded-for"),
				)
			: this.peer;
		return this.#clientIp;
	}
	/** of this very client; 0 if a proxy in front names another address, for it says no port */
	get clientPort(): number {
		return this.clientIp === this.peer ? this.client.port : 0;
	}
	get serverIp(): string {
		return this.listenerContext.listener.host;
	}
	get serverPort(): number {
		return this.listenerContext.port;
	}
	/** bytes of this request so far, for the log: its header, as far as it is known, and its body */
	get bytesIn(): number {
		return headBytes(this.head) + this.bodyBytesIn;
	}
	/** when this request arrived where nobody tells when the connection began */
	get connectionStartMs(): number {
		return this.client.startMs || this.requestReceivedMs;
	}
	/** as the front counts them; without it those of this request */
	get connectionBytesIn(): number {
		const { bytesIn } = this.client;
		return bytesIn < 0 ? this.bytesIn : bytesIn;
	}
	get connectionBytesOut(): number {
		const { bytesOut } = this.client;
		return bytesOut < 0 ? this.bytesOut : bytesOut;
	}
	get tlsVersion(): string {
		return this.client.tls.version;
	}
	/** without a front: the name, if a certificate is for exactly this one */
	get tlsSni(): string {
		return this.client.isFront ? this.client.tls.serverName : this.listenerContext.sni;
	}
	get tlsJa4(): string {
		return this.client.tls.ja4;
	}
	get tlsCipherSuite(): string {
		return "";
	}
	/** The server library takes part in no ALPN. */
	get tlsNegotiatedAlpn(): string {
		return "";
	}
	get geo(): GeoRecord {
		const extras = this.makeExtras();
		extras.geo ??= this.services.geo.lookup(this.clientIp);
		return extras.geo;
	}

	get responseHeaders(): HeaderLines {
		return this.changedResponse(this.#seen?.headers ?? NO_HEADERS);
	}
	get responseContentLength(): number {
		return this.#seen?.contentLength ?? 0;
	}

	get endpointHost(): string {
		return this.head.authority.host;
	}
	get endpointProtocol(): string {
		return this.listenerContext.scheme;
	}
	get endpointPort(): number {
		return this.head.authority.port ?? this.listenerContext.port;
	}
	get nowMs(): number {
		const extras = this.makeExtras();
		if (extras.nowMs === 0) extras.nowMs = Date.now();
		return extras.nowMs;
	}

	/** From here on outbound rules read this response, and `time.now` has another value. */
	setResponse(statusCode: number, headers: readonly string[], contentLength: number): void {
		this.see(statusCode, new SeenResponse(contentLength, new FlatHeaders(headers)));
	}
	private see(statusCode: number, response: SeenResponse): void {
		if (this.extras !== undefined) this.extras.nowMs = 0;
		this.forgetResponseChanges();
		this.responseStatusCode = statusCode;
		this.#seen = response;
	}
	/** Before an answer's first byte: who has it has been counted. Of one that no rule has seen, expressions know the status. */
	answered(statusCode: number): void {
		const { answerTasks } = this;
		if (answerTasks === undefined || statusCode === 0) return;
		this.answerTasks = undefined;
		if (statusCode !== this.responseStatusCode) this.setResponse(statusCode, [], 0);
		answerTasks.run(this, this.services.evaluator, this.services.log);
	}
	/** As `setResponse`, with an upstream's head, which must be read while it is valid. */
	setUpstreamResponse(statusCode: number, head: ResponseHead, contentLength: number): void {
		const length = announcedLength(this.method, statusCode, contentLength);
		this.see(statusCode, new SeenResponse(length, NO_HEADERS, head));
		this.notes?.responded(statusCode, head.lines(), contentLength, this.nowMs);
		// The head is not valid any more when they are run.
		if (this.answerTasks !== undefined || this.services.accessLog.readsResponse)
			void this.responseHeaders;
	}
	/** origin-form, as bytes in a latin1 string: as it came, unless rewritten or with dot segments */
	get target(): string {
		return this.rewritten?.target ?? targetOf(this.head);
	}
	/** the authority that a url-rewrite has put in; undefined if there is none */
	get rewrittenAuthority(): string | undefined {
		if (this.rewritten === undefined) return undefined;
		// Compared as text, because another scheme alone means another default port.
		const { authority } = this.rewritten;
		return authority === this.receivedUrl().authority ? undefined : authority;
	}
	private receivedUrl(): RequestUrl {
		const { authority, path, rawPath, rawQuery } = this.head;
		this.#url ??= new RequestUrl(this.listenerContext.scheme, authority, path, rawPath, rawQuery);
		return this.#url;
	}

	rewriteUrl(full: string): boolean {
		const url = parseUrl(full);
		if (url === undefined) return false;
		if (!this.acts()) return true;
		if (url.authority !== this.url.authority) this.forgetNewHost();
		this.rewritten = url;
		return true;
	}
}
