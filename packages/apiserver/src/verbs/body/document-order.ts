import { isJsonObject, type JsonValue } from '@flotilla/kube';

/** Deeper than any object goes; a hostile body may. */
const maxDepth = 200;

/** Sentences about fields, in the order in which the fields stand in the body. */
export function inDocumentOrder(body: JsonValue, sentences: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    const sentence = sentences.get(path);
    if (sentence !== undefined) found.push(sentence);
  };
  walk(body, '', 0, visit);
  return found.length === sentences.size ? found : [...sentences.values()];
}

function walk(value: JsonValue, path: string, depth: number, visit: (path: string) => void): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, depth + 1, visit);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`;
      visit(inner);
      if (member !== undefined) walk(member, inner, depth + 1, visit);
    }
  }
}
