/** `Accept` headers, parsed and sorted like Kubernetes'. */
export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface QualifiedClause extends Clause {
  readonly quality: number;
}

/** Clients repeat a few headers. The limit keeps a hostile client from filling the memory. */
const parsed = new Map<string, readonly Clause[]>();
const maxParsed = 256;

/** Best first. A quality of zero is the lowest, but not a refusal. */
export function clausesOf(accept: string): readonly Clause[] {
  const known = parsed.get(accept);
  if (known) return known;
  const clauses = parseAccept(accept);
  if (parsed.size >= maxParsed) parsed.clear();
  if (accept.length < 1024) parsed.set(accept, clauses);
  return clauses;
}

function parseAccept(accept: string): readonly Clause[] {
  const clauses = accept.split(',').map(parseClause);
  return sorted(clauses.filter((clause) => clause !== undefined));
}

function parseClause(text: string): QualifiedClause | undefined {
  const [head = '', ...rest] = text.split(';');
  const mediaType = mediaTypeOf(head);
  if (mediaType === undefined) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const [name = '', value = '', ...more] = parameter.split('=');
    if (value === '' || more.length > 0) continue;
    if (name.trim() === 'q') quality = numberOf(value);
    else parameters.set(name.trim(), value.trim());
  }
  return { mediaType, parameters, quality };
}

/** `*` means any type; other words without a slash are ignored. */
function mediaTypeOf(head: string): string | undefined {
  const parts = head.split('/').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '*') return '*/*';
  return parts.length === 2 && parts[1] !== '' ? parts.join('/') : undefined;
}

function numberOf(text: string): number {
  return /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
}

/** Go sorts short lists by insertion. The result differs from other sorts, because the comparison is inconsistent. */
const maxInsertionSorted = 12;

function sorted(clauses: QualifiedClause[]): QualifiedClause[] {
  if (clauses.length > maxInsertionSorted) {
    return clauses.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
  }
  const result: QualifiedClause[] = [];
  for (const clause of clauses) {
    let position = result.length;
    for (let before = result[position - 1]; before && isBefore(clause, before); before = result[position - 1])
      position--;
    result.splice(position, 0, clause);
  }
  return result;
}

function isBefore(a: QualifiedClause, b: QualifiedClause): boolean {
  if (a.quality > b.quality) return true;
  return (
    (!a.mediaType.startsWith('*/') && b.mediaType.startsWith('*/')) ||
    (!a.mediaType.endsWith('/*') && b.mediaType.endsWith('/*'))
  );
}
