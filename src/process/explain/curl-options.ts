/** curl's options, as far as they say something of a request. Read by `curl-line.ts`. */

/**
 * What an option does to the request; `ignored`: nothing, as it is about the connection or about what curl prints;
 * `unknown-value`: it takes a value, and what it does is not understood here.
 */
export type CurlEffect =
	| "method"
	| "header"
	| "data"
	| "json"
	| "agent"
	| "cookie"
	| "user"
	| "get"
	| "head"
	| "referer"
	| "url"
	| "range"
	| "compressed"
	| "form"
	| "upload"
	| "as-is"
	| "ignored"
	| "unknown-value";

interface CurlOption {
	readonly effect: CurlEffect;
	readonly takesValue: boolean;
}

const OPTIONS = new Map<string, CurlOption>();

function add(effect: CurlEffect, takesValue: boolean, names: string): void {
	for (const name of names.split(" ")) OPTIONS.set(name, { effect, takesValue });
}

add("method", true, "-X --request");
add("header", true, "-H --header");
add("data", true, "-d --data --data-ascii --data-raw --data-binary --data-urlencode");
add("json", true, "--json");
add("agent", true, "-A --user-agent");
add("cookie", true, "-b --cookie");
add("user", true, "-u --user");
add("get", false, "-G --get");
add("head", false, "-I --head");
add("referer", true, "-e --referer");
add("url", true, "--url");
add("range", true, "-r --range");
add("compressed", false, "--compressed");
add("form", true, "-F --form --form-string");
add("upload", true, "-T --upload-file");
add("as-is", false, "--path-as-is");
add("ignored", false, "-k --insecure -L --location --location-trusted -s --silent -S --show-error");
add("ignored", false, "-v --verbose -i --include --show-headers -f --fail --fail-with-body -N");
add("ignored", false, "--no-buffer -# --progress-bar --no-progress-meter -O --remote-name -J -q");
add(
	"ignored",
	false,
	"-4 --ipv4 -6 --ipv6 --http1.1 --http2 --tcp-nodelay --no-keepalive -g --globoff",
);
add("ignored", true, "-o --output -w --write-out -m --max-time --connect-timeout --retry -D");
add("ignored", true, "--dump-header -c --cookie-jar --cacert --capath --resolve --connect-to");
add("ignored", true, "--retry-delay --limit-rate --trace --trace-ascii --stderr --interface");
add("unknown-value", true, "-x --proxy -K --config -E --cert --key --unix-socket -U --proxy-user");
add("unknown-value", true, "--oauth2-bearer --aws-sigv4 -Q --quote --request-target --url-query");

/** @param name with its dashes; undefined: curl may know it, and this does not */
export const curlOption = (name: string): CurlOption | undefined => OPTIONS.get(name);
