/** FieldsV1: the encoding of a field set in `metadata.managedFields`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { emptySet, fieldNode, fieldSetOf, union, type FieldNode, type FieldSet } from './field-set.ts';
import { InvalidPathElement, parsePathElement } from './path-element.ts';

/** Marks a node with children as a member. */
const selfKey = '.';

export function toFieldsV1(set: FieldSet): JsonObject {
  return writeNodes({}, set);
}

/** Most nodes are leaves, so they share one object. Wide objects have tens of thousands. */
const leaf: JsonObject = Object.freeze({});

function writeNodes(fields: JsonObject, set: FieldSet): JsonObject {
  for (const { element, member, children } of set) {
    fields[element] = children.length === 0 ? leaf : writeNodes(member ? { [selfKey]: leaf } : {}, children);
  }
  return fields;
}

/** Throws `InvalidPathElement` if a key or node is invalid. Ignores unknown kinds of keys. */
export function fromFieldsV1(fields: JsonObject): FieldSet {
  return readChildren(fields).children;
}

interface ReadNode {
  readonly member: boolean;
  readonly children: FieldSet;
}

function readNode(value: JsonValue | undefined): ReadNode {
  if (value === null || value === undefined) return { member: true, children: emptySet };
  if (!isJsonObject(value)) throw new InvalidPathElement('a set of fields must be an object');
  return readChildren(value);
}

function readChildren(fields: JsonObject): ReadNode {
  const nodes: FieldNode[] = [];
  let member = false;
  for (const key in fields) {
    if (key === selfKey) {
      member = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) continue;
    const node = readNode(fields[key]);
    nodes.push(fieldNode(element, node.member, node.children));
  }
  if (nodes.length === 0) return { member: true, children: emptySet };
  return { member, children: joinRepeated(fieldSetOf(nodes)) };
}

/** Two keys may encode one element: `v:1` and `v:1.0`. */
function joinRepeated(set: FieldSet): FieldSet {
  if (!hasRepeated(set)) return set;
  // They are adjacent, because the set is sorted.
  const nodes: FieldNode[] = [];
  for (const node of set) {
    const last = nodes.at(-1);
    if (last?.element !== node.element) nodes.push(node);
    else nodes[nodes.length - 1] = union([last], [node])[0] ?? last;
  }
  return nodes;
}

function hasRepeated(set: FieldSet): boolean {
  for (let i = 1; i < set.length; i++) if (set[i]?.element === set[i - 1]?.element) return true;
  return false;
}
