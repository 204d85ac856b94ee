/** Kubernetes' order of API versions: stable, beta, alpha, each with the higher number first; other names come last. */
const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Positive if `a` is the newer one. */
export function compareVersions(a: string, b: string): number {
  const left = parsed(a);
  const right = parsed(b);
  if (!left || !right) return left ? 1 : right ? -1 : a === b ? 0 : a < b ? 1 : -1;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

interface ParsedVersion {
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

function parsed(version: string): ParsedVersion | undefined {
  const match = pattern.exec(version);
  if (!match) return undefined;
  const [, major = '', stability, minor = '0'] = match;
  return {
    stability: stability === undefined ? 2 : stability === 'beta' ? 1 : 0,
    major: Number(major),
    minor: Number(minor),
  };
}
