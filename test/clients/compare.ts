import { diff } from 'node:util';

/** The lines around a difference: `-` as recorded, `+` as printed now. Undefined if the two are equal. */
export function differenceOf(recorded: string, actual: string): string | undefined {
  if (recorded === actual) return undefined;
  const [before, now] = [linesOf(recorded), linesOf(actual)];
  if (before.join('\n') === now.join('\n')) return undefined;
  const changes = diff(before, now);
  const isNear = changes.map((_, at) => changes.slice(Math.max(0, at - 2), at + 3).some(({ 0: side }) => side !== 0));
  const lines: string[] = [];
  for (const [at, { 0: side, 1: line }] of changes.entries()) {
    if (isNear[at]) lines.push(`${side > 0 ? '-' : side < 0 ? '+' : ' '} ${line}`);
    else if (lines.at(-1) !== '  ...') lines.push('  ...');
  }
  return lines.join('\n');
}

const eviction = '| evicting pod ';

/** `kubectl drain` evicts pods concurrently: the order of these lines is a matter of chance. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map(withSortedManagers);
  const evictions = lines.filter((line) => line.startsWith(eviction)).sort();
  return lines.map((line) => (line.startsWith(eviction) ? (evictions.shift() ?? line) : line));
}

/**
 * Managers are sorted by the second of their last write, so that their order depends on when a second ended. Of objects that are
 * printed as one line of JSON, it makes no difference.
 */
function withSortedManagers(line: string): string {
  if (!line.startsWith('| {') || !line.includes('"managedFields":[')) return line;
  try {
    const object = JSON.parse(line.slice(2)) as { metadata?: { managedFields?: unknown[] } };
    object.metadata?.managedFields?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return `| ${JSON.stringify(object)}`;
  } catch {
    return line;
  }
}
