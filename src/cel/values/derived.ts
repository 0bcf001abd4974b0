/**
 * Values of variables that take parsing: maps of headers, cookies, query parameters. They are kept with the
 * exchange, so that all expressions of a policy share them. The rows of `variables/` name these functions; lowered
 * code calls them with the attributes.
 */
import type { Attributes } from "../attributes.ts";
import { requestCookies as parsedCookies, responseCookies as parsedSetCookies } from "./cookies.ts";
import { Derived, OfHeaders } from "./kept.ts";
import { mediaTypeParameters } from "./media-type-parameters.ts";
import { queryParameters } from "./query-parameters.ts";
import { headerMap } from "./request-maps.ts";
import type { ValueMap } from "./value.ts";

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

export function requestCookies(attributes: Attributes): ValueMap {
	const headers = ofRequest(attributes);
	headers.cookies ??= parsedCookies(headers.lines);
	return headers.cookies;
}

export function responseCookies(attributes: Attributes): ValueMap {
	const headers = ofResponse(attributes);
	headers.cookies ??= parsedSetCookies(headers.lines);
	return headers.cookies;
}

export function queryParams(attributes: Attributes): ValueMap {
	const derived = derivedOf(attributes);
	const { query } = attributes.url;
	if (derived.queryParams === undefined || derived.query !== query) {
		derived.query = query;
		derived.queryParams = queryParameters(query);
	}
	return derived.queryParams;
}

export const requestHeaderMap = (attributes: Attributes): ValueMap => mapOf(ofRequest(attributes));
export const responseHeaderMap = (attributes: Attributes): ValueMap =>
	mapOf(ofResponse(attributes));

export const requestMediaParameters = (attributes: Attributes): ValueMap =>
	mediaParametersOf(ofRequest(attributes));
export const responseMediaParameters = (attributes: Attributes): ValueMap =>
	mediaParametersOf(ofResponse(attributes));
