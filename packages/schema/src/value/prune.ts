import { compareBytes, isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';
import { fieldBelow, WalkPath } from './walk-path.ts';

/**
 * Removes unknown fields and returns their paths. Also removes nulls that are neither allowed nor have a default,
 * without reporting them.
 */
export function prune(object: JsonObject, root: SchemaNode): string[] {
  const pruning = new Pruning();
  pruning.object(object, root, { isResource: true, preservesUnknown: root.preservesUnknown });
  return pruning.unknownFields.sort(compareBytes);
}

/** Removes unknown fields and nulls of any value, and returns the paths of unknown fields. */
export function unknownFieldsIn(value: JsonValue, node: SchemaNode): string[] {
  const pruning = new Pruning();
  pruning.value(value, node, node.preservesUnknown);
  return pruning.unknownFields;
}

/** The fields of every resource, whose types the server knows without a schema. */
export const resourceFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

class Pruning {
  readonly unknownFields: string[] = [];
  readonly #walkPath = new WalkPath();

  value(value: JsonValue | undefined, node: SchemaNode | undefined, preservesUnknown: boolean): void {
    if (typeof value !== 'object' || value === null || value instanceof JsonFloat) return;
    if (Array.isArray(value)) this.#list(value, node, preservesUnknown);
    else this.object(value, node, { isResource: node?.isEmbedded === true, preservesUnknown });
  }

  #list(list: readonly JsonValue[], node: SchemaNode | undefined, preservesUnknown: boolean): void {
    const items = node?.items;
    if (items === undefined) {
      if (!preservesUnknown) this.#emptyItems(list);
      return;
    }
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (typeof item !== 'object') continue;
      this.#walkPath.enterIndex(i);
      // A list that preserves unknown fields preserves them in its items too, whatever their schema.
      this.value(item, items, preservesUnknown || items.preservesUnknown);
      this.#walkPath.leave();
    }
  }

  /** Nested lists without a schema. Users decide how deep they are: no recursion. */
  #emptyItems(list: readonly JsonValue[]): void {
    const open = [{ list, next: 0 }];
    for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
      const index = innermost.next++;
      const item = innermost.list[index];
      if (item === undefined) {
        open.pop();
        if (open.length > 0) this.#walkPath.leave();
      } else if (Array.isArray(item)) {
        this.#walkPath.enterIndex(index);
        open.push({ list: item, next: 0 });
      } else if (isJsonObject(item)) {
        this.#walkPath.enterIndex(index);
        this.#remove(item, Object.keys(item));
        this.#walkPath.leave();
      }
    }
  }

  object(
    object: JsonObject,
    node: SchemaNode | undefined,
    { isResource, preservesUnknown }: { isResource: boolean; preservesUnknown: boolean },
  ): void {
    let unknown: string[] | undefined;
    for (const key in object) {
      const value = object[key];
      const property = node?.properties.get(key);
      if (isResource && resourceFields.has(key)) {
        if (property !== undefined) this.#child(object, key, property, true);
      } else if (property !== undefined) {
        this.#child(object, key, property, property.preservesUnknown);
      } else if (node?.values !== undefined) {
        this.#child(object, key, node.values, node.values.preservesUnknown);
      } else if (node?.allowsAnyKey === true) {
        this.#walkPath.enterField(key);
        this.value(value, undefined, false);
        this.#walkPath.leave();
      } else if (!preservesUnknown) {
        (unknown ??= []).push(key);
      }
    }
    if (unknown !== undefined) this.#remove(object, unknown);
  }

  #child(object: JsonObject, key: string, node: SchemaNode, preservesUnknown: boolean): void {
    const value = object[key];
    if (typeof value !== 'object') return;
    if (value !== null) {
      this.#walkPath.enterField(key);
      this.value(value, node, preservesUnknown);
      this.#walkPath.leave();
    } else if (!node.isNullable && node.default === undefined) {
      delete object[key];
    }
  }

  #remove(object: JsonObject, keys: readonly string[]): void {
    const path = this.#walkPath.toDottedString();
    for (const key of keys) {
      delete object[key];
      this.unknownFields.push(fieldBelow(path, key));
    }
  }
}
