/**
 * What variables hold that is not an attribute itself but made of some: maps of headers, cookies, query
 * parameters, times. Called by lowered expressions (`lower/reads.ts` names these functions), with the
 * attributes. What takes parsing is kept with the exchange, so that all expressions of a policy share it.
 */
import type { Attributes } from "../attributes.ts";
import { requestCookies as parsedCookies, responseCookies as parsedSetCookies } from "./cookies.ts";
import { Derived, OfHeaders } from "./kept.ts";
import { mediaType, rawLine } from "./media-type.ts";
import { mediaTypeParameters } from "./media-type-parameters.ts";
import { queryParameters } from "./query-parameters.ts";
import { headerMap, listHeader, NO_HEADERS } from "./request-maps.ts";
import { timestampFromMs } from "./timestamp.ts";
import type { Timestamp, Value, ValueMap } from "./value.ts";

function derivedOf(attributes: Attributes): Derived {
	attributes.derived ??= new Derived();
	return attributes.derived;
}

function ofRequest(attributes: Attributes): OfHeaders {
	const derived = derivedOf(attributes);
	const { requestHeaders } = attributes;
	if (derived.request?.lines !== requestHeaders) derived.request = new OfHeaders(requestHeaders);
	return derived.request;
}

/** An exchange may have several responses, one after the other: the upstream's, then an answer of the edge. */
function ofResponse(attributes: Attributes): OfHeaders {
	const derived = derivedOf(attributes);
	const { responseHeaders } = attributes;
	if (derived.response?.lines !== responseHeaders)
		derived.response = new OfHeaders(responseHeaders);
	return derived.response;
}

function mapOf(headers: OfHeaders): ValueMap {
	headers.map ??= headerMap(headers.lines);
	return headers.map;
}

function mediaParametersOf(headers: OfHeaders): ValueMap {
	headers.mediaParameters ??= mediaTypeParameters(headers.lines);
	return headers.mediaParameters;
}

function requestCookies(attributes: Attributes): ValueMap {
	const headers = ofRequest(attributes);
	headers.cookies ??= parsedCookies(headers.lines);
	return headers.cookies;
}

function responseCookies(attributes: Attributes): ValueMap {
	const headers = ofResponse(attributes);
	headers.cookies ??= parsedSetCookies(headers.lines);
	return headers.cookies;
}

function queryParams(attributes: Attributes): ValueMap {
	const derived = derivedOf(attributes);
	const { query } = attributes.url;
	if (derived.queryParams === undefined || derived.query !== query) {
		derived.query = query;
		derived.queryParams = queryParameters(query);
	}
	return derived.queryParams;
}

/** `scheme://host[:port]`, the port where it is not the scheme's default. */
function endpointUrl({ endpointProtocol, endpointHost, endpointPort }: Attributes): string {
	const isDefault = endpointPort === (endpointProtocol === "https" ? 443 : 80);
	const port = isDefault ? "" : `:${endpointPort}`;
	return `${endpointProtocol}://${endpointHost}${port}`;
}

type Derive = (attributes: Attributes) => Value;

export const DERIVED = {
	connectionStart: (a): Timestamp => timestampFromMs(a.connectionStartMs),
	endpointUrl,
	noHeaders: () => NO_HEADERS,
	now: (a): Timestamp => timestampFromMs(a.nowMs),
	queryParams,
	requestContentEncoding: (a) => listHeader(a.requestHeaders, "content-encoding"),
	requestContentType: (a) => rawLine(a.requestHeaders, "content-type"),
	requestCookies,
	requestHeaderMap: (a) => mapOf(ofRequest(a)),
	requestLocation: (a) => rawLine(a.requestHeaders, "location"),
	requestMediaParameters: (a) => mediaParametersOf(ofRequest(a)),
	requestMediaType: (a) => mediaType(a.requestHeaders),
	requestReceived: (a): Timestamp => timestampFromMs(a.requestReceivedMs),
	responseContentEncoding: (a) => listHeader(a.responseHeaders, "content-encoding"),
	responseContentType: (a) => rawLine(a.responseHeaders, "content-type"),
	responseCookies,
	responseHeaderMap: (a) => mapOf(ofResponse(a)),
	responseLocation: (a) => rawLine(a.responseHeaders, "location"),
	responseMediaParameters: (a) => mediaParametersOf(ofResponse(a)),
	responseMediaType: (a) => mediaType(a.responseHeaders),
	userAgent: (a) => rawLine(a.requestHeaders, "user-agent"),
} as const satisfies Readonly<Record<string, Derive>>;
