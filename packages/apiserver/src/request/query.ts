import { percentDecoded } from './percent-encoding.ts';

/**
 * The query of a request, with Kubernetes' rules: the first value wins, and a flag is true unless it is `false` or `0`, so that
 * `?watch` is true.
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

/** Like Go, ignores pairs that it cannot parse, and those with a semicolon, which once separated parameters. */
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
