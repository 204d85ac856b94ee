import { goJson, type JsonObject } from '@flotilla/kube';
import { internalForm } from './internal-form.ts';
import { unifiedDiff } from './unified-diff.ts';

/** How two values of an internal type differ, as refusals show it. */
export function internalDiff(type: string, before: JsonObject, after: JsonObject): string {
  return unifiedDiff(prettyForm(type, before), prettyForm(type, after));
}

/** One space for each level, as Kubernetes prints values to compare them. */
function prettyForm(type: string, value: JsonObject): string {
  const json = goJson(internalForm(type, value), { sortKeys: false });
  const pretty: string[] = [];
  let depth = 0;
  for (const [piece] of json.matchAll(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[^"]/g)) {
    if (piece === '{' || piece === '[') pretty.push(piece, newLine(++depth));
    else if (piece === '}' || piece === ']') pretty.push(newLine(--depth), piece);
    else if (piece === ',') pretty.push(piece, newLine(depth));
    else pretty.push(piece === ':' ? ': ' : piece);
  }
  return pretty.join('');
}

function newLine(depth: number): string {
  return `\n${' '.repeat(depth)}`;
}
