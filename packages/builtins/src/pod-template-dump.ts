/** A separate entry point for the hash of pod templates: it loads the field table, but no kind's behaviour. */
import type { JsonObject } from '@flotilla/kube';
import { goDump } from './dump/go-dump.ts';
import { structType } from './table/type-table.ts';

/** The text of a pod template that Kubernetes hashes. Never throws: what Go could not decode counts as unset. */
export function podTemplateDump(template: JsonObject | undefined): string {
  return goDump(structType('core/v1', 'PodTemplateSpec'), template);
}
