import { scaled, traversalFactor, type EstimatedArgument } from '../../cost/cost.ts';
import { readsText } from '../../cost/text-costs.ts';
import { declare, member, overload, type Library } from '../../library.ts';
import { types, type CelType } from '../../type.ts';
import { CelError, CelOpaque, type CelMap, type Result } from '../../value.ts';
import { ArrayList } from '../../values/list.ts';
import { EntryMap } from '../../values/map.ts';
import { escapedPath, parseUrl, queryValues, splitHost, urlProblem, type UrlParts } from './url-parts.ts';

export const urlType: CelType = types.sealed('kubernetes.URL');

class CelUrl extends CelOpaque {
  override readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && this.#withLowerScheme() === other.#withLowerScheme();
  }

  #withLowerScheme(): string {
    const { scheme } = this.parts;
    return scheme + this.text.slice(scheme.length);
  }
}

const { bool, string } = types;

export const urlLibrary: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare(
      'url',
      overload('string_to_url', [string], urlType, read, {
        ...readsText(),
        estimate: ([text]) => {
          const { size } = text as EstimatedArgument;
          return { cost: scaled(size, traversalFactor), resultSize: size };
        },
      }),
    ),
    declare(
      'isURL',
      overload('is_url_string', [string], bool, (text: string) => urlProblem(text) === undefined),
    ),
    declare(
      'getScheme',
      member('url_get_scheme', [urlType], string, ({ parts }: CelUrl) => parts.scheme),
    ),
    declare(
      'getHost',
      member('url_get_host', [urlType], string, ({ parts }: CelUrl) => parts.host),
    ),
    declare(
      'getHostname',
      member('url_get_hostname', [urlType], string, ({ parts }: CelUrl) => splitHost(parts.host).name),
    ),
    declare(
      'getPort',
      member('url_get_port', [urlType], string, ({ parts }: CelUrl) => splitHost(parts.host).port),
    ),
    declare(
      'getEscapedPath',
      member('url_get_escaped_path', [urlType], string, ({ parts }: CelUrl) => escapedPath(parts)),
    ),
    declare('getQuery', member('url_get_query', [urlType], types.map(string, types.list(string)), query)),
  ],
};

function read(text: string): Result {
  const parsed = parseUrl(text);
  if ('error' in parsed) return new CelError(`URL parse error during conversion from string: ${parsed.error}`);
  return new CelUrl(text, parsed);
}

function query({ parts }: CelUrl): CelMap {
  const map = new EntryMap();
  for (const [name, values] of queryValues(parts)) map.set(name, new ArrayList(values));
  return map;
}
