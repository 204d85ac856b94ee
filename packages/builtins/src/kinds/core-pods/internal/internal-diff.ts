import { escapeForHtml, type JsonObject } from '@flotilla/kube';
import { internalForm } from './internal-form.ts';
import { unifiedDiff } from './unified-diff.ts';

/** How two values of an internal type differ, as refusals show it. */
export function internalDiff(type: string, before: JsonObject, after: JsonObject): string {
  return unifiedDiff(prettyForm(type, before), prettyForm(type, after));
}

/** One space for each level, as Kubernetes prints values to compare them. */
function prettyForm(type: string, value: JsonObject): string {
  const form = internalForm(type, value);
  try {
    return escapeForHtml(JSON.stringify(form, undefined, 1));
  } catch {
    // The engine prints no bigints. That they lose digits here hides no difference that anybody could see.
    return escapeForHtml(
      JSON.stringify(form, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item), 1),
    );
  }
}
