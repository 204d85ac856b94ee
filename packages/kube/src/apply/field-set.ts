/**
 * A set of field paths as a tree of sorted nodes. A node is a member, has members below it, or both, so an empty set
 * is an empty array. Sets are immutable. Operations share unchanged nodes, and return the same set if nothing
 * changed.
 */
import { comparePathElements, type FieldPath, type PathElement } from './path-element.ts';

export interface FieldNode {
  readonly element: PathElement;
  readonly member: boolean;
  readonly children: FieldSet;
}

export type FieldSet = readonly FieldNode[];

export const emptySet: FieldSet = [];

export function fieldNode(element: PathElement, member: boolean, children: FieldSet): FieldNode {
  return { element, member, children };
}

/** Sorts nodes. Elements must be distinct. */
export function fieldSetOf(nodes: FieldNode[]): FieldSet {
  for (let i = 1; i < nodes.length; i++) {
    if (compareNodes(nodes[i - 1] as FieldNode, nodes[i] as FieldNode) > 0) return nodes.sort(compareNodes);
  }
  return nodes;
}

/** The set of exactly these paths. Ignores the empty path. */
export function setOfPaths(paths: Iterable<FieldPath>): FieldSet {
  let set = emptySet;
  for (const path of paths) set = union(set, singlePath(path));
  return set;
}

export function hasPath(set: FieldSet, path: FieldPath): boolean {
  let node: FieldNode | undefined;
  let level = set;
  for (const element of path) {
    node = findNode(level, element);
    if (node === undefined) return false;
    level = node.children;
  }
  return node !== undefined && node.member;
}

export function findNode(set: FieldSet, element: PathElement): FieldNode | undefined {
  let low = 0;
  let high = set.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const node = set[middle] as FieldNode;
    const order = comparePathElements(node.element, element);
    if (order === 0) return node;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (b.length === 0 || a === b) return a;
  if (a.length === 0) return b;
  const nodes: FieldNode[] = [];
  let changed = false;
  zip(a, b, (left, right) => {
    const node = left === undefined ? right : right === undefined ? left : unionNode(left, right);
    if (node !== left) changed = true;
    nodes.push(node as FieldNode);
  });
  return changed ? nodes : a;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a.length === 0 || b.length === 0) return emptySet;
  const nodes: FieldNode[] = [];
  zip(a, b, (left, right) => {
    if (left === undefined || right === undefined) return;
    const member = left.member && right.member;
    const children = intersection(left.children, right.children);
    if (member || children.length > 0) nodes.push(fieldNode(left.element, member, children));
  });
  return nodes;
}

/** Members of `a` that are not in `b`. Removing a parent keeps the members below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (left, right) => ({
    member: left.member && !right.member,
    children: difference(left.children, right.children),
  }));
}

/** Like `difference`, but removing a parent removes everything below it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (left, right) =>
    right.member
      ? { member: false, children: emptySet }
      : { member: left.member, children: recursiveDifference(left.children, right.children) },
  );
}

/** Every member's path: the members of a level before those below. */
export function* pathsOf(set: FieldSet, prefix: FieldPath = []): Generator<FieldPath> {
  for (const { element, member } of set) if (member) yield [...prefix, element];
  for (const { element, children } of set) if (children.length > 0) yield* pathsOf(children, [...prefix, element]);
}

function singlePath(path: FieldPath): FieldSet {
  let set = emptySet;
  for (let i = path.length - 1; i >= 0; i--) {
    set = [fieldNode(path[i] as PathElement, i === path.length - 1, set)];
  }
  return set;
}

function unionNode(a: FieldNode, b: FieldNode): FieldNode {
  const member = a.member || b.member;
  const children = union(a.children, b.children);
  return member === a.member && children === a.children ? a : fieldNode(a.element, member, children);
}

type Remainder = Pick<FieldNode, 'member' | 'children'>;

function subtract(a: FieldSet, b: FieldSet, remainder: (a: FieldNode, b: FieldNode) => Remainder): FieldSet {
  if (a.length === 0 || b.length === 0) return a;
  const nodes: FieldNode[] = [];
  let changed = false;
  zip(a, b, (left, right) => {
    if (left === undefined) return;
    if (right === undefined) {
      nodes.push(left);
      return;
    }
    const { member, children } = remainder(left, right);
    if (member === left.member && children === left.children) {
      nodes.push(left);
      return;
    }
    changed = true;
    if (member || children.length > 0) nodes.push(fieldNode(left.element, member, children));
  });
  return changed ? nodes : a;
}

/** Visits the nodes of two sets in order. Equal elements are visited together. */
function zip(a: FieldSet, b: FieldSet, visit: (a: FieldNode | undefined, b: FieldNode | undefined) => void): void {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    const order = left === undefined ? 1 : right === undefined ? -1 : compareNodes(left, right);
    if (order <= 0) i++;
    if (order >= 0) j++;
    visit(order <= 0 ? left : undefined, order >= 0 ? right : undefined);
  }
}

function compareNodes(a: FieldNode, b: FieldNode): number {
  return comparePathElements(a.element, b.element);
}
