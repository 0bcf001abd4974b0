/** `npm run test:faults`: see `vitest.config.ts`. */
import { defineConfig } from "vitest/config";
import { COMMON, FAULTS } from "./vitest.config.ts";

export default defineConfig({ test: { ...COMMON, include: FAULTS } });
