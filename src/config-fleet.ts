/**
 * The section `fleet` of the config file: which fleet this machine is a member of, and how it reaches the fleet's engine
 * (docs/fleet.md). As `config-sections.ts`; put together by `config.ts`.
 */
import { z } from "zod";

const NAME = /^[a-z0-9-]{1,32}$/;
const MEMBER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const LABEL = /^[A-Za-z0-9_.-]{1,32}$/;
const DURATION = /^[1-9]\d{0,8}(?:s|m|h|d)$/;

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** @param text that `DURATION` takes */
export const durationMs = (text: string): number =>
	Number(text.slice(0, -1)) * UNITS_MS[text.slice(-1) as keyof typeof UNITS_MS];

const tls = z.strictObject({
	ca: z
		.string()
		.nullable()
		.default(null)
		.describe("Who signed the servers' certificates, a PEM file. null: whom the system trusts."),
	cert: z
		.string()
		.nullable()
		.default(null)
		.describe(
			"This machine's certificate and its chain, a PEM file, where the servers ask for one.",
		),
	key: z
		.string()
		.nullable()
		.default(null)
		.describe("The certificate's private key, a PEM file without a passphrase."),
});

const member = z.strictObject({
	name: z
		.string()
		.regex(MEMBER_NAME, "1 to 64 of A-Z, a-z, 0-9, `_`, `-` and `.`")
		.nullable()
		.default(null)
		.describe("What people call this machine; each has a name of its own. null: its host name."),
	labels: z
		.record(z.string().regex(LABEL), z.string().max(64))
		.refine((labels) => Object.keys(labels).length <= 8, "8 labels at most")
		.default({})
		.describe("What else tells it from others, as `{region: ams}`; 8 at most."),
});

export const fleet = z.strictObject({
	name: z
		.string()
		.regex(NAME, "1 to 32 of a-z, 0-9 and `-`")
		.describe("The fleet's name: what `weir fleet init` was run with on its first machine."),
	servers: z
		.array(z.string())
		.min(1)
		.max(16)
		.describe(
			"The engine's servers, `tls://host:port`. `nats://host:port`, without TLS, is for servers on this machine, or with `insecure`.",
		),
	credentials: z
		.string()
		.nullable()
		.default(null)
		.describe(
			"This machine's credentials at the engine: a file with an nkey seed, or with a JWT and a seed.",
		),
	tls: tls.prefault({}).describe("Certificates for `tls://`."),
	role: z
		.enum(["manager", "edge"])
		.default("manager")
		.describe(
			"An `edge` follows, and refuses writes; what it may do at the engine need be no more.",
		),
	member: member.prefault({}).describe("How others see this machine."),
	when_cut_off: z
		.union([
			z.string().regex(/^serve$/, "write serve, or {refuse_after: 10m}"),
			z.strictObject({
				refuse_after: z
					.string()
					.regex(DURATION, "a time such as 90s, 10m or 2h")
					.describe(
						"How long requests are still served without the engine: `90s`, `10m`, `2h`. Then they are 503, and `/readyz` fails.",
					),
			}),
		])
		.default("serve")
		.describe(
			"While the engine can't be reached: `serve` with what this machine has, however long; or refuse requests after a time, where a revoked access matters more than an answer.",
		),
	domain: z
		.string()
		.regex(/^[A-Za-z0-9_-]{1,32}$/, "no name of a JetStream domain")
		.nullable()
		.default(null)
		.describe("The engine's JetStream domain, for machines behind a leaf node."),
	insecure: z
		.boolean()
		.default(false)
		.describe("Whether servers on other machines may be talked to without TLS."),
});
