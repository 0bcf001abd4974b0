/** `npm run test:fleet`: see `vitest.config.ts`. */
import { defineConfig } from "vitest/config";
import { COMMON, FLEET } from "./vitest.config.ts";

/** `npm test` runs some schedules of the protocol's model, this some thousand, and `npm run test:model` 100,000. */
const MODEL = "test/fleet/model/model.test.ts";

export default defineConfig({
	test: {
		...COMMON,
		include: [...FLEET, MODEL],
		env: { WEIR_MODEL_SCHEDULES: process.env.WEIR_MODEL_SCHEDULES ?? "420" },
	},
});
