/** The core of field management: how a write changes the managers' fields. */
import { compareTyped, type Comparison } from './compare.ts';
import type { FieldFilter } from './field-filter.ts';
import {
  difference,
  emptySet,
  fieldNode,
  intersection,
  pathsOf,
  union,
  type FieldNode,
  type FieldSet,
} from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { withFields, type Manager, type Managers } from './managers.ts';
import { deduced, entryType, firstAtom, type MergeType } from './merge-type.ts';
import { fieldNameOf, isFieldElement, type FieldPath, type PathElement } from './path-element.ts';
import { inVersion, type TypedObject } from './typed-object.ts';

export interface Conflict {
  readonly manager: Manager;
  readonly identifier: string;
  readonly path: FieldPath;
}

/** A write in the version of a manager; undefined if that version is no longer served. */
type Write = (apiVersion: string) => WriteInVersion | undefined;

interface WriteInVersion {
  /** Modified or added. */
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

/** Compares once for each version, on demand. Omits fields that the endpoint does not write. */
export function writeBetween(kind: ManagedKind, before: TypedObject, after: TypedObject): Write {
  const known = new Map<string, WriteInVersion | undefined>();
  return (apiVersion) => {
    if (known.has(apiVersion)) return known.get(apiVersion);
    const from = inVersion(kind, before, apiVersion);
    const to = inVersion(kind, after, apiVersion);
    const filter = kind.isWritableInOwnVersion === true && apiVersion !== kind.apiVersion ? undefined : kind.writable;
    const change = from && to && writeIn(compareTyped(from.type, from.value, to.value), filter);
    known.set(apiVersion, change);
    return change;
  };
}

/** Adapts all field sets to the current schema. Drops managers of versions that are no longer served. */
export function reconcileManagers(kind: ManagedKind, live: TypedObject, managers: Managers): Managers {
  const reconciled = new Map<string, Manager>();
  const known = new Map<string, TypedObject | undefined>([[live.apiVersion, live]]);
  for (const [identifier, manager] of managers) {
    const { apiVersion, fields } = manager;
    if (!known.has(apiVersion)) known.set(apiVersion, inVersion(kind, live, apiVersion));
    const type = known.get(apiVersion)?.type;
    if (type !== undefined) reconciled.set(identifier, withFields(manager, reconcileWithSchema(type, fields)));
  }
  return reconciled;
}

/** Removes written and removed fields from all managers except the `applier`. */
export function takeFields(write: Write, managers: Managers, applier?: string): Map<string, Manager> {
  const owners = new Map<string, Manager>();
  for (const [identifier, manager] of managers) {
    const remaining = identifier === applier ? manager : without(manager, write(manager.apiVersion));
    if (remaining !== undefined && remaining.fields.length > 0) owners.set(identifier, remaining);
  }
  return owners;
}

/** Fields of other managers that the write would change. */
export function conflictsOf(write: Write, managers: Managers, applier: string): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [identifier, manager] of managers) {
    const change = identifier === applier ? undefined : write(manager.apiVersion);
    if (change === undefined) continue;
    for (const path of pathsOf(intersection(manager.fields, change.written))) {
      conflicts.push({ manager, identifier, path });
    }
  }
  return conflicts;
}

function writeIn({ removed, modified, added }: Comparison, writable: FieldFilter = (set) => set): WriteInVersion {
  return { written: writable(union(modified, added)), removed: writable(removed) };
}

function without(manager: Manager, write: WriteInVersion | undefined): Manager | undefined {
  return write && withFields(manager, difference(difference(manager.fields, write.written), write.removed));
}

/** If a type became atomic, the owner of a field inside it owns all of it. Returns the same set if nothing changed. */
function reconcileWithSchema(type: MergeType, set: FieldSet): FieldSet {
  let changed = false;
  const nodes = set.map((node) => {
    const reconciled = reconcileNode(type, node);
    if (reconciled !== node) changed = true;
    return reconciled;
  });
  return changed ? nodes : set;
}

function reconcileNode(type: MergeType, node: FieldNode): FieldNode {
  const below = node.children.length === 0 ? undefined : typeBelow(type, node.element);
  if (below === undefined || below.map === deduced.map) return node;
  if (isAtomic(below)) return fieldNode(node.element, true, emptySet);
  const children = reconcileWithSchema(below, node.children);
  return children === node.children ? node : fieldNode(node.element, node.member, children);
}

function isAtomic(type: MergeType): boolean {
  const atom = firstAtom(type);
  return atom !== 'scalar' && type[atom]?.relationship === 'atomic';
}

function typeBelow(type: MergeType, element: PathElement): MergeType | undefined {
  switch (firstAtom(type)) {
    case 'map':
      return isFieldElement(element) && type.map !== undefined
        ? entryType(type.map, fieldNameOf(element))
        : type.map?.element?.();
    case 'list':
      return type.list?.element();
    case 'scalar':
      return undefined;
  }
}
