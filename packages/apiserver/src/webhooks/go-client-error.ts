/** The messages of Go's HTTP client for the errors of Node's. */
import { isIP } from 'node:net';
import type { WebhookAddress } from './webhook-call.ts';

interface TlsError extends NodeJS.ErrnoException {
  /** Of a certificate for another host. */
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

export function goClientError(error: TlsError, host: string, { host: address, port }: WebhookAddress): string {
  const { code = '', message } = error;
  const dial = `dial tcp ${hostAndPort(address, port)}: connect:`;
  switch (code) {
    case 'ECONNREFUSED':
      return `${dial} connection refused`;
    case 'EHOSTUNREACH':
      return `${dial} no route to host`;
    case 'ENETUNREACH':
      return `${dial} network is unreachable`;
    case 'ETIMEDOUT':
      return `${dial} connection timed out`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${address}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'EPROTO':
      return 'http: server gave HTTP response to HTTPS client';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${otherNames(host, error.cert?.subjectaltname ?? '')}`;
    default:
      return unknownAuthority.has(code)
        ? 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
        : message;
  }
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** `names` is `DNS:a, DNS:b, IP Address:127.0.0.1`. */
function otherNames(host: string, names: string): string {
  const all = names.split(', ');
  const having = (prefix: string): string[] =>
    all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (isIP(host) !== 0) {
    const addresses = having('IP Address:');
    if (addresses.length === 0) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
    return `certificate is valid for ${addresses.join(', ')}, not ${host}`;
  }
  const hosts = having('DNS:');
  if (hosts.length === 0) return `certificate is not valid for any names, but wanted to match ${host}`;
  return `certificate is valid for ${hosts.join(', ')}, not ${host}`;
}

function hostAndPort(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}
