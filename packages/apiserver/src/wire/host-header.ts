/** The characters that Go takes in a host: those of URIs, without the slash. */
const validHost = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

/** Why Go refuses the Host headers of an HTTP/1 request; undefined: it does not. `rawHeaders` are names and values in turn. */
export function hostRefusal(version: string, rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'Bad Request';
    host = rawHeaders[index + 1] ?? '';
  }
  if (host === undefined) return version === '1.0' ? undefined : 'Bad Request: missing required Host header';
  return validHost.test(host) ? undefined : 'Bad Request: malformed Host header';
}
