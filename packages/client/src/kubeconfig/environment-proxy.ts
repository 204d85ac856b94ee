import { BlockList, isIP } from 'node:net';
import { isLoopback, hostPortOf, type HostPort } from '../http/host-port.ts';
import type { Environment } from './load-kubeconfig.ts';

/** The proxy from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, with Go's rules. */
export function environmentProxy(server: URL, environment: Environment): string | undefined {
  const variable = server.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const proxy = valueOf(variable, environment);
  if (!proxy) return undefined;
  const place = hostPortOf(server);
  if (isLoopback(place.host) || isExcepted(place, valueOf('NO_PROXY', environment) ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function valueOf(name: string, environment: Environment): string | undefined {
  return environment[name] || environment[name.toLowerCase()];
}

/** Entries are `*`, `example.com`, `.example.com`, `10.0.0.0/8` or `10.1.2.3`, each also with a port. */
function isExcepted({ host, port }: HostPort, exceptions: string): boolean {
  return exceptions
    .split(',')
    .map((exception) => exception.trim().toLowerCase())
    .filter((exception) => exception !== '')
    .some((exception) => {
      if (exception === '*') return true;
      if (exception.includes('/')) return isInSubnet(host, exception);
      if (isIP(exception) > 0) return exception === host;
      const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
      if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
      return isIP(host) > 0 ? host === name : host === name || host.endsWith(name.startsWith('.') ? name : `.${name}`);
    });
}

function isInSubnet(host: string, subnet: string): boolean {
  const [address = '', bits = ''] = subnet.split('/', 2);
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (Number(bits) > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
