/**
 * Kubernetes validates definitions in an older form: what all versions have in common stands above them, and paths in
 * messages lead there.
 */
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import type { DefinitionSpec, DefinitionVersion } from './custom-resource-definition.ts';

/** The fields of a version that may stand above all of them. */
const sharedFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

type Shared = Pick<DefinitionVersion, (typeof sharedFields)[number]>;

export interface HoistedDefinition {
  /** What every version says, even if it is nothing. */
  readonly shared: Shared;
  /** With what is not shared only. */
  readonly versions: readonly DefinitionVersion[];
  /** Nobody wrote versions, not even an empty list. */
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
