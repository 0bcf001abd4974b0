/**
 * `GET /ui/…`: the live page (docs/management-api.md, "Live"). The files need no key, because the page itself asks for
 * one; what it shows comes from the rest of this API. Its answers let a browser load nothing from anywhere else and run
 * no script that is not one of these files.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { ApiError } from "../../errors.ts";
import { matchesWeakly } from "../../store/precondition.ts";
import type { Context } from "../context.ts";
import { UI_PATH } from "../http/public-paths.ts";
import type { Reply, ReplyHeaders } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Methods } from "../http/router.ts";
import { preconditionOf } from "../resources/conditions.ts";
import { CODINGS, type Coding, readUiFiles, type UiFile } from "./ui-files.ts";

const INDEX = "index.html";
const YEAR_SECONDS = 31_536_000;

const SECURITY: ReplyHeaders = {
	"content-security-policy": [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"img-src 'self' data:",
		"font-src 'self'",
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join("; "),
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"x-frame-options": "DENY",
};

export function uiMethods({ ui }: Pick<Context, "ui">): Methods {
	let files: ReadonlyMap<string, UiFile> | undefined;
	return {
		GET: {
			role: null,
			takesBody: false,
			run(request, { key }) {
				if (!ui.isOn())
					throw new ApiError("ERR_NOT_FOUND", "The live page is switched off (management.ui).");
				if (key.length === 0) return TO_FOLDER;
				files ??= readUiFiles(ui.folder);
				const name = key.join("/");
				const file = files.get(name === "" ? INDEX : name);
				if (file !== undefined) return fileReply(request, file);
				throw new ApiError(
					"ERR_NOT_FOUND",
					files.size === 0
						? "This build of weir has no live page; npm run build makes it."
						: `The live page has no such file; it is at ${UI_PATH}/.`,
				);
			},
		},
	};
}

/** Relative addresses within the page need the slash. */
const TO_FOLDER: Reply = {
	status: 308,
	headers: { location: `${UI_PATH}/`, ...SECURITY },
	body: undefined,
};

function fileReply(request: ApiRequest, file: UiFile): Reply {
	const coding = codingFor(request.headers("accept-encoding"), file);
	const etag = `"${file.digest}${coding === undefined ? "" : `-${coding}`}"`;
	const headers: ReplyHeaders = {
		...SECURITY,
		etag,
		vary: "accept-encoding",
		"cache-control": file.isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
		...(coding === undefined ? {} : { "content-encoding": coding }),
	};
	const { ifNoneMatch } = preconditionOf(request);
	if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag))
		return { status: 304, headers, body: undefined };
	const body = coding === undefined ? file.plain : (file.coded[coding] ?? file.plain);
	return { status: 200, headers, body, contentType: file.contentType };
}

/** The best that the client takes and the build has made; undefined: as it is. */
function codingFor(lines: readonly string[], { coded }: UiFile): Coding | undefined {
	const taken = lines
		.flatMap((line) => line.split(","))
		.map((each) => asciiLowerCase(each).replaceAll(" ", ""))
		.filter((each) => !/;q=0(?:\.0*)?$/.test(each))
		.map((each) => each.split(";")[0]);
	return CODINGS.find((coding) => coded[coding] !== undefined && taken.includes(coding));
}
