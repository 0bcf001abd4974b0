/**
 * The live page in a real browser, before a real weir with real traffic: each of its pages, what is seen of changes by
 * others, of a worker that is killed and of a server that goes and comes back, and that it is clean by axe, by its content
 * security policy and on a small screen.
 */
import { request } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../e2e/commands.ts";
import {
	KEY,
	kill,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "../e2e/harness.ts";
import { freePort } from "../e2e/programs.ts";
import {
	axeFindings,
	hasChromium,
	launch,
	logIn,
	open,
	overflow,
	says,
	visit,
	type Watched,
} from "./browser.ts";

const POLICY = {
	inbound: [
		{
			name: "No scanners",
			expressions: ["req.url.path.startsWith('/login/wp-')"],
			actions: [{ type: "deny", config: { status_code: 403 } }],
		},
		{
			name: "Few tries",
			expressions: ["req.method == 'POST'"],
			actions: [
				{
					type: "rate-limit",
					config: { name: "tries", capacity: 2, rate: "60s", bucket_key: ["conn.client_ip"] },
				},
			],
		},
	],
	outbound: [],
};
const PAGES = ["Overview", "Routes", "Refusals", "Limits"];
const LOGIN = "/edges/https/shop/routes/login";

let server: Server;
let upstream: TestUpstream;
let browser: Browser;
let traffic: NodeJS.Timeout;
let config: Record<string, unknown>;

const origin = (): string => `http://127.0.0.1:${server.managementPort}`;

/** Answers of any kind, and none at all while the server is away. */
function traffics(method: string, path: string): void {
	const asked = request({ port: server.port, method, path, headers: { host: "shop.example.com" } });
	asked.on("response", (answer) => answer.resume());
	asked.on("error", () => {});
	asked.end();
}

async function route(id: string, match: string): Promise<void> {
	const backend = { urls: [`http://127.0.0.1:${upstream.port}`] };
	await server.must(
		server.api("PUT", `/edges/https/shop/routes/${id}`, {
			match_type: "path_prefix",
			match,
			backend,
		}),
	);
}

beforeAll(async () => {
	if (!hasChromium) return;
	config = {
		listen: `127.0.0.1:${await freePort()}`,
		management: { address: `127.0.0.1:${await freePort()}` },
	};
	[server, upstream, browser] = await Promise.all([
		startServer({ config }),
		startUpstream(),
		launch(),
	]);
	await server.must(server.api("PUT", "/edges/https/shop", { hostports: ["shop.example.com"] }));
	await route("all", "/");
	await route("login", "/login");
	await Promise.all(Array.from({ length: 60 }, (_, index) => route(`r${index}`, `/r${index}/`)));
	await server.must(server.api("PUT", `${LOGIN}/policy`, POLICY));
	traffic = setInterval(() => {
		traffics("GET", "/");
		traffics("POST", "/login");
		traffics("GET", "/login/wp-admin");
	}, 60);
});

afterAll(async () => {
	clearInterval(traffic);
	await browser?.close();
	await server?.cleanUp();
	await upstream?.close();
});

/** The editor lies in a shadow root, which locators look into. */
const text = (page: Page): Promise<string> =>
	page.locator(".cm-content").evaluate((element) => (element as HTMLElement).innerText);

/** Puts the cursor behind a text of the editor. */
async function goBehind(page: Page, written: string): Promise<void> {
	const line = page.locator(".cm-activeLine", { hasText: written });
	await until(async () => {
		await page.locator(".cm-line", { hasText: written }).first().click();
		return (await line.count()) > 0 || undefined;
	}, `the cursor in the line of ${written}`);
	await page.keyboard.press("End");
}

const hasRows = (page: Page): Promise<void> => says(page.locator("main:has(tbody tr)"), /./);

describe.skipIf(!hasChromium)("the live page", () => {
	let watched: Watched;
	let page: Page;
	beforeAll(async () => {
		watched = await visit(browser);
		page = watched.page;
	});

	it("is there at once, and takes no key but a valid one", async () => {
		const painted: number[] = [];
		for (let attempt = 0; attempt < 3; attempt++) {
			await page.goto(`${origin()}/ui/`);
			await page.getByLabel("API key").waitFor();
			painted.push(await page.evaluate(() => performance.now()));
		}
		expect(Math.min(...painted)).toBeLessThan(1000);
		expect(await axeFindings(page)).toEqual([]);
		await page.getByLabel("API key").fill("wrong");
		await page.getByRole("button", { name: "Log in" }).click();
		await says(page.getByRole("alert"), /key/);
		await logIn(page, origin(), KEY);
		expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe(
			"{}",
		);
		expect(await page.context().cookies()).toEqual([]);
	});

	it("shows traffic, backends and workers live, and nothing jumps meanwhile", async () => {
		const requests = page.locator(".instrument").first().locator(".now");
		await says(requests, /^[1-9]/);
		await says(page.locator("tbody").first(), new RegExp(`127.0.0.1:${upstream.port}.*answers`));
		await says(page.locator("table").nth(1), /serves.*serves/);
		await page.evaluate(() => {
			globalThis.shifted = [];
		});
		const before = await page.locator(".pulse").textContent();
		const seconds = new Set([before]);
		await until(async () => {
			seconds.add(await page.locator(".pulse").textContent());
			return seconds.size > 3 || undefined;
		}, "three more seconds");
		expect(await page.evaluate(() => globalThis.shifted)).toEqual([]);
	});

	it("reads the charts with the keyboard", async () => {
		await page.locator(".instruments").focus();
		await page.keyboard.press("ArrowLeft");
		await says(page.locator(".aside").first(), /^at \d\d:/);
		await page.keyboard.press("Escape");
		await says(page.locator(".aside").first(), /being answered/);
	});

	it("sees a change that somebody else makes", async () => {
		await server.must(
			server.api("PUT", "/edges/https/other", { hostports: ["other.example.com"] }),
		);
		await says(page.locator(".facts"), /2 edges/);
		await says(page.locator("main"), /Last change .* edge other/);
	});

	it("sees that a worker is killed, and that another takes its place", async () => {
		const workers = page.locator("table").nth(1);
		const [pid = 0] = server.workerPids();
		await says(workers, new RegExp(`process ${pid}`));
		kill(pid, "SIGKILL");
		await until(
			async () => ((await workers.textContent())?.includes(`process ${pid}`) ? undefined : true),
			"the process to leave the page",
		);
		await says(workers, /serves.*serves/);
	});

	it("searches, sorts and pages routes", async () => {
		await open(page, "Routes");
		await says(page.locator(".pager"), /1 to 50, 62 routes/);
		await page.getByRole("button", { name: "Next" }).click();
		await says(page.locator(".pager"), /51 to 62/);
		await page.getByRole("button", { name: "Refusals" }).click();
		await says(page.locator("tbody tr").first(), /shop\/login.*in force.*2 rules, 1 limit/);
		await page.getByRole("searchbox").fill("r5");
		await says(page.locator(".pager"), /11 found of 62/);
		await page.getByRole("searchbox").fill("nothing has this");
		await says(page.locator(".empty"), /No route is found/);
		await page.getByRole("button", { name: /Show all/ }).click();
		await page.getByRole("link", { name: "shop/login" }).click();
		await says(page.getByRole("heading", { level: 1 }), /login/);
	});

	it("shows a policy with what its rules have done", async () => {
		await expect.poll(() => text(page)).toContain("No scanners");
		await says(page.locator(".rule-list li").first(), /No scanners[1-9].*refusal/);
		await says(page.locator(".cm-hits"), /[1-9]/);
		await says(page.locator(".findings"), /No problems/);
		await page.locator(".rule-list button").nth(1).click();
		await page.keyboard.type(" ");
		await says(page.locator(".state-line"), /Changed, not saved/);
		await page.getByRole("button", { name: "Discard" }).click();
		await says(page.locator(".state-line"), /As it is in force/);
	});

	it("tells what is wrong while one writes, at its place, and saves nothing that is wrong", async () => {
		await goBehind(page, '"type": "deny"');
		for (let back = 0; back < 2; back++) await page.keyboard.press("ArrowLeft");
		await page.keyboard.type("y");
		await says(page.locator(".findings"), /1 problem, .*line \d+.*unknown action type/);
		const marked = page.locator(".cm-lintRange-error");
		await expect.poll(async () => (await marked.allTextContents()).join("")).toContain("denyy");
		await page.keyboard.press("Control+s");
		await says(page.locator(".state-line"), /Not saved.*1 problem/);
		await page.keyboard.press("Backspace");
		await says(page.locator(".findings"), /No problems/);
	});

	it("completes types of actions, fields and variables", async () => {
		const options = page.locator(".cm-tooltip-autocomplete");
		await page.keyboard.press("Control+Space");
		await says(options, /deny/);
		await page.keyboard.press("Escape");
		await goBehind(page, "req.method == 'POST'");
		for (let back = 0; back < 3; back++) await page.keyboard.press("ArrowLeft");
		await page.keyboard.type(" && conn.client_");
		await says(options, /conn\.client_ip/);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Discard" }).click();
	});

	it("saves, and what is saved is in force", async () => {
		await goBehind(page, '"name": "Few tries"');
		for (let back = 0; back < 2; back++) await page.keyboard.press("ArrowLeft");
		await page.keyboard.type(" only");
		await page.keyboard.press("Control+s");
		await says(page.locator(".state-line"), /Saved at .*in force/);
		const { body } = await server.api("GET", `${LOGIN}/policy`);
		expect(body).toContain("Few tries only");
		await says(page.locator(".rule-list").first(), /Few tries only/);
	});

	it("tries a request on what is being written, and says which rule decided and why", async () => {
		const form = page.getByRole("region", { name: "Try it" });
		await form.getByLabel("Method").fill("POST");
		await form.getByLabel("URL").fill("http://shop.example.com/login/wp-admin");
		await form.getByLabel("Header fields").fill("x-a: 1");
		await form.getByRole("button", { name: "Explain" }).click();
		await says(form, /answered with 403 \(deny\).*ends the phase1 No scanners/);
		await says(form, /req\.url\.path"\/login\/wp-admin"/);
		await form.getByLabel("URL").fill("http://shop.example.com/login");
		await form.getByRole("button", { name: "Explain" }).click();
		await says(form, /skipped1 No scanners.*used of 2 in 60 s/);
		expect(await axeFindings(page)).toEqual([]);
		await form.getByLabel("URL").fill("nothing");
		await form.getByRole("button", { name: "Explain" }).click();
		await says(form.getByRole("alert"), /The question has 1 problem/);
	});

	it("takes another's version over where nothing was written, and shows a conflict where something was", async () => {
		const named = (name: string) => ({ ...POLICY, inbound: [{ ...POLICY.inbound[0], name }] });
		await server.must(server.api("PUT", `${LOGIN}/policy`, named("By curl")));
		await expect.poll(() => text(page)).toContain("By curl");
		await says(page.locator(".state-line"), /Changed elsewhere at/);

		await goBehind(page, '"name": "By curl"');
		for (let back = 0; back < 2; back++) await page.keyboard.press("ArrowLeft");
		await page.keyboard.type(" and by me");
		await server.must(server.api("PUT", `${LOGIN}/policy`, named("By somebody else")));
		await says(page.locator(".state-line"), /Somebody else has saved another version/);
		await page.keyboard.press("Control+s");
		const conflict = page.locator(".conflict");
		await says(conflict.locator(".theirs"), /theirs.*By somebody else/);
		await says(conflict.locator(".mine"), /yours.*By curl and by me/);
		expect(await axeFindings(page)).toEqual([]);
		expect((await server.api("GET", `${LOGIN}/policy`)).body).toContain("By somebody else");
		await conflict.getByRole("button", { name: "Save yours in its place" }).click();
		await says(page.locator(".state-line"), /Saved at/);
		expect((await server.api("GET", `${LOGIN}/policy`)).body).toContain("By curl and by me");
		await server.must(server.api("PUT", `${LOGIN}/policy`, POLICY));
		await says(page.locator(".rule-list").first(), /Few tries/);
	});

	it("lists versions, shows what one changed, and puts it in force again", async () => {
		const named = (name: string) => ({ ...POLICY, inbound: [{ ...POLICY.inbound[0], name }] });
		await server.must(server.api("PUT", `${LOGIN}/policy`, named("A former rule")));
		await server.must(server.api("PUT", `${LOGIN}/policy`, POLICY));
		const list = page.locator(".versions");
		const rows = list.locator("tbody tr");
		await says(rows.first(), /in force/);
		await expect.poll(async () => (await rows.allTextContents()).length).toBeGreaterThan(1);
		const { versions } = JSON.parse((await server.api("GET", `${LOGIN}/policy/versions`)).body);
		const [now, former] = versions;
		await says(rows.first(), new RegExp(`^${now.version}`));
		await list.getByRole("button", { name: `Compare version ${former.version}` }).click();
		await says(list.locator(".theirs").first(), /now.*No scanners/);
		await says(list.locator(".mine").first(), /back.*A former rule/);
		expect(await axeFindings(page)).toEqual([]);
		await list.getByRole("button", { name: "With the one before it" }).click();
		await says(list.locator(".mine").first(), /came.*A former rule/);
		await list.getByRole("button", { name: `Put version ${former.version} in force` }).click();
		await says(page.locator(".state-line"), new RegExp(`Version ${former.version} is in force`));
		expect((await server.api("GET", `${LOGIN}/policy`)).body).toContain("A former rule");
		await says(rows.first(), new RegExp(`in force.*rolled back to ${former.version}`));
		await server.must(server.api("PUT", `${LOGIN}/policy`, POLICY));
		await says(page.locator(".rule-list").first(), /Few tries/);
	});

	it("lists refusals as they come, and stands still when asked to", async () => {
		await open(page, "Refusals");
		await says(
			page.locator("tbody"),
			/\/login\/wp-admin.*shop\/login.*denied.*rule 1 “No scanners”/,
		);
		await says(page.locator("tbody"), /rate-limited.*rule 2 “Few tries”, limit “tries”/);
		await page.getByRole("searchbox").fill("denied");
		await page.getByRole("button", { name: "Pause" }).click();
		await says(page.locator(".facts-line"), /Paused: [1-9]\d* new/);
		expect(await page.locator("tbody").textContent()).not.toContain("rate-limited");
		await page.getByRole("button", { name: "Go on" }).click();
		await says(page.locator(".facts-line"), /in this second/);
	});

	it("says of each refusal why, and shows the explanation of one that brought a token", async () => {
		await open(page, "Refusals");
		await page.getByRole("searchbox").fill("denied wp-admin");
		await page
			.getByRole("button", { name: /^Why: / })
			.first()
			.click();
		const dialog = page.getByRole("dialog", { name: "Why" });
		await says(dialog, /answered with 403: denied, by rule 1 “No scanners”.*weir explain --live/);
		expect(await axeFindings(page)).toEqual([]);
		await dialog.getByRole("button", { name: "Close" }).click();
		const wish = { client_ip: "127.0.0.1" };
		const made = await server.must(server.api("POST", "/explain-tokens", wish));
		const { token } = JSON.parse(made.body);
		await server.get("/login/wp-admin/explained", {
			host: "shop.example.com",
			"x-weir-explain": token,
		});
		await page.getByRole("searchbox").fill("wp-admin/explained");
		await page
			.getByRole("button", { name: /^Why: / })
			.first()
			.click();
		await says(dialog, /It would be answered with 403 \(deny\)\..*ends the phase.*1 No scanners/);
		expect(await axeFindings(page)).toEqual([]);
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
	});

	it("lists limits with what they admit and reject", async () => {
		await open(page, "Limits");
		await says(page.locator("tbody"), /tries.*shop\/login.*2 in 1m.*conn\.client_ip.*[1-9].*1 key/);
	});

	it("is clean by axe on every page, light and dark, and fits a phone", async () => {
		const findings: string[] = [];
		const look = async (name: string): Promise<void> => {
			await page.emulateMedia({ colorScheme: "light" });
			for (const each of await axeFindings(page)) findings.push(`${name}: ${each}`);
			await page.emulateMedia({ colorScheme: "dark" });
			for (const each of await axeFindings(page, "color-contrast"))
				findings.push(`${name}, dark: ${each}`);
		};
		for (const name of PAGES) {
			await open(page, name);
			await hasRows(page);
			await look(name);
		}
		await open(page, "Routes");
		await page.getByRole("link", { name: "shop/login" }).click();
		await says(page.locator(".findings"), /No problems/);
		await look("Policy");
		expect(findings).toEqual([]);
		await page.setViewportSize({ width: 360, height: 740 });
		expect(await overflow(page)).toBe(0);
		for (const name of PAGES) {
			await open(page, name);
			await hasRows(page);
			expect([name, await overflow(page)]).toEqual([name, 0]);
		}
		await page.setViewportSize({ width: 1280, height: 800 });
	}, 90_000);

	it("lets a key of the role read look, and says what it lacks to save", async () => {
		const folder = join(server.folder, "data");
		const created = await run("keys", "create", "--role", "read", "--json", "--data-dir", folder);
		const reader = await visit(browser);
		await logIn(reader.page, origin(), JSON.parse(created.stdout).key);
		await open(reader.page, "Routes");
		await reader.page.getByRole("link", { name: "shop/login" }).click();
		await says(reader.page.locator(".findings"), /No problems/);
		await reader.page.locator(".cm-content").click();
		await reader.page.keyboard.press("Control+End");
		await reader.page.keyboard.type(" ");
		await reader.page.getByRole("button", { name: "Save" }).click();
		await says(reader.page.locator(".state-line"), /Not saved.*admin/);
		expect(reader.complaints).toEqual([]);
		await reader.page.context().close();
	});

	it("says that the connection is lost, and comes back by itself", async () => {
		await open(page, "Routes");
		await page.getByRole("link", { name: "shop/login" }).click();
		await says(page.locator(".findings"), /No problems/);
		const { folder } = server;
		await server.stop();
		await page.locator(".cm-content").click();
		await page.keyboard.type(" ");
		await says(page.locator(".findings"), /does not answer/);
		await open(page, "Overview");
		await says(page.locator(".lost"), /Connection lost\..*What you see is from/);
		expect(await axeFindings(page)).toEqual([]);
		await page.goBack();
		await says(page.locator(".findings"), /does not answer/);
		server = await startServer({ folder, config });
		await page.getByText(/^Live \d/).waitFor();
		await says(page.locator(".findings"), /\d problem|No problems/);
		await open(page, "Overview");
		await says(page.locator("table").nth(1), /serves.*serves/);
		expect(await page.locator(".lost").count()).toBe(0);
	});

	it("has broken no rule of its content security policy, and no script has failed", () => {
		expect(watched.complaints).toEqual([]);
	});
});
