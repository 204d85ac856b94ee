/**
 * What a step changed, as lines: `+` an object that is new, with all its fields; `~` one that changed, with the changed fields; `-` one
 * that is gone; `!` an event. Objects whose names differ only in random letters are interchangeable: equal changes become one with
 * a count.
 */
import type { ShownObject, Snapshot } from './snapshot.ts';

export function changesBetween(before: Snapshot, after: Snapshot): string[] {
  const changes: Change[] = [];
  for (const [uid, object] of after.objects) {
    const old = before.objects.get(uid);
    const lines = old === undefined ? allFields(object) : changedFields(old, object);
    if (lines.length > 0) changes.push({ object, sign: old === undefined ? '+' : '~', lines });
  }
  for (const [uid, object] of before.objects) {
    if (!after.objects.has(uid)) changes.push({ object, sign: '-', lines: [] });
  }
  const events = [...after.events].filter(([uid, line]) => before.events.get(uid) !== line);
  return [
    ...counted(changes.sort(byKindAndText).map(textOf)),
    ...counted(events.map(([, line]) => `! ${line}`).sort()),
  ];
}

interface Change {
  readonly object: ShownObject;
  readonly sign: '+' | '~' | '-';
  readonly lines: readonly string[];
}

function textOf({ object: { title, summary }, sign, lines }: Change): string {
  const suffix = sign === '-' && summary !== '' ? ` (${summary})` : '';
  return [`${sign} ${title}${suffix}`, ...lines].join('\n');
}

function byKindAndText(a: Change, b: Change): number {
  const key = (change: Change): string => `${change.object.title} ${textOf(change)}`;
  return a.object.order - b.object.order || (key(a) < key(b) ? -1 : 1);
}

function allFields({ fields }: ShownObject): string[] {
  return [...fields].map(([path, value]) => `    ${path}: ${value}`);
}

function changedFields(old: ShownObject, object: ShownObject): string[] {
  const gone = [...old.fields.keys()].filter((path) => !object.fields.has(path));
  const changed = [...object.fields].filter(([path, value]) => old.fields.get(path) !== value);
  return [
    ...changed.map(([path, value]) => `    ${path}: ${value}`),
    ...gone.map((path) => `    ${path} removed`),
  ].sort();
}

/** Equal texts are neighbours. */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text[0]} ${count} ×${text.slice(1)}`));
}
