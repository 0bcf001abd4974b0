/** The dashboard and the alerts of `deploy/`: they read metrics that there are, and each alert fires where it should. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { familyNameOf, METRIC_FAMILIES } from "../../src/telemetry/metric-families.ts";
import type { MetricFamily } from "../../src/telemetry/metric-family.ts";
import { ENVIRONMENT, isInstalled } from "../e2e/programs.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const RULES = join(DEPLOY, "prometheus");

interface Panel {
	readonly id: number;
	readonly type: string;
	readonly title: string;
	readonly gridPos: {
		readonly x: number;
		readonly y: number;
		readonly w: number;
		readonly h: number;
	};
	readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readFileSync(join(DEPLOY, "grafana/weir.json"), "utf8")) as {
	readonly title: string;
	readonly panels: readonly Panel[];
	readonly templating: { readonly list: readonly { readonly name: string }[] };
};
interface Rule {
	readonly alert: string;
	readonly expr: string;
	readonly labels: { readonly severity: string };
	readonly annotations: Readonly<Record<string, string>>;
}
const alerts = (
	parse(readFileSync(join(RULES, "alerts.yml"), "utf8")) as {
		readonly groups: readonly { readonly rules: readonly Rule[] }[];
	}
).groups.flatMap(({ rules }) => rules);
const expressions = [
	...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
	...alerts.map(({ expr }) => expr),
];

it("reads metrics, labels and values that there are", () => {
	expect(expressions.length).toBeGreaterThan(40);
	for (const expression of expressions) {
		for (const [, name = "", selector = ""] of expression.matchAll(/(weir_\w+)(?:\{([^}]*)\})?/g)) {
			const family = familyNameOf(name);
			expect(family, `${name} in ${expression}`).toBeDefined();
			const { labels }: MetricFamily = METRIC_FAMILIES[family ?? "weir_workers"];
			for (const [, label = "", value = ""] of selector.matchAll(/(\w+)=~?"([^"]*)"/g)) {
				if (label === "instance" || label === "le") continue;
				const values = labels[label];
				expect(values, `${label} in ${expression}`).toBeDefined();
				if (values !== "any") expect(values).toContain(value);
			}
		}
	}
});

it("has an alert's severity, and what to do", () => {
	expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
	for (const { alert, labels, annotations } of alerts) {
		expect([alert, labels.severity]).toEqual([
			alert,
			expect.stringMatching(/^(?:critical|warning)$/),
		]);
		expect(annotations.summary).toBeTruthy();
		expect(annotations.action?.length, alert).toBeGreaterThan(40);
	}
});

it("is a dashboard whose panels have places of their own", () => {
	const ids = dashboard.panels.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(dashboard.templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"]);
	const taken = new Set<string>();
	for (const { title, gridPos } of dashboard.panels) {
		expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
		for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
			for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
				expect(taken.has(`${x} ${y}`), `${title} lies over another`).toBe(false);
				taken.add(`${x} ${y}`);
			}
		}
	}
});

const hasPromtool = isInstalled("promtool", "--version", "alerts are not tried");

describe.skipIf(!hasPromtool)("promtool", () => {
	const promtool = (...words: string[]) =>
		execFileSync("promtool", words, { cwd: RULES, env: ENVIRONMENT, encoding: "utf8" });

	it("finds the rules good", () => {
		expect(promtool("check", "rules", "alerts.yml")).toContain(`SUCCESS: ${alerts.length} rules`);
	});

	it("fires each alert where it should, and not where all is well", () => {
		expect(promtool("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
		const tried = readFileSync(join(RULES, "alerts.test.yml"), "utf8");
		for (const { alert } of alerts) {
			expect(tried).toContain(`name: ${alert} fires`);
			expect(tried).toContain(`name: ${alert} is quiet`);
		}
	});
});
