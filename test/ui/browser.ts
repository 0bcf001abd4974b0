/**
 * A real headless Chromium for tests of the live page: what it complains of, how far its layout jumps, and whether axe finds
 * anything. Without Chromium the tests say so and are skipped.
 */
import axe from "axe-core";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { isInstalled } from "../e2e/programs.ts";

const CHROMIUM = "/usr/bin/chromium";

export const hasChromium = isInstalled(CHROMIUM, "--version", "the live page is not looked at");

export const launch = (): Promise<Browser> =>
	chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

declare global {
	/** what has jumped without anybody having done anything, kept by the observer below */
	var shifted: string[];
}

export interface Watched {
	readonly page: Page;
	/** what the console, the content security policy and scripts complained of */
	readonly complaints: string[];
}

export interface Viewport {
	readonly width?: number;
	readonly height?: number;
	readonly scheme?: "light" | "dark";
}

/** A page of its own, as a fresh visitor has it. */
export async function visit(browser: Browser, viewport: Viewport = {}): Promise<Watched> {
	const { width = 1280, height = 800, scheme = "light" } = viewport;
	const context = await browser.newContext({
		viewport: { width, height },
		colorScheme: scheme,
		reducedMotion: "reduce",
	});
	context.setDefaultTimeout(15_000);
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on("console", (message) => {
		const isAnswer = message.text().startsWith("Failed to load resource");
		if (["error", "warning"].includes(message.type()) && !isAnswer) complaints.push(message.text());
	});
	page.on("pageerror", (error) => complaints.push(error.message));
	await page.addInitScript(() => {
		globalThis.shifted = [];
		new PerformanceObserver((list) => {
			for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
				const moved = sources.filter(({ node }) => !isFigure(node));
				const names = moved.map(({ node }) =>
					(node?.parentElement ?? node)?.textContent?.slice(0, 60),
				);
				if (!hadRecentInput && moved.length > 0) globalThis.shifted.push(`${value} ${names}`);
			}
		}).observe({ type: "layout-shift", buffered: true });
		/** A number at the right edge of its column grows to the left, which is no jump. */
		function isFigure(node: Node | null): boolean {
			return node?.nodeType === Node.TEXT_NODE && node.parentElement?.closest(".figure") !== null;
		}
		interface Shift extends PerformanceEntry {
			readonly value: number;
			readonly hadRecentInput: boolean;
			readonly sources: readonly { readonly node: Node | null }[];
		}
	});
	return { page, complaints };
}

export async function logIn(page: Page, origin: string, key: string): Promise<void> {
	await page.goto(`${origin}/ui/`);
	await page.getByLabel("API key").fill(key);
	await page.keyboard.press("Enter");
	await page.getByText(/^Live \d/).waitFor();
}

/** To a page by its link in the bar. */
export async function open(page: Page, name: string): Promise<void> {
	await page.getByRole("link", { name, exact: true }).click();
	await page.getByRole("heading", { level: 1 }).waitFor();
}

/** What axe finds wrong. @param only one of its rules, instead of all */
export async function axeFindings(page: Page, only?: string): Promise<string[]> {
	if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
	const { violations } = await page.evaluate(
		(only) =>
			(globalThis as unknown as { axe: typeof axe }).axe.run(document, {
				resultTypes: ["violations"],
				...(only === undefined ? {} : { runOnly: [only] }),
			}),
		only,
	);
	return violations.map(
		({ id, nodes }) =>
			`${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
	);
}

/** Pixels that the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Waits until the text of an element fits. */
export async function says(locator: Locator, text: RegExp): Promise<void> {
	await expect
		.poll(() => locator.textContent({ timeout: 1000 }).catch(() => ""), {
			timeout: 10_000,
			interval: 50,
		})
		.toMatch(text);
}
