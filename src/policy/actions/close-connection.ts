/** close-connection (contract 5): closes the client's connection without an answer. */
import { z } from "zod";
import { ok } from "../../errors.ts";
import type { Outcome } from "../exchange.ts";
import { type Action, NO_RESULTS } from "./action.ts";

const config = z.strictObject({});

const CLOSE: Outcome = Object.freeze({ kind: "close" });
const action = { run: (): Outcome => CLOSE };

export const closeConnection: Action<typeof config> = {
	config,
	defaults: {},
	phases: ["inbound"],
	ends: { when: "always", with: "refusal" },
	changes: [],
	texts: {},
	results: NO_RESULTS,
	lints: [],
	prepare: () => ok(() => action),
	documentation: {
		purpose:
			"Closes the connection without an answer: for scanners and others who should learn nothing. Honest clients take it " +
			"for a broken network and try again, so `deny` is the better answer to them.",
		effect:
			"The client's connection is closed; requests that it has sent behind this one on the same connection are lost. In the " +
			"log the request has status 0.",
		example: {
			document: {
				inbound: [
					{
						name: "Scanners",
						expressions: ["req.url.path.endsWith('.php')"],
						actions: [{ type: "close-connection" }],
					},
				],
			},
			requests: [
				{ url: "http://shop.example/wp-login.php", becomes: "the connection is closed" },
				{ url: "http://shop.example/cart", becomes: "passes" },
			],
		},
	},
};
