/** OpenID Connect discovery, with which other programs verify service account tokens. */
import type { ApiResponse, JsonObject } from '@flotilla/kube';
import { headersFor } from '../../response/respond.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import type { VerificationKey } from './token-keys.ts';

export const issuerPaths = ['/.well-known/openid-configuration', '/openid/v1/jwks'] as const;

const [configurationPath, keysPath] = issuerPaths;

export function isIssuerPath(path: string): boolean {
  return path === configurationPath || path === keysPath;
}

export interface IssuerOptions {
  readonly tokens: ServiceAccountTokens;
  /** Host and port that clients connect to. */
  readonly address: () => string;
  readonly basePath: string;
}

/** Returns undefined for other paths, and if the issuer is no https URL. */
export function issuerDiscovery(options: IssuerOptions): (path: string) => (() => ApiResponse) | undefined {
  const { tokens, address, basePath } = options;
  const issuer = tokens.issuers[0] ?? '';
  if (!isDiscoverable(issuer)) return () => undefined;
  return (path) => {
    switch (path) {
      case configurationPath:
        return () =>
          cacheable('application/json', configuration(issuer, `https://${address()}${basePath}`, tokens.keys));
      case keysPath:
        return () => cacheable('application/jwk-set+json', { keys: tokens.keys.map(webKey) });
      default:
        return undefined;
    }
  };
}

function isDiscoverable(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url !== null && url.protocol === 'https:' && url.search === '' && url.hash === '';
}

function configuration(issuer: string, url: string, keys: readonly VerificationKey[]): JsonObject {
  return {
    issuer,
    jwks_uri: `${url}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm.name))].sort(),
  };
}

/** Fields are in Kubernetes' order. */
function webKey({ id, algorithm, key }: VerificationKey): JsonObject {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' }) as Record<string, string>;
  const about: JsonObject = { use: 'sig', kty: kty ?? '', kid: id };
  return kty === 'RSA'
    ? { ...about, alg: algorithm.name, n: n ?? '', e: e ?? '' }
    : { ...about, crv: crv ?? '', alg: algorithm.name, x: x ?? '', y: y ?? '' };
}

function cacheable(contentType: string, value: JsonObject): ApiResponse {
  const headers = { ...headersFor(contentType), 'cache-control': 'public, max-age=3600' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value)) };
}
