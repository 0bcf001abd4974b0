/** The files of the live page: found by name and nothing else, compressed where they are, with a policy for browsers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { expectError, header, raw, startApi } from "../api.ts";

const INDEX = "<!doctype html><title>weir</title>";
const SCRIPT = "console.log('weir');".repeat(20);

const root = mkdtempSync(join(tmpdir(), "weir-ui-"));
afterAll(() => rmSync(root, { recursive: true }));

const folderWithPage = (): string => {
	const folder = join(root, "ui");
	mkdirSync(join(folder, "assets"), { recursive: true });
	writeFileSync(join(root, "secret.js"), "secret");
	writeFileSync(join(folder, "index.html"), INDEX);
	writeFileSync(join(folder, "notes.md"), "not served");
	for (const name of ["app-4F2K9QXZ.js", "assets/style.css"]) {
		writeFileSync(join(folder, name), SCRIPT);
		writeFileSync(join(folder, `${name}.br`), brotliCompressSync(SCRIPT));
		writeFileSync(join(folder, `${name}.gz`), gzipSync(SCRIPT));
	}
	return folder;
};

let isOn = true;
const folder = folderWithPage();
const start = () => startApi({ ui: { folder, isOn: () => isOn } });

async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
	const api = await start();
	const all = { "accept-encoding": "identity", ...headers };
	return api.send(method, path, { key: null, headers: all });
}

describe("files of the page", () => {
	it("need no key, and let a browser load nothing from elsewhere", async () => {
		const page = await get("/ui/");
		expect(page).toMatchObject({ status: 200, text: INDEX });
		expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
		expect(page.headers.get("cache-control")).toBe("no-cache");
		expect(page.headers.get("x-content-type-options")).toBe("nosniff");
		const policy = page.headers.get("content-security-policy") ?? "";
		expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain("unsafe");
	});

	it("are kept by browsers as long as their names say that they can be", async () => {
		const script = await get("/ui/app-4F2K9QXZ.js");
		expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
		expect(script.headers.get("cache-control")).toContain("immutable");
		const style = await get("/ui/assets/style.css");
		expect(style.headers.get("cache-control")).toBe("no-cache");
		const etag = style.headers.get("etag") ?? "";
		const again = await get("/ui/assets/style.css", { "if-none-match": `W/"x", ${etag}` });
		expect([again.status, again.text]).toEqual([304, ""]);
	});

	it.each([
		["br, gzip", "br"],
		["gzip", "gzip"],
		["BR;q=0.5", "br"],
		["br;q=0, gzip", "gzip"],
		["identity", null],
	])("accept-encoding: %s gets %s", async (accepted, coding) => {
		const answer = await get("/ui/assets/style.css", { "accept-encoding": accepted });
		expect(answer.text).toBe(SCRIPT);
		expect(answer.headers.get("content-encoding")).toBe(coding);
		expect(answer.headers.get("vary")).toBe("accept-encoding");
	});

	it("are the same for HEAD, without the body", async () => {
		const head = await get("/ui/app-4F2K9QXZ.js", {}, "HEAD");
		expect([head.status, head.text]).toEqual([200, ""]);
		expect(head.headers.get("content-length")).toBe(String(SCRIPT.length));
	});

	it("are all that there is", async () => {
		const api = await start();
		const ui = header(api.key, "GET /ui");
		const moved = await raw(api.port, ui + ui, (text) => text.split("308").length === 3);
		expect(moved.text).toMatch(/^HTTP\/1\.1 308 [\s\S]*\r\nlocation: \/ui\/\r\n/);
		// Without a length a client would wait for the end of the connection, and take the next answer for a body.
		expect(moved.text).toMatch(/\r\ncontent-length: 0\r\n(?:[^\r]+\r\n)*\r\nHTTP\/1\.1 308 /i);
		for (const path of [
			...["/ui/../secret.js", "/ui/..%2fsecret.js", "/ui/%2e%2e/secret.js", "/ui/notes.md"],
			...["/ui/app-4F2K9QXZ.js.br", "/ui/assets", "/ui/assets/", "/ui//index.html", "/ui/x"],
		]) {
			const { text } = await raw(api.port, header(api.key, `GET ${path}`), (all) =>
				all.endsWith("}"),
			);
			expect([path, text.split(" ")[1]]).toEqual([path, "404"]);
		}
		expectError(await get("/ui/x", {}, "PUT"), 401, "ERR_UNAUTHORIZED");
		expectError(await get("/uix"), 401, "ERR_UNAUTHORIZED");
	});

	it("are not there when the configuration says so, or the build has none", async () => {
		isOn = false;
		expect(expectError(await get("/ui/"), 404, "ERR_NOT_FOUND").json.msg).toContain(
			"management.ui",
		);
		isOn = true;
		const bare = await startApi({ ui: { folder: "/nowhere", isOn: () => true } });
		const answer = await bare.send("GET", "/ui/", { key: null });
		expect(expectError(answer, 404, "ERR_NOT_FOUND").json.msg).toContain("npm run build");
	});
});
