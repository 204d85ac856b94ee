import { parseAmounts, scopesOf, type QuotaFields } from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import type { CountedQuota } from './decide-charges.ts';

export const quotaCollection = 'resourcequotas';

export interface ParsedQuota extends CountedQuota {
  readonly object: Readonly<KubeObject>;
}

export function parseQuota(object: KubeObject): ParsedQuota {
  const { metadata, spec, status } = object as QuotaFields;
  return {
    name: metadata.name ?? '',
    object,
    scopes: scopesOf({ ...(spec && { spec }) }),
    hard: parseAmounts(status?.hard),
    used: parseAmounts(status?.used),
  };
}
