/**
 * A door of its own for those who make strategic patches and want nothing else of the built-in kinds: it loads the field
 * table, but no kind's behaviour.
 */
import { apiVersionOf, type GroupVersionKind, type PatchSchema } from '@flotilla/kube';
import { patchSchemaOf } from './merge/patch-schema-of.ts';
import { kindsOf, typeOfKind } from './table/type-table.ts';

/** What a strategic patch must know of a built-in kind, served or not. Undefined for every other kind, whatever its name. */
export function patchSchemaOfKind(kind: GroupVersionKind): PatchSchema | undefined {
  if (!kindsOf(apiVersionOf(kind)).includes(kind.kind)) return undefined;
  const type = typeOfKind(kind);
  return type === undefined ? undefined : patchSchemaOf(type);
}
