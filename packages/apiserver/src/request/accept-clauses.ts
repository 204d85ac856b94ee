/** `Accept` headers, read and put in order as Kubernetes' own parser does it. */
export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface WeighedClause extends Clause {
  readonly quality: number;
}

/** Clients repeat a handful of headers for ever; the bound keeps a hostile one from filling memory. */
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

function parseClause(text: string): WeighedClause | undefined {
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

/** `*` alone stands for everything; other words without a slash stand for nothing. */
function mediaTypeOf(head: string): string | undefined {
  const parts = head.split('/').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '*') return '*/*';
  return parts.length === 2 && parts[1] !== '' ? parts.join('/') : undefined;
}

function numberOf(text: string): number {
  return /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
}

/** Go sorts short lists by insertion, which shows where the comparison contradicts itself. */
const maxInsertionSorted = 12;

function sorted(clauses: WeighedClause[]): WeighedClause[] {
  if (clauses.length > maxInsertionSorted) {
    return clauses.sort((a, b) => (comesBefore(a, b) ? -1 : comesBefore(b, a) ? 1 : 0));
  }
  const result: WeighedClause[] = [];
  for (const clause of clauses) {
    let place = result.length;
    for (let before = result[place - 1]; before && comesBefore(clause, before); before = result[place - 1]) place--;
    result.splice(place, 0, clause);
  }
  return result;
}

function comesBefore(a: WeighedClause, b: WeighedClause): boolean {
  if (a.quality > b.quality) return true;
  return (
    (!a.mediaType.startsWith('*/') && b.mediaType.startsWith('*/')) ||
    (!a.mediaType.endsWith('/*') && b.mediaType.endsWith('/*'))
  );
}
