/** The media types of bodies that the API takes. Asked by `admission.ts` and by the resources that take YAML. */
import { JSON_TYPE } from "./reply.ts";
import type { ApiRequest } from "./request.ts";

const IS_JSON = /^application\/json[\t ]*(?:;|$)/i;
const IS_YAML = /^(?:application|text)\/yaml[\t ]*(?:;|$)/i;

/** Does the request say that its body is YAML? */
export const isYaml = (request: ApiRequest): boolean =>
	request.headers("content-type").some((type) => IS_YAML.test(type));

/** The sentence about a body that is neither; undefined if it is what is taken. */
export function mediaTypeMistake(request: ApiRequest, takesYaml: boolean): string | undefined {
	const types = request.headers("content-type");
	const [type = ""] = types;
	if (types.length === 1 && (IS_JSON.test(type) || (takesYaml && IS_YAML.test(type)))) {
		return undefined;
	}
	const valid = takesYaml ? `${JSON_TYPE} or application/yaml` : JSON_TYPE;
	return `The content-type must be ${valid}.`;
}
