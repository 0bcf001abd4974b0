/** Variables of the edge and route that a request has come to, and of the time. Joined by `table.ts`. */
import type { Attributes } from "../attributes.ts";
import { timestampFromMs } from "../values/timestamp.ts";
import { attribute, derived, integer, PORT_MAX, type VariableDefinition } from "./definition.ts";
import { hostText, idText, nameText, originText } from "./sizes.ts";

/** `scheme://host[:port]`, the port where it is not the scheme's default. */
export function endpointUrl({ endpointProtocol, endpointHost, endpointPort }: Attributes): string {
	const isDefault = endpointPort === (endpointProtocol === "https" ? 443 : 80);
	const port = isDefault ? "" : `:${endpointPort}`;
	return `${endpointProtocol}://${endpointHost}${port}`;
}

export const SURROUNDINGS = [
	{
		name: "edge.id",
		type: "string",
		doc: "The id of the edge.",
		example: "'shop'",
		read: attribute("edgeId"),
		size: idText,
	},
	{
		name: "route.id",
		type: "string",
		doc: "The id of the route.",
		example: "'orders'",
		read: attribute("routeId"),
		size: idText,
	},
	{
		name: "endpoint.id",
		type: "string",
		doc: "The id of the edge.",
		example: "'shop'",
		read: attribute("edgeId"),
		size: idText,
	},
	{
		name: "endpoint.host",
		type: "string",
		doc: "The host that the request asked for.",
		example: "'shop.example.com'",
		read: attribute("endpointHost"),
		size: hostText,
	},
	{
		name: "endpoint.port",
		type: "int",
		doc: "The port in the `host` header, else that of the listener.",
		example: "443",
		read: integer("endpointPort", 0, PORT_MAX),
	},
	{
		name: "endpoint.protocol",
		type: "string",
		doc: "`http` or `https`, as the listener speaks.",
		example: "'https'",
		read: attribute("endpointProtocol"),
		size: nameText,
	},
	{
		name: "endpoint.url",
		type: "string",
		doc: "Protocol, host and port: `https://host[:port]`, the port where it is not the protocol's own.",
		example: "'https://shop.example.com'",
		read: derived(endpointUrl, "endpointHost", "endpointPort", "endpointProtocol"),
		size: originText,
	},
	{
		name: "time.now",
		type: "timestamp",
		doc: "The time, one and the same within a phase of a request.",
		example: "timestamp('2026-05-04T10:20:31Z')",
		read: derived((a) => timestampFromMs(a.nowMs), "nowMs"),
	},
] as const satisfies readonly VariableDefinition[];
