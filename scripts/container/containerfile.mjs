// Reads a Containerfile as far as weir's own goes: stages with their instructions, arguments filled in. Used by
// scripts/container-check.mjs; test/deploy holds the file to the project with it.

/** @typedef {{ keyword: string, value: string }} Step */
/** @typedef {{ from: string, name: string, steps: Step[] }} Stage */

const KEYWORDS =
	"ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK RUN STOPSIGNAL USER VOLUME WORKDIR";

/** @param {string} text @returns {Stage[]} */
export function stagesOf(text) {
	/** @type {Map<string, string>} */
	const values = new Map();
	/** @param {string} value */
	const filled = (value) =>
		value.replace(/\$\{(\w+)\}/g, (_, name) => {
			const known = values.get(name);
			if (known === undefined) throw new Error(`no ARG ${name} before ${value}`);
			return known;
		});
	/** @type {Stage[]} */
	const stages = [];
	const lines = text
		.split("\n")
		.filter((line) => !/^\s*#/.test(line))
		.join("\n")
		.replaceAll(/\\\n\s*/g, " ")
		.split("\n")
		.filter((line) => line.trim() !== "");
	for (const line of lines) {
		const [, keyword = "", value = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
		if (!KEYWORDS.split(" ").includes(keyword)) throw new Error(`not known here: ${line}`);
		if (keyword === "ARG" && stages.length === 0) {
			const [name = "", fallback = ""] = value.split("=");
			values.set(name, fallback);
		} else if (keyword === "FROM") {
			const [from = "", , name = ""] = filled(value).split(" ");
			stages.push({ from, name, steps: [] });
		} else {
			stages.at(-1)?.steps.push({ keyword, value });
		}
	}
	return stages;
}

/** The value of a stage's last instruction of this kind. @param {Stage} stage @param {string} keyword */
export const lastOf = ({ steps }, keyword) =>
	steps.findLast((step) => step.keyword === keyword)?.value ?? "";

/** The words of `CMD ["a", "b"]`. @param {string} value @returns {string[]} */
export const wordsOf = (value) => JSON.parse(value.slice(value.indexOf("[")));

/** The words of the check's command. @param {Stage} stage */
export const healthCommandOf = (stage) =>
	wordsOf(lastOf(stage, "HEALTHCHECK").replace(/^.*? CMD /, ""));

/**
 * Whether an ignore file leaves a path of the context out.
 * @param {string} ignoreFile its text @returns {(path: string) => boolean} of a path relative to the context
 */
export function ignores(ignoreFile) {
	const patterns = ignoreFile
		.split("\n")
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => line.replace(/[.+^$()|[\]]/g, "\\$&").replaceAll("*", "[^/]*"))
		.map((line) => new RegExp(`^${line}(?:/|$)`));
	return (path) => patterns.some((pattern) => pattern.test(path));
}
