// docs/configuration.md, from the schema of src/config.ts and src/config-sections.ts: fields, bounds and descriptions come from there.
import { z } from "zod";
import { code, table } from "./lib/markdown.mjs";

export const file = "configuration.md";

const EXAMPLE = `listen:                                       # or one address: listen: 127.0.0.1:8080
  - {address: 127.0.0.1:8080}
  - {address: 0.0.0.0:8443, tls: {cert: site.crt, key: site.key}, proxy_protocol: false}
tls: {min_version: TLSv1.2}
management: {address: 127.0.0.1:4040}
data_dir: ./weir-data
counters: {file: null, keys_max: 65536}
workers: 2
trusted_proxies: [10.0.0.0/8]
underscores_in_headers: drop
front: on
standing_refusals: true
allow_trace: false
expression_errors: reject
rate_limits: {ipv6_prefix: 64}
expressions: {deadline_ms: 100, threads: 2}
geo: {database: null}
timeouts: {request_header_ms: 10000, idle_ms: 60000, upstream_connect_ms: 5000, upstream_response_ms: 60000, drain_ms: 30000}
limits: {request_header_bytes: 65536, policy_bytes: 1048576, rules: 500, body_memory_bytes: 67108864}
slow_clients: {grace_ms: 60000, min_upload_bytes_per_second: 500, min_download_bytes_per_second: 500, per_address: 256}
log: {destination: stdout, audit: null, access: false, level: info}
metrics: {routes: 100}
decisions: {keep: 10000}
versions: {keep: 50}
request_id: {header: x-request-id, send: false}
tracing: {endpoint: null}
fleet: null`;

/**
 * What JSON Schema says of one field, as far as this schema uses it.
 * @typedef {object} Node
 * @property {string | string[]} type
 * @property {string} description
 * @property {unknown} [default]
 * @property {string[]} [enum]
 * @property {Node[]} [anyOf]
 * @property {Node} [items]
 * @property {Record<string, Node>} [properties]
 * @property {string[]} [required]
 * @property {number} [minimum]
 * @property {number} [maximum]
 */
/** @typedef {{ setting: string, flag: string, variable: string }} Override */

/** A field's name ends with its unit. @param {string} name */
const unitOf = (name) => {
	if (name.endsWith("_ms")) return " ms";
	if (name.endsWith("_bytes_per_second")) return " bytes/s";
	return name.endsWith("_bytes") ? " bytes" : "";
};

const grouped = new Intl.NumberFormat("en");

/** @param {string} name @param {Node} node */
const number = (name, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }) => {
	const unit = unitOf(name);
	const least = grouped.format(minimum);
	if (maximum === Number.MAX_SAFE_INTEGER) return `integer, at least ${least}${unit}`;
	return `integer, ${least} to ${grouped.format(maximum)}${unit}`;
};

/** @param {string} name @param {Node} node @returns {string} */
const kindOf = (name, node) => {
	if (node.enum !== undefined) return node.enum.map(code).join(", ");
	if (node.anyOf !== undefined) return node.anyOf.map((each) => kindOf(name, each)).join(" or ");
	switch (node.type) {
		case "integer":
			return number(name, node);
		case "number":
			return `number, ${node.minimum} to ${node.maximum}`;
		case "array":
			return `list of ${node.items?.type}s`;
		default:
			return [node.type].flat().join(" or ");
	}
};

/**
 * Schemas of the objects that a field holds: itself, alternatives, elements of a list.
 * @param {Node} node @returns {Node[]}
 */
const objectsIn = (node) => {
	if (node.properties !== undefined) return [node];
	const inside = node.items === undefined ? [] : [node.items];
	return [...(node.anyOf ?? []), ...inside].flatMap(objectsIn);
};

/** @param {Node} node @param {boolean} required */
const defaultOf = (node, required) => {
	if (required) return "required";
	if (node.default === undefined) return "none";
	const text = typeof node.default === "string" ? node.default : JSON.stringify(node.default);
	// A list of cipher suites is too long for one line of a cell.
	return text.length < 80 ? code(text) : text.split(":").map(code).join(":<br>");
};

const HEADER = ["setting", "value", "default", "changes with", "meaning"];

/** Rows of one table. */
class Rows {
	/** @param {readonly string[]} kept settings that change with a restart only */
	constructor(kept) {
		this.kept = kept;
	}

	/** @param {string} path @param {string} name @param {Node} node @param {boolean} [required] */
	of(path, name, node, required = false) {
		if (node.description === undefined) throw new Error(`${path} has no description`);
		const isKept = this.kept.some((each) => path === each || path.startsWith(`${each}.`));
		const within = this.kept.filter((each) => each.startsWith(`${path}.`));
		const partly =
			within.length === 0 ? "reload" : `reload; ${within.map(code).join(", ")}: restart`;
		const changes = isKept ? "restart" : partly;
		const value = kindOf(name, node);
		return [code(path), value, defaultOf(node, required), changes, node.description];
	}

	/** Of the fields below one. @param {string} path @param {Node} node @returns {string[][]} */
	below(path, node) {
		const [object] = objectsIn(node);
		return Object.entries(object?.properties ?? {}).flatMap(([name, field]) => {
			const below = `${path}.${name}`;
			const required = object?.required?.includes(name) === true;
			return [this.of(below, name, field, required), ...this.below(below, field)];
		});
	}
}

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	const { configSchema, OVERRIDES, KEPT_SETTINGS } = await load("config");
	const schema = z.toJSONSchema(configSchema, { io: "input" });
	/** @type {readonly Override[]} */
	const overrides = OVERRIDES;
	/** @type {readonly string[]} */
	const kept = KEPT_SETTINGS.map((/** @type {[string, unknown]} */ [setting]) => setting);
	const rows = new Rows(kept);
	const fields = /** @type {[string, Node][]} */ (Object.entries(schema.properties ?? {}));
	const single = fields.filter(([, node]) => objectsIn(node).length === 0);
	const sections = fields
		.filter(([, node]) => objectsIn(node).length > 0)
		.map(([name, node]) => {
			// A list of objects is a setting itself; a section is not.
			const own = node.properties === undefined ? [rows.of(name, name, node)] : [];
			const about = own.length > 0 || !node.description ? "" : `${node.description}\n\n`;
			return `### ${name}\n\n${about}${table(HEADER, [...own, ...rows.below(name, node)])}`;
		});
	return `# Configuration

<!-- Generated by \`npm run docs\` from src/config.ts, src/config-sections.ts, src/config-fleet.ts and scripts/docs/configuration.mjs. -->

Process settings stand in one file, YAML or JSON: \`weir serve --config weir.yaml\`. Edges, routes and policies are not
here; they live in the store and are managed through the [management API](management-api.md). Every setting has a
default, so weir runs without a file.

- **Precedence:** flags, then environment variables, then the file, then defaults.
- **Mistakes stop the start** (exit status 2): an unknown field, a wrong type, a value out of bounds, a certificate that
  does not fit its key. They are listed together, fields and their types first, and once these hold, what values
  name (addresses, networks, files); each with file, line and column; an unknown name with the
  nearest valid one. \`weir check weir.yaml\` lists them without a start.
- **Paths** in the file are relative to the file's folder, paths in flags and environment variables to the working
  directory.
- **Addresses** are \`host:port\` or \`[v6]:port\`; \`:port\` and \`*:port\` mean every IPv4 interface.

## Example

Every setting at its default, but for a second listener, \`workers\` and \`trusted_proxies\`:

\`\`\`yaml
${EXAMPLE}
\`\`\`

## Recipes

TLS for two names, chosen by SNI; others get the first certificate:

\`\`\`yaml
listen:
  - {address: "*:80"}
  - address: "*:443"
    tls:
      - {cert: example.com.pem, key: example.com.key}
      - {cert: example.org.pem, key: example.org.key}
\`\`\`

Behind a load balancer that speaks TCP (AWS NLB, HAProxy in TCP mode) and puts a PROXY protocol header in front:

\`\`\`yaml
listen: [{address: "*:8443", tls: {cert: site.pem, key: site.key}, proxy_protocol: true}]
\`\`\`

Behind an HTTP proxy that appends to \`x-forwarded-for\`; without this, \`conn.client_ip\` is the proxy's address, and
rate-limits by client count all clients as one:

\`\`\`yaml
trusted_proxies: [10.0.0.0/8, 2001:db8::/32]
\`\`\`

Rate-limits by client address for a million clients, counted in memory that no slow disk holds up:

\`\`\`yaml
counters: {file: /dev/shm/weir-counters, keys_max: 1250000}
\`\`\`

The management API for other machines: with TLS, and by the names that clients use:

\`\`\`yaml
management:
  address: "0.0.0.0:4040"
  tls: {cert: weir.example.com.pem, key: weir.example.com.key}
  hosts: [weir.internal]
\`\`\`

A machine of a fleet, with a certificate of its own that the engine's servers ask for ([fleet.md](fleet.md)):

\`\`\`yaml
fleet:
  name: prod
  servers: ["tls://nats-1:4222", "tls://nats-2:4222", "tls://nats-3:4222"]
  tls: {ca: ca.crt, cert: ams-1.crt, key: ams-1.key}
  member: {name: ams-1, labels: {region: ams}}
\`\`\`

## Flags and environment variables

${table(
	["setting", "flag of `weir serve`", "environment variable"],
	overrides.map(({ setting, flag, variable }) => [
		code(setting),
		code(`--${flag}`),
		code(variable),
	]),
)}

\`--listen\` may be repeated, \`WEIR_LISTEN\` is a list with commas; both replace all listeners of the file by plain
ones. \`WEIR_API_KEY\` is an API key that is accepted beside those in the store (\`weir keys\`); it is printable ASCII
without spaces. Any other variable whose name begins with \`WEIR_\` is warned of and ignored.

## Reload or restart

\`SIGHUP\` reads the file, the certificates and the geo database again. The workers that run take over what they can;
for other changes new workers start, and the old ones finish what they have. A file with mistakes is refused as a whole, with an error in the log, and nothing changes. Settings
marked *restart* keep their value then, with a warning in the log: ${kept.map(code).join(", ")}.
See [operations](operations.md#signals).

## Settings

${table(
	HEADER,
	single.map(([name, node]) => rows.of(name, name, node)),
)}

${sections.join("\n\n")}
`;
}
