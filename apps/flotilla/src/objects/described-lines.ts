import { isJsonObject, stringifyJson, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';

/** The fields of an object, as `kubectl describe` prints those of kinds that it does not know. */
export function describedLines({ metadata, apiVersion, kind, ...fields }: KubeObject): string[] {
  const { name = '', namespace, labels, annotations, managedFields: _, ...rest } = metadata;
  const head: readonly (readonly [string, readonly string[]])[] = [
    ['Name', [name]],
    ['Namespace', [namespace ?? '']],
    ['Labels', pairsOf(labels)],
    ['Annotations', pairsOf(annotations)],
    ['API Version', [apiVersion]],
    ['Kind', [kind]],
  ];
  const width = Math.max(...head.map(([title]) => title.length)) + ':  '.length;
  const lines = head.flatMap(([title, texts]) =>
    texts.map((text, index) => `${(index === 0 ? `${title}:` : '').padEnd(width)}${text}`.trimEnd()),
  );
  return [...lines, ...fieldLines({ metadata: rest, ...fields }, '')];
}

function pairsOf(map: Readonly<Record<string, string>> | undefined): string[] {
  const pairs = Object.entries(map ?? {}).map(([key, value]) => `${key}=${plain(value)}`);
  return pairs.length === 0 ? ['<none>'] : pairs.sort();
}

/** Scalars of an object are aligned; nested values follow below their title. Beyond this depth they are JSON. */
const maxDepth = 32;

/** Fields whose keys are the user's words. */
const maps: ReadonlySet<string> = new Set([
  'annotations',
  'binaryData',
  'data',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'requests',
]);

function fieldLines(object: JsonObject, indent: string, titleOf = titleFrom): string[] {
  const entries = Object.entries(object)
    .flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const scalars = entries.filter(([, value]) => !isNested(value));
  const width = Math.max(0, ...scalars.map(([key]) => titleOf(key).length)) + ':  '.length;
  return entries.flatMap(([key, value]) => {
    const title = `${titleOf(key)}:`;
    if (isNested(value)) {
      return [`${indent}${title}`, ...nestedLines(value, `${indent}  `, maps.has(key) ? plain : titleFrom)];
    }
    const [first = '', ...more] = scalarText(value).split('\n').map(plain);
    const rest = more.map((line) => `${indent}${' '.repeat(width)}${line}`);
    return [`${indent}${title.padEnd(width)}${first}`.trimEnd(), ...rest];
  });
}

function nestedLines(value: JsonValue, indent: string, titleOf: (key: string) => string): string[] {
  if (indent.length > 2 * maxDepth) return [`${indent}${plain(stringifyJson(value))}`];
  if (isJsonObject(value)) return fieldLines(value, indent, titleOf);
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    isNested(item) ? nestedLines(item, indent, titleFrom) : [`${indent}${plain(scalarText(item))}`],
  );
}

function isNested(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function scalarText(value: JsonValue): string {
  return typeof value === 'string' ? value : value === null ? '<nil>' : stringifyJson(value);
}

/** `lastTransitionTime` becomes `Last Transition Time`. Keys with dots or dashes are names, and stay. */
function titleFrom(key: string): string {
  if (!/^[A-Za-z]+$/.test(key)) return plain(key);
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return title.replaceAll(/\b(?:Api|Uid|Url|Ip|Id)\b/g, (word) => word.toUpperCase());
}

function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}
