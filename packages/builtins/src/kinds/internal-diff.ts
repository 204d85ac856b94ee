import { escapeForHtml, type JsonObject } from '@flotilla/kube';
import { internalForm } from './core-pods/internal-form.ts';
import { unifiedDiff } from './core-pods/unified-diff.ts';

/** How two values of one of Kubernetes' internal types differ, as its refusals show it. */
export function internalDiff(type: string, before: JsonObject, after: JsonObject): string {
  return unifiedDiff(printed(type, before), printed(type, after));
}

function printed(type: string, value: JsonObject): string {
  return escapeForHtml(JSON.stringify(internalForm(type, value), null, 1));
}
