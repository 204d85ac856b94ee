/** FieldsV1: how a set of fields is written in `metadata.managedFields`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { emptySet, fieldNode, fieldSetOf, union, type FieldNode, type FieldSet } from './field-set.ts';
import { InvalidPathElement, parsePathElement } from './path-element.ts';

/** The key that says that a node with fields below it is owned itself. */
const selfKey = '.';

export function toFieldsV1(set: FieldSet): JsonObject {
  return writeNodes({}, set);
}

/** Most nodes are leaves, and all of these are written alike: wide objects have them by the ten thousand. */
const leaf: JsonObject = Object.freeze({});

function writeNodes(fields: JsonObject, set: FieldSet): JsonObject {
  for (const { element, member, children } of set) {
    fields[element] = children.length === 0 ? leaf : writeNodes(member ? { [selfKey]: leaf } : {}, children);
  }
  return fields;
}

/** Throws `InvalidPathElement` when a key or a node cannot be read. Kinds of keys that are not known are left out. */
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
  for (const key of Object.keys(fields)) {
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

/** Two keys may write the same element: `v:1` and `v:1.0`. */
function joinRepeated(set: FieldSet): FieldSet {
  const repeats = set.some((node, i) => node.element === set[i - 1]?.element);
  if (!repeats) return set;
  // They stand side by side, for the set is sorted.
  const nodes: FieldNode[] = [];
  for (const node of set) {
    const last = nodes.at(-1);
    if (last?.element !== node.element) nodes.push(node);
    else nodes[nodes.length - 1] = union([last], [node])[0] ?? last;
  }
  return nodes;
}
