/** Where a socket leads. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export function placeOf({ hostname, port, protocol }: URL): Place {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return { host, port: port === '' ? (defaultPorts.get(protocol) ?? 0) : Number(port) };
}

/** Of the schemes that servers and proxies may have. */
const defaultPorts: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
  ['socks5:', 1080],
  ['socks5h:', 1080],
]);
