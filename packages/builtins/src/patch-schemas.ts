/**
 * A separate entry point for callers that only make strategic merge patches: it loads the field table, but no kind's
 * behaviour.
 */
import { apiVersionOf, type GroupVersionKind, type PatchSchema } from '@flotilla/kube';
import { patchSchemaOf } from './merge/patch-schema-of.ts';
import { kindsOf, typeOfKind } from './table/type-table.ts';

/** What a strategic merge patch needs to know about a built-in kind, served or not. Undefined for every other kind. */
export function patchSchemaOfKind(kind: GroupVersionKind): PatchSchema | undefined {
  if (!kindsOf(apiVersionOf(kind)).includes(kind.kind)) return undefined;
  const type = typeOfKind(kind);
  return type === undefined ? undefined : patchSchemaOf(type);
}
