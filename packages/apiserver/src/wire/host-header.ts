/** The characters that Go accepts in a host: those of URIs, without the slash. */
const validHost = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

/** Go's refusal of the Host headers of an HTTP/1 request; undefined if they are valid. `rawHeaders` alternates names and values. */
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
