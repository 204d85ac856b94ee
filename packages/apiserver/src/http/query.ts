/**
 * A request's query, with Kubernetes' rules for what counts as true: the first value wins, and anything but `false` and `0`
 * (even nothing at all, as in `?watch`) is true.
 */
export class Query {
  static readonly empty = new Query('');

  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(raw: string) {
    this.#values = raw === '' ? new Map() : group(new URLSearchParams(raw));
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

function group(parameters: URLSearchParams): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const values = groups.get(name);
    if (values) values.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
