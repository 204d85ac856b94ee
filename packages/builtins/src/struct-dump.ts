/** A separate entry point for texts that Kubernetes hashes: it loads the field table, but no kind's behaviour. */
import type { JsonValue } from '@flotilla/kube';
import { goDump } from './dump/go-dump.ts';
import { structType } from './table/type-table.ts';

/**
 * A value as text of the Go struct with this package and name: `structDump('core/v1', 'PodTemplateSpec', template)`. What Go could not
 * decode counts as unset.
 */
export function structDump(packageName: string, name: string, value: JsonValue | undefined): string {
  return goDump(structType(packageName, name), value);
}
