import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { MergeType } from './merge-type.ts';
import { elementText, fieldElement } from './path-element.ts';

/** The paths of all lists, maps and structs in a value that are owned as a whole: setting one field would remove the others. */
export function atomicFields(type: MergeType, value: JsonValue): readonly string[] {
  const found: string[] = [];
  collect(type, value, '', found);
  return found;
}

function collect({ map, list }: MergeType, value: JsonValue, path: string, found: string[]): void {
  if (isJsonObject(value) && map) {
    if (map.relationship === 'atomic') found.push(path);
    for (const [name, entry] of Object.entries(value)) {
      const field = map.field(name);
      if (field && entry !== undefined) collect(field.type(), entry, path + elementText(fieldElement(name)), found);
    }
  } else if (Array.isArray(value) && list) {
    if (list.relationship === 'atomic') found.push(path);
    for (const [index, item] of value.entries()) collect(list.element(), item, `${path}[${index}]`, found);
  }
}
