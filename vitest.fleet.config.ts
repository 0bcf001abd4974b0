/** `npm run test:fleet`: see `vitest.config.ts`. */
import { defineConfig } from "vitest/config";
import { COMMON, FLEET } from "./vitest.config.ts";

export default defineConfig({ test: { ...COMMON, include: FLEET } });
