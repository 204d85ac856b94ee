/**
 * Kubernetes validates definitions in an older form, where fields that all versions share are at the top level. Paths
 * in messages lead there.
 */
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import type { DefinitionSpec, DefinitionVersion } from './custom-resource-definition.ts';

/** The fields of a version that may be at the top level. */
const sharedFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

type Shared = Pick<DefinitionVersion, (typeof sharedFields)[number]>;

export interface HoistedDefinition {
  /** The fields that are the same in all versions, or absent in all. */
  readonly shared: Shared;
  /** The versions without shared fields. */
  readonly versions: readonly DefinitionVersion[];
  /** Whether the list of versions is absent, not just empty. */
  readonly isMissing: boolean;
}

export function hoisted({ versions }: DefinitionSpec): HoistedDefinition {
  const [first, ...others] = versions ?? [];
  const common = sharedFields.filter((field) => others.every((other) => isSame(first?.[field], other[field])));
  const shared = Object.fromEntries(common.map((field) => [field, first?.[field]])) as Shared;
  const hidden = Object.fromEntries(common.map((field) => [field, undefined]));
  return {
    shared,
    versions: (versions ?? []).map((version) => ({ ...version, ...hidden })),
    isMissing: (versions ?? null) === null,
  };
}

function isSame(a: object | undefined, b: object | undefined): boolean {
  return jsonEquals((a ?? null) as JsonValue, (b ?? null) as JsonValue);
}
