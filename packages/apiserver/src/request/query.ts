import { percentDecoded } from './percent-encoding.ts';

/**
 * A request's query, with Kubernetes' rules for what counts as true: the first value wins, and anything but `false` and `0`
 * (even nothing at all, as in `?watch`) is true.
 */
export class Query {
  static readonly empty = new Query('');

  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(raw: string) {
    this.#values = raw === '' ? new Map() : parse(raw);
  }

  static of(raw: string): Query {
    return raw === '' ? Query.empty : new Query(raw);
  }

  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : value !== 'false' && value !== '0';
  }
}

/** Go leaves out what it cannot read, and anything with a semicolon, which once separated parameters. */
function parse(raw: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescaped(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : unescaped(pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = groups.get(name);
    if (values) values.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

function unescaped(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '));
}
