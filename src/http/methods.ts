/** The methods that requests usually have (RFC 9110 9.3, RFC 5789). Lints of policies look for these in another case. */
export const USUAL_METHODS: readonly string[] = [
	"GET",
	"HEAD",
	"POST",
	"PUT",
	"DELETE",
	"PATCH",
	"OPTIONS",
];
