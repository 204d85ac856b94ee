import type { KubeObject } from '@flotilla/kube';

export interface CsrFields {
  spec: CsrSpec;
  status: CsrStatus;
}

export interface CsrSpec {
  /** Base64 of PEM. */
  readonly request?: string | null;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface CsrStatus {
  conditions?: CsrCondition[];
  /** Base64 of PEM. */
  certificate?: string;
}

export interface CsrCondition {
  readonly type?: string;
  readonly status?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}

/** The object itself, with the spec and status that Go's zero values give it. */
export function csrOf(object: KubeObject): CsrFields {
  const csr = object as KubeObject & Partial<CsrFields>;
  csr.spec ??= {};
  csr.status ??= {};
  return csr as CsrFields;
}

export function conditionsOf({ status }: CsrFields, type: string): readonly CsrCondition[] {
  return (status.conditions ?? []).filter((condition) => condition.type === type);
}
