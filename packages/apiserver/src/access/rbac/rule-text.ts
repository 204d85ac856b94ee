import type { PolicyRule } from '@flotilla/builtins';
import { compareBytes, pushAll, quoteAll } from '@flotilla/kube';

/** Rules in the format of refusals: one resource or path a line, with all its verbs, sorted. */
export function ruleLines(parts: readonly PolicyRule[]): string[] {
  return [...new Set(joined(parts).map(ruleText))].sort(compareBytes);
}

/** Merges parts that differ only in their verb. */
function joined(parts: readonly PolicyRule[]): PolicyRule[] {
  const simple = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  const others: PolicyRule[] = [];
  for (const part of parts) {
    if (!isSimple(part)) {
      others.push(part);
      continue;
    }
    const { apiGroups, resources, resourceNames, verbs } = part;
    const key = JSON.stringify([apiGroups, resources, resourceNames ?? []]);
    const known = simple.get(key);
    if (known) pushAll(known.verbs, verbs ?? []);
    else simple.set(key, { ...part, verbs: [...(verbs ?? [])] });
  }
  return [...others, ...simple.values()];
}

function isSimple({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): boolean {
  return (
    apiGroups?.length === 1 && resources?.length === 1 && (resourceNames?.length ?? 0) <= 1 && !nonResourceURLs?.length
  );
}

function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const fields: readonly (readonly [name: string, values: readonly string[] | null | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ];
  const nonEmpty = fields.flatMap(([name, values]) => (values?.length ? [`${name}:${quoteAll(values)}`] : []));
  return `{${nonEmpty.join(', ')}}`;
}
