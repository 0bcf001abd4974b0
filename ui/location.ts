/**
 * Which page the address names: everything stands behind the `#`, so that the server has one file to give. Used by
 * app.tsx and wherever a link is made.
 */

export type Place =
	| { readonly page: "overview" }
	| { readonly page: "routes"; readonly query: Readonly<Record<string, string>> }
	| {
			readonly page: "policy";
			readonly edgeId: string;
			readonly routeId: string;
			/** a request to try: `method`, `url`, `ip` */
			readonly tried?: Readonly<Record<string, string>>;
	  }
	| { readonly page: "refusals" }
	| { readonly page: "limits" }
	| { readonly page: "fleet" }
	| { readonly page: "unknown" };

export function placeOf(hash: string): Place {
	const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
	const [page, ...rest] = path.split("/").map(decoded);
	if (page === "" || page === "overview") return { page: "overview" };
	if (page === "refusals" || page === "limits" || page === "fleet") return { page };
	if (page !== "routes") return { page: "unknown" };
	const [edgeId, routeId] = rest;
	if (edgeId && routeId) {
		const tried = Object.fromEntries(new URLSearchParams(search));
		return { page: "policy", edgeId, routeId, ...(search === "" ? {} : { tried }) };
	}
	return { page: "routes", query: Object.fromEntries(new URLSearchParams(search)) };
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

export function linkTo(place: Place): string {
	switch (place.page) {
		case "policy":
			return `#/routes/${encodeURIComponent(place.edgeId)}/${encodeURIComponent(place.routeId)}${place.tried === undefined ? "" : `?${new URLSearchParams(place.tried)}`}`;
		case "routes": {
			const search = new URLSearchParams(place.query).toString();
			return `#/routes${search === "" ? "" : `?${search}`}`;
		}
		case "unknown":
			return "#/";
		default:
			return `#/${place.page}`;
	}
}
