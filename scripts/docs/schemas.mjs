// schemas/*.json, the JSON Schemas by which editors complete policies, edges, routes, address lists, files of resources and the
// configuration, and that of what `weir replay --json` prints. A running server answers with the same at /schemas/, by the limits of its configuration.

/** @param {import("./lib/markdown.mjs").Load} load */
export async function files(load) {
	const { documentSchema, SCHEMA_NAMES } = await load("management/document-schemas");
	const { replayDocumentSchema } = await load("replay/shapes");
	const replay = `${JSON.stringify(replayDocumentSchema(), null, "\t")}\n`;
	const documents = Object.fromEntries(
		SCHEMA_NAMES.map((/** @type {string} */ name) => [
			`schemas/${name}.json`,
			`${JSON.stringify(documentSchema(name), null, "\t")}\n`,
		]),
	);
	return { ...documents, "schemas/replay.json": replay };
}
